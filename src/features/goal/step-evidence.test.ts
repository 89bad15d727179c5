import assert from 'node:assert/strict';
import { inEnglish } from '../../protocol/text/text.ts';
import { findLackingEvidence, type RecordedOp } from './step-evidence.ts';

const ran = (line: string, output = '[exit code 0]'): RecordedOp => ({
	op: 'shell.run',
	input: `Run ${line}`,
	output,
	status: 'done',
});
const lackOf = (step: string, ...rows: RecordedOp[]) => {
	const lack = findLackingEvidence(step, rows);
	return lack === undefined ? undefined : inEnglish(lack);
};
const read = { op: 'fs.read', input: 'Read a.txt', output: null, status: 'done' } as const;
const NO_FILE = 'No change of a file is recorded.';
const NO_TEST = 'No test run is recorded.';
const NO_COMMIT = 'No commit is recorded.';

describe('Evidence of a step', () => {
	it('is missing for files, tests and commits that nothing recorded shows', () => {
		for (const [step, rows, lack] of [
			['Write g1.txt', [], NO_FILE],
			['Create a new file `src/a.test.ts` with one test', [ran('ls'), { ...read, input: 'Read README.md' }], NO_FILE],
			['Schreibe die Datei docs/liste.md', [{ ...read, op: 'fs.write', status: 'denied' }], NO_FILE],
			['Write "hello" into a.txt', [], NO_FILE],
			['Create notes.org', [], NO_FILE],
			['Write e.ts', [], NO_FILE],
			['Create www/index.html', [], NO_FILE],
			['Run all tests', [], NO_TEST],
			['Make sure all tests pass', [ran('ls test')], NO_TEST],
			['Führe alle Tests aus', [ran('grep test package.json')], NO_TEST],
			['Run the tests', [ran('git log --grep test')], NO_TEST],
			[
				'Run the tests',
				[ran('npm test'), ran('npm test', '[exit code 1] x')],
				'The last test run did not pass: npm test',
			],
			['Run the tests', [ran('npm test', '[ended by SIGKILL]')], 'The last test run did not pass: npm test'],
			[
				'Run the tests',
				[ran('npm test', '[still running as cmd_1; read more with shell_output]')],
				'The last test run did not pass: npm test',
			],
			[
				'Run the tests',
				[ran('npm test'), { op: 'fs.write', input: 'Write a.ts', output: null, status: 'done' }],
				'Files were changed after the last test run.',
			],
			['Fix it and commit it', [ran('git status')], NO_COMMIT],
			['Commit', [ran('git commit -m x', '[exit code 1]')], NO_COMMIT],
		] as const) {
			assert.equal(lackOf(step, ...rows), lack, step);
		}
	});

	it('is there where the last run passed, and not asked for by steps about something else', () => {
		for (const [step, rows] of [
			['Run all tests and fix what fails', [ran('npm test', '[exit code 1]'), ran('npm run test:unit')]],
			['Run the tests', [ran('npx tsc && npx vitest run', '[exit code 0: npx 0, npx 0]')]],
			['Run the tests', [ran('cargo test')]],
			[
				'Run the tests',
				[
					ran('npm test', '[still running as cmd_1; read more with shell_output]'),
					{ op: 'shell.output', input: 'Read output of cmd_1', output: '[exit code 0]', status: 'done' },
				],
			],
			['Commit the change', [ran('git add -A && git commit -m x', '[exit code 0: git 0, git 0]')]],
			['Write g1.txt', [{ ...read, op: 'fs.write', input: 'Write g1.txt' }]],
			['Write g1.txt', [ran('node make.js')]],
			['Create src/g1.txt', [{ ...read, input: 'Read src/g1.txt' }]],
			['Write a summary of README.md', []],
			['Write to the team at team@example.com', []],
			['Create v1.2 as a tag', []],
			['Write www.example.org a mail about the outage', []],
			['Create www.example.org/blog as a subscription', []],
			['Create e.g. a list of three names, and ask which', []],
			['Write i.e. say what you think', []],
			['Schreibe z.B. drei Vorschläge', []],
			['Erstelle u.a. eine Übersicht im Chat', []],
			['Convert the tests', []],
			['Say what the last commit changed', []],
			['Write tests for the parser', []],
		] as const) {
			assert.equal(lackOf(step, ...rows), undefined, step);
		}
	});
});
