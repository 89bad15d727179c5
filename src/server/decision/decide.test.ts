import assert from 'node:assert/strict';
import { FAST_PATH_NAMES } from '../../protocol/settings/groups/advanced.ts';
import { chooseStrategy, fastPaths, findFastPath, mayPlan } from './decide.ts';
import type { FastPath } from './fast-path.ts';
import { readSchedule } from './follow-strategy.ts';
import { greetingFastPath } from './paths/small-talk-fast-paths.ts';

const later = { isFirst: false };
const first = { isFirst: true };

describe('The table of fast paths', () => {
	for (const text of [
		'',
		'...',
		'read src/a.ts and fix it',
		'read src/a.ts, src/b.ts',
		'read src/a.ts\nand src/b.ts',
		'read src/*.ts',
		'read src/a.ts:10',
		'read src/',
		'read it',
		'show ...',
		'show me the tests',
		'see https://example.com/a.txt',
		'disable the linter',
		'run the tests',
		'run the capability greet with my name',
		'show me the skill of this code',
		'stop it',
		'remember the file I showed you?',
		'Remember: we use tabs. Reformat a.ts',
		'Remember: fix the CI',
		'Remember to fix the CI',
		'Remember: we should fix the CI',
		'Note that the build fails on Windows',
		'Merke dir, dass du die CI reparieren sollst',
		'What do you remember about the API, and fix it',
		'Remember that the tests need node 22 and fix the CI',
		'Remember that the tests need node 22, fix the CI',
		'Remember that we use tabs; reformat a.ts',
		'Remember that we use tabs - reformat a.ts',
		'Remember that we use tabs then reformat a.ts',
		'Remember that we use tabs (and reformat a.ts)',
		'Note: the API returns 204, not 200. Fix the client accordingly',
		'Merke dir: wir benutzen Tabs. Formatiere src/index.ts',
		'Merk dir, dass wir Tabs benutzen und formatiere src/index.ts',
		'Merk dir, dass wir Tabs benutzen, formatiere dann src/index.ts',
		'what do you know about the payment flow?',
		'What do you know of React?',
		'Was weißt du über den Bezahlvorgang?',
		'use the model of the database',
		'lies src/a.ts und korrigiere es',
		'was ist ein Skill?',
		'wie spät ist es in Tokio?',
		'help',
		'?',
		'why does read src/a.ts fail?',
		'hello world in rust',
		'Hello\nsecond line',
		'hi, fix src/a.ts',
		'thanks, now run the tests',
		'what time is it in Tokyo?',
		'what time complexity is it?',
		'what is the date format in src/a.ts?',
		'which models are there in src/models?',
		'list models of the database',
		'list the schedules of the cron module',
		'what is the next run of the loop in src/a.ts, and why?',
		'pause the scheduler of the app',
		'can I pause the schedule?',
		'pausiere den Scheduler',
		'halte den Zeitplan ein',
		`read ${'a/'.repeat(300)}b.ts`,
	]) {
		it(`leaves ${JSON.stringify(text.slice(0, 50))} to the model`, () => {
			assert.equal(findFastPath(text, later)?.path.name, undefined);
		});
	}

	it('goes on after a fast path whose match throws', () => {
		const broken: FastPath = {
			name: 'vague',
			openings: greetingFastPath.openings,
			match: () => {
				throw new Error('no');
			},
			run: async () => {},
		};
		assert.equal(findFastPath('hello', later, [broken]), undefined);
		assert.equal(findFastPath('hello', later, [broken, greetingFastPath])?.path, greetingFastPath);
	});

	for (const [name, ...prompts] of [
		['greeting', 'hello', '  Hi there!', 'Thanks.', 'Guten Morgen', 'Danke schön!'],
		['vague', 'help', '???', '🙂', 'Hilf mir bitte nicht'.slice(0, 8), 'hmm'],
		['date-time', 'What time is it?', 'what’s the date today?', 'Wie spät ist es?', 'Welcher Tag ist heute?'],
		['capability-list', 'list your skills', 'Which capabilities are there?', 'Welche Fähigkeiten gibt es?'],
		['capability-show', 'show the skill greet', 'what is the skill power/greet?', 'Zeig mir die Fähigkeit greet'],
		['capability-switch', 'disable the skill greet', 'Aktiviere die Fähigkeit greet', 'AKTIVIERE DIE FÄHIGKEIT greet'],
		['capability-run', '/greet', '/skill/greet', 'run the skill greet', 'Starte die Fähigkeit greet'],
		['running', 'what is running?', 'Was läuft gerade?'],
		['stop-run', 'stop the run', 'cancel cap_0190', 'Beende die Ausführung', 'brich den Lauf ab'],
		[
			'models',
			'Which models are there?',
			'list models',
			'switch to gpt-x',
			'Welche Modelle gibt es?',
			'nimm das Modell local/a',
		],
		[
			'memory-add',
			'Remember that we use pnpm',
			'remember that we use tabs',
			'Note: the API returns 204.',
			'Merk dir, dass wir pnpm nutzen',
			'Merke dir: wir benutzen Tabs.',
		],
		['memory-list', 'What do you remember about pnpm?', 'Was hast du dir über pnpm gemerkt?'],
		[
			'schedule-list',
			'list schedules',
			'Show me my reminders',
			'Welche Zeitpläne gibt es?',
			'when is the next scheduled run?',
			'When does the schedule weekly report run next?',
			'Wann läuft der nächste Zeitplan?',
			'Wann läuft der Zeitplan Bericht das nächste Mal?',
		],
		[
			'schedule-pause',
			'pause the schedule',
			'Pause the schedule "weekly report".',
			'resume my reminder sch_0190',
			'Pausiere den Zeitplan Bericht',
			'Setze den Zeitplan Bericht fort',
			'halte den Zeitplan an',
		],
		[
			'read',
			'read src/a.ts',
			'Show me the file README.md.',
			'read package.json',
			'show src/index.ts',
			'lies src/a.ts',
			'öffne die Datei .gitignore',
			'zeig mir package.json',
			'open https://example.com/a',
		],
	] as const) {
		for (const text of prompts) {
			it(`answers ${JSON.stringify(text)} by ${name}`, () => {
				assert.equal(findFastPath(text, first)?.path.name, name);
			});
		}
	}

	it('has the fifteen that the settings name, each once', () => {
		assert.deepEqual(fastPaths.map(({ name }) => name).toSorted(), [...FAST_PATH_NAMES].toSorted());
	});

	it('finds what a prompt names', () => {
		const matched = (text: string) => findFastPath(text, later)?.match;
		assert.deepEqual(matched('open "my notes.txt"'), { language: 'en', path: 'my notes.txt' });
		assert.deepEqual(matched('zeig mir die Datei src/a.ts.'), { language: 'de', path: 'src/a.ts' });
		assert.deepEqual(matched('read https://example.com/a?b=c'), { language: 'en', url: 'https://example.com/a?b=c' });
		assert.deepEqual(matched('stop the run cap_01'), { language: 'en', executionId: 'cap_01' });
		assert.deepEqual(matched('Setze den Zeitplan „Bericht“ fort.'), {
			wish: { isPaused: false, name: 'Bericht' },
			language: 'de',
		});
		assert.deepEqual(matched('pause the schedule'), { wish: { isPaused: true, name: undefined }, language: 'en' });
		assert.deepEqual(matched('switch the model to local/qwen3:8b'), { language: 'en', wanted: 'local/qwen3:8b' });
	});
});

