import assert from 'node:assert/strict';
import { inEnglish } from '../text/text.ts';
import { describeWatchEnd, readCondition, readDuration, splitCondition } from './watch-condition.ts';

describe('A sentence', () => {
	for (const text of [
		'When `foo` fails, it should return null',
		'when the build fails, fix it',
		'When src/a.ts changes, the server restarts',
		'tell me when CI is green',
		'keep an eye on the build',
		'what happens when src/a.ts changes?',
		'every day at 9 list open issues',
	]) {
		it(`names no condition: ${text}`, () => assert.equal(splitCondition(text), undefined));
	}

	for (const [text, kind, what, expects, rest] of [
		['When src/api/** changes, update the docs.', 'files', 'src/api/**', 'changes', 'update the docs'],
		['update the docs whenever `src/api` changes', 'files', 'src/api', 'changes', 'update the docs'],
		['Sobald src/api sich ändert, aktualisiere die Doku', 'files', 'src/api', 'changes', 'aktualisiere die Doku'],
		['Wenn sich src/api ändert, aktualisiere die Doku', 'files', 'src/api', 'changes', 'aktualisiere die Doku'],
		['when `src/a, b.txt` changes, update the docs', 'files', 'src/a, b.txt', 'changes', 'update the docs'],
		['behalte src/api im Auge', 'files', 'src/api', 'changes', ''],
		['tell me when `gh run list` says "success"', 'command', 'gh run list', { says: 'success' }, ''],
		['wenn `git status` "clean" ausgibt, sag hallo', 'command', 'git status', { says: 'clean' }, 'sag hallo'],
		['Whenever `cat a` exits with 3, look at it', 'command', 'cat a', { code: 3 }, 'look at it'],
		['keep an eye on `gh run list`', 'command', 'gh run list', 'changes', ''],
		['tell me when https://ci.example.org/x answers 200', 'address', 'https://ci.example.org/x', { code: 200 }, ''],
		['Sag mir Bescheid, sobald https://a.example erreichbar ist', 'address', 'https://a.example', 'succeeds', ''],
		['notify me when origin/main moves', 'ref', 'origin/main', 'changes', ''],
		['melde dich, wenn der Branch main sich bewegt', 'ref', 'main', 'changes', ''],
	] as const) {
		it(`names a condition: ${text}`, () => {
			const split = splitCondition(text);
			const condition = readCondition(split?.words ?? '')?.condition;
			assert.deepEqual([condition, split?.rest], [{ kind, what, expects }, rest]);
		});
	}

	it('names a remote and whether it is meant more than once', () => {
		assert.deepEqual(readCondition('whenever branch main of origin has new commits'), {
			condition: { kind: 'ref', what: 'main', expects: 'changes', remote: 'origin' },
			isRepeated: true,
		});
	});

	it('names a length of time in English and German', () => {
		assert.deepEqual(['for 3 days', '2 Stunden', '90m', '0 days', 'soon'].map(readDuration), [
			259_200_000,
			7_200_000,
			5_400_000,
			undefined,
			undefined,
		]);
	});
});

describe('A watch that is over', () => {
	it('has happened if it held once, however often it could have', () => {
		assert.equal(inEnglish(describeWatchEnd({ held: 0 })), 'over: it did not happen in time');
		assert.equal(inEnglish(describeWatchEnd({ held: 3 })), 'over: it happened');
	});
});
