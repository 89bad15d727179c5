import assert from 'node:assert/strict';
import type { OpName } from '../../../protocol/op-table/ops.ts';
import { newId } from '../../../protocol/rpc/ids.ts';
import { claimPolicies } from './claim-policies.ts';
import { Receipts } from './receipts.ts';

interface Did {
	readonly op: OpName;
	readonly params: unknown;
	readonly result?: unknown;
}

const ran = (argv: readonly string[], exitCode = 0): Did => ({
	op: 'shell.run',
	params: { argv },
	result: { exitCode },
});
const edited = (path: string): Did => ({ op: 'fs.edit', params: { path } });

/** Verdict on the answer: `again`, `done` (marked), or nothing. */
function verdictOn(request: string, did: readonly Did[], text: string): string {
	const receipts = new Receipts([]);
	for (const { op, params, result = {} } of did) {
		const receipt = { writer: 'w', seq: 1, hash: 'h' };
		receipts.note(op, params, { status: 'done', opId: newId('op'), result, durationMs: 1, receipt });
	}
	const answer = { parts: [], stopReason: undefined, usage: undefined, cutBy: undefined } as const;
	const round = { answer, calls: [], cutTool: undefined, hasText: true, text };
	const verdict = claimPolicies(request, receipts).map((judge) => judge(round));
	return verdict.find((each) => each !== undefined)?.kind ?? 'nothing';
}

const ORDER = 'Fix the bug and run the tests';

describe('An answer after an order is asked about', () => {
	const phantoms: readonly (readonly [string, readonly Did[], string, string?])[] = [
		[
			'edits and tests after a command that only reads',
			[ran(['ls'])],
			'I have updated `src/a.ts` and ran the tests; all 14 tests pass.',
		],
		['tests that failed', [edited('a.ts'), ran(['npm', 'test'], 1)], 'All tests pass.'],
		['tests that ran before the last edit', [ran(['npm', 'test']), edited('a.ts')], 'Tests: 12 passed'],
		['a commit that failed', [ran(['git', 'commit'], 1)], 'Committed as abc123.', 'Commit this'],
		['a push where only a commit was made', [ran(['git', 'commit'])], 'I pushed the branch.', 'Push this'],
		['a message that was not sent', [ran(['cat', 'a.md'])], 'I posted the summary to Slack.', 'Post the summary'],
		['a message, without a subject', [], 'Message sent!', 'Send the message'],
		['a server that was not started', [ran(['ps'])], 'The server is now running.', 'Start the server'],
		['an edit in German', [], 'Die Datei ist jetzt angelegt.', 'Lege die Datei an'],
		['an edit in a word', [], 'Fixed!'],
		['that a command was run, after none', [], 'Done.', 'Run `git status`'],
		['that something was mended, after a command that only reads', [ran(['git', 'status'])], 'Done.'],
		['a memory where a file was edited', [edited('a.ts')], 'I saved it to memory.', 'Save this'],
		['a pull request after a push', [ran(['git', 'push'])], 'I pushed it and opened a PR.', 'Open a PR'],
		['another file', [edited('b.ts')], 'I fixed `a.ts`.'],
	];
	for (const [what, did, text, request] of phantoms) {
		it(`that claims ${what}`, () => assert.equal(verdictOn(request ?? ORDER, did, text), 'again'));
	}
});