/** A Thursday. */
const now = new Date(2026, 10, 26, 19, 30);

describe('The choice of a strategy', () => {
	it('answers directly when a heuristic throws', () => {
		const broken = () => {
			throw new Error('no');
		};
		assert.equal(chooseStrategy('every day at 9 list the issues', [['SCRIPT', broken]]), 'DIRECT_RESPONSE');
	});

	it('takes the first in the order that fits', () => {
		const text = 'Every day at 9 review all files in logs with a sub-agent';
		assert.equal(chooseStrategy(text), 'SCHEDULED_TASK');
		assert.equal(chooseStrategy(text.replace('Every day at 9 review', 'Review')), 'SUB_AGENT');
	});

	it('offers a goal for at least three steps in an order, also where one of them is for many things', () => {
		for (const text of [
			'first add a column for the price, then fill it for all rows, and finally write the tests',
			'Zuerst eine Spalte anlegen, dann alle Zeilen aktualisieren und zum Schluss die Tests schreiben',
		]) {
			assert.deepEqual([chooseStrategy(text), mayPlan(text)], ['DIRECT_RESPONSE', true], text);
		}
		for (const text of [
			'first add a column for the price, then fill it for all rows',
			'Zuerst eine Spalte anlegen, dann alle Zeilen aktualisieren',
			'First I add a column, then I fill it, and finally the tests fail',
		]) {
			assert.deepEqual([chooseStrategy(text), mayPlan(text)], ['DIRECT_RESPONSE', false], text);
		}
	});

	it('does not look into code', () => {
		assert.equal(
			chooseStrategy('What is wrong here?\n```\n1. every day at 9\n2. then\n3. finally\n```'),
			'DIRECT_RESPONSE',
		);
		assert.equal(chooseStrategy('Fix the text `every day at 9, remind me` please'), 'DIRECT_RESPONSE');
	});

	it('comes to an end for hostile texts', () => {
		for (const text of ['every '.repeat(30_000), 'a'.repeat(120_000), '1. '.repeat(40_000), '`'.repeat(120_000)]) {
			assert.notEqual(chooseStrategy(text), '', text.slice(0, 10));
			assert.equal(mayPlan(text), false, text.slice(0, 10));
		}
	});

	for (const [message, expected] of [
		['Remind me tomorrow at 9am to call Ann.', { when: 'tomorrow at 9am', text: 'call Ann', kind: 'reminder' }],
		['Erinnere mich in 20 Minuten an den Build', { when: 'in 20 Minuten', text: 'den Build', kind: 'reminder' }],
		['please remind me to stretch every 2 hours', { when: 'every 2 hours', text: 'stretch', kind: 'reminder' }],
		['Every weekday at 9, list open issues', { when: 'Every weekday at 9', text: 'list open issues', kind: 'prompt' }],
		['Remind me of it', undefined],
		['Every now and then look at it', undefined],
	] as const) {
		it(`reads when and what in ${JSON.stringify(message)}`, () => {
			assert.deepEqual(readSchedule(message, now), expected);
		});
	}
});