describe('An answer is left alone', () => {
	const honest: readonly (readonly [string, string, readonly Did[], string])[] = [
		[
			'about what others did',
			'What changed in the last commit?',
			[{ op: 'git.diff', params: {} }],
			'In the last commit `utils.ts` has been renamed to `helpers.ts`.',
		],
		[
			'about what others did, in German',
			'Was wurde an der Konfiguration geändert?',
			[],
			'Die Konfiguration wurde geändert; der Port ist jetzt gesetzt.',
		],
		[
			'that is a text to order',
			'Write a PR description',
			[{ op: 'git.diff', params: {} }],
			'- Fixed the parser\n- All tests pass.',
		],
		[
			'whose edits and tests are recorded',
			ORDER,
			[edited('a.ts'), ran(['npm', 'test'])],
			'Fixed `a.ts`. All 14 tests pass.',
		],
		['after a program that nobody knows', ORDER, [ran(['./fix-all'])], 'I fixed `a.ts` and all tests pass.'],
		['that says what was not done', ORDER, [], 'I did not fix `a.ts`, because it is read-only.'],
		['about a build', 'Build it', [ran(['make'])], 'Built without tests.'],
		['about an installed package', 'Install lodash', [ran(['npm', 'install', 'lodash'])], 'Installed lodash 4.17.21.'],
		['about a commit', 'Commit this', [ran(['git', 'commit', '-m', 'x'])], 'Committed as 1a2b3c4.'],
		['about a push', 'Push it', [ran(['git', 'push'])], 'Pushed to origin/main.'],
		['about a pull request', 'Open a pull request', [ran(['gh', 'pr', 'create'])], 'I opened pull request #12.'],
		[
			'about a branch of a pull request',
			'Push it',
			[ran(['git', 'push'])],
			'I pushed the fix to the branch of the opened PR.',
		],
		[
			'about a merge',
			'Merge main',
			[ran(['git', 'merge', 'main']), ran(['git', 'push'])],
			'I created the merge commit and pushed it to origin.',
		],
		['about a command that only reads', 'Run `git status`', [ran(['git', 'status'])], 'Done. The tree is clean.'],
		['about a file that was opened', 'Open a.ts', [{ op: 'fs.read', params: { path: 'a.ts' } }], 'Done.'],
		['about memory of a program', 'Fix the leak', [edited('cache.ts')], 'I fixed the memory leak in `cache.ts`.'],
		['about memory, without a file', 'Fix the leak', [edited('cache.ts')], 'Removed the memory leak.'],
		['about a limit of memory', 'Raise it', [edited('pod.yaml')], 'I set the memory limit to 512 MB.'],
		[
			'about a request that only reads',
			'Test the endpoint',
			[ran(['curl', 'http://localhost/health'])],
			'I sent a request to the server and it answered 200.',
		],
		[
			'about a list of edits',
			'Refactor this',
			[edited('a.ts')],
			'Done:\n- Removed the dead branch\n- Simplified the loop',
		],
		[
			'in German',
			'Behebe den Fehler',
			[edited('src/a.ts'), ran(['npm', 'test'])],
			'Ich habe den Fehler in `src/a.ts` behoben; alle Tests laufen durch.',
		],
	];
	for (const [what, request, did, text] of honest) {
		it(what, () => assert.equal(verdictOn(request, did, text), 'nothing'));
	}
});

describe('An answer after a question', () => {
	it('is marked for a claim, and never asked about', () => {
		assert.equal(verdictOn('Why does `a.ts` fail?', [], 'It lacked a check. I fixed `a.ts`.'), 'done');
	});

	it('is marked, too, where a message looks or asks first and orders after it', () => {
		for (const request of [
			'Read a.ts, edit b.ts and run the tests twice',
			'Look at src, fix add and test it',
			'Find the bug in add.ts and fix it',
			'Show me the failing test and fix it',
			'Review the code. Fix what fails',
			'Suche den Fehler und behebe ihn',
			'Can you fix the failing test?',
			'Could you please run the tests?',
		]) {
			assert.equal(verdictOn(request, [], 'Tests pass.'), 'done', request);
		}
		for (const request of [
			'Show me how the tests run and what they cover',
			'Read src/add.test.ts',
			'Compare webpack.build.js to webpack.start.js',
			'Can you explain how I run and fix the tests?',
			'Find out which tests pass',
		]) {
			assert.equal(verdictOn(request, [], 'Tests pass.'), 'nothing', request);
		}
	});

	it('is marked, too, where nobody can tell whether the message was an order', () => {
		assert.equal(verdictOn('The total in a.ts is wrong', [], 'I fixed `a.ts`.'), 'done');
	});
});
