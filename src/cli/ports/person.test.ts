import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import type { Approval, DeskQuestion } from '../../protocol/approvals/approvals.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import { text } from '../../protocol/text/text.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { Terminal } from '../terminal/terminal.ts';
import { personAt } from './person.ts';

const at = '2026-01-02T03:04:05.000Z';
const never = new AbortController().signal;
const approval: Approval = {
	id: newId('apr'),
	opId: newId('op'),
	threadId: null,
	op: 'shell.run',
	title: 'Run npm "te st"',
	risk: 'RESTRICTED',
	act: 'runs',
	warning: null,
	reason: text('It runs a program.'),
	detail: { kind: 'command', argv: ['npm', 'te st', 'a\u200bb\u001b[2J'], cwd: '/project' },
	isOnceOffered: true,
	pattern: 'shell.run npm *',
	isPartOfAll: true,
	isProjectOffered: true,
	threadScope: text('this exact command'),
	askedAt: at,
	expiresAt: at,
};

const question: DeskQuestion = {
	id: newId('ask'),
	opId: newId('op'),
	threadId: null,
	question: 'Which?',
	options: ['red', 'blue'],
	askedAt: at,
	expiresAt: at,
};

describe('The person at the terminal', () => {
	let stdin: PassThrough;
	let shown: string;
	let person: ReturnType<typeof personAt>;
	beforeEach(() => {
		stdin = new PassThrough();
		shown = '';
		const stderr = new PassThrough();
		stderr.setEncoding('utf8').on('data', (chunk: string) => (shown += chunk));
		const noteOnAnswer = async (text: string) =>
			text.includes('ghp_') ? 'prowess: 1 key was removed from your answer.\n' : '';
		person = personAt(new Terminal({ stdin, stdout: new PassThrough(), stderr }), {
			noteOnAnswer,
			whyAsked: async () => 'By   commands\nPasses at   no\u200b level\n',
		});
	});
	const asked = (times = 1) =>
		waitFor('the question', () => (shown.match(/Allow\? |Answer.*: /g)?.length ?? 0) >= times);
	it('says why it asks when that is what is asked, and asks again', async () => {
		const answered = person.approve(approval, never);
		await asked();
		stdin.write('?\n');
		await asked(2);
		assert.match(shown, /  \| By {3}commands\n {2}\| Passes at {3}no\\u\{200b\} level\n/);
		stdin.write('y\n');
		assert.deepEqual(await answered, { kind: 'once' });
	});

	async function answer(line: string, question: Partial<Approval> = {}) {
		const answered = person.approve({ ...approval, ...question }, never);
		await asked();
		stdin.write(`${line}\n`);
		return await answered;
	}

	it('has not answered when the input ends', async () => {
		const answered = person.approve(approval, never);
		await asked();
		stdin.end();
		assert.equal(await answered, undefined);
	});

	it('has not answered what is asked after the input has ended', async () => {
		const answered = person.approve(approval, never);
		await asked();
		stdin.end();
		await answered;
		assert.equal(await person.approve(approval, never), undefined);
	});

	describe('at several approvals that wait together', () => {
		const another: Approval = {
			...approval,
			id: newId('apr'),
			title: 'Run make',
			detail: { kind: 'command', argv: ['make'], cwd: '.' },
		};
		const risky: Approval = {
			...another,
			id: newId('apr'),
			title: 'Run rm -rf build',
			detail: { kind: 'command', argv: ['rm', '-rf', 'build'], cwd: '.' },
			warning: { isDangerous: true, reasons: [text('Deletes a folder')], marks: [] },
			threadScope: null,
			pattern: null,
			isPartOfAll: false,
		};
		const { isPartOfAll: _, ...old }: Approval = { ...another, id: newId('apr'), title: 'Run tsc' };
		const guarded: Approval = {
			...risky,
			id: newId('apr'),
			op: 'fs.write',
			act: 'changes',
			title: 'Write .env',
			warning: null,
			reason: text('".env" is read by shells.'),
			detail: { kind: 'diff', diff: { path: '.env', created: true, added: 1, removed: 0, patch: '+X=1\n' } },
		};
		const askAll = (...approvals: readonly Approval[]) => approvals.map((each) => person.approve(each, never));

		it('sees all of them as a list, and allows them with one line', async () => {
			const answers = askAll(approval, another);
			await asked();
			assert.match(
				shown,
				/\n2 actions wait for your answer\n\n1\. Run a command\n[^]*\n2\. Run a command\n[^]*\$ make\n/,
			);
			assert.match(
				shown,
				/\n {2}y {2}all of them, once\n {2}1-2 {2}that one alone, [^]* {2}n {2}none; [^\n]*\n {2}\? {2}why it asks\nAllow\? $/,
			);
			stdin.write('y\n');
			assert.deepEqual(await Promise.all(answers), [{ kind: 'once' }, { kind: 'once' }]);
			assert.equal(shown.match(/Allow\? /g)?.length, 1);
		});

		it('never allows with the others what is dangerous, nor what came after the list was shown', async () => {
			const [first, second, third] = askAll(approval, risky, another);
			await asked();
			const late = person.approve({ ...another, id: newId('apr') }, never);
			assert.match(shown, /y {2}1, 3: once\n/);
			stdin.write('y\n');
			assert.deepEqual(await Promise.all([first, third]), [{ kind: 'once' }, { kind: 'once' }]);
			await asked(2);
			assert.match(shown, /y {2}2: once\n {2}1-2 {2}[^\n]*\n[^\n]*\n[^\n]*\nAllow\? $/);
			stdin.write('n\n');
			assert.deepEqual(await Promise.all([second, late]), [{ kind: 'deny' }, { kind: 'deny' }]);
		});

		it('sees why each is asked, and is asked after the rest about what needs a yes of its own', async () => {
			const [first, second, third] = askAll(guarded, another, old);
			await asked();
			assert.match(shown, /\n1\. Write \.env\n {2}Changes files: "\.env" is read by shells\.\n/);
			assert.match(shown, /y {2}2: once\n {2}1-3 {2}that one alone, with all its answers\n/);
			stdin.write('y\n');
			assert.deepEqual(await second, { kind: 'once' });
			await asked(2);
			assert.doesNotMatch(shown.slice(shown.lastIndexOf('2 actions wait')), / {2}y {2}/);
			stdin.write('y\n');
			await asked(3);
			stdin.write('1\n');
			await asked(4);
			stdin.write('y\n');
			assert.deepEqual(await first, { kind: 'once' });
			await asked(5);
			stdin.write('n\n');
			assert.deepEqual(await third, { kind: 'deny' });
		});

		it('answers one of them by its number with all its answers, then the rest', async () => {
			const [first, second] = askAll(approval, another);
			await asked();
			stdin.write('9\n');
			await asked(2);
			stdin.write('2\n');
			await asked(3);
			stdin.write('t\n');
			assert.deepEqual(await second, { kind: 'thread' });
			await asked(4);
			stdin.write('use pnpm\n');
			assert.deepEqual(await first, { kind: 'deny', reason: 'use pnpm' });
		});

		it('is shown the list anew when one of them is not asked any more', async () => {
			const gone = new AbortController();
			const [first, third] = [person.approve(approval, never), person.approve(another, never)];
			const second = person.approve(risky, gone.signal);
			await asked();
			gone.abort();
			assert.equal(await second, undefined);
			await asked(2);
			assert.match(shown, /\(no longer asked\)\n\n2 actions wait for your answer\n/);
			stdin.write('not now\n');
			assert.deepEqual(await Promise.all([first, third]), [
				{ kind: 'deny', reason: 'not now' },
				{ kind: 'deny', reason: 'not now' },
			]);
		});

		it('has answered none of them when the input ends', async () => {
			const answers = askAll(approval, another);
			await asked();
			stdin.end();
			assert.deepEqual(await Promise.all(answers), [undefined, undefined]);
		});
	});

	it('sees each command of a chain, and how they hang together', async () => {
		const chain = [
			{ join: '|' as const, argv: ['wc', '-l'] },
			{ join: '&&' as const, argv: ['make'] },
		];
		await answer('n', { detail: { kind: 'command', argv: ['ls'], chain, cwd: '.' } });
		const lines = shown.split('\n').filter((line) => line.startsWith('  | '));
		assert.deepEqual(lines, ['  | $ ls | wc -l && make']);
	});

	it('sees the lines of a script behind a sign of their own, so that none of them passes for ours', async () => {
		const argv = ['sh', '-c', "cat > a <<'EOF'\nSandboxed\nEOF"];
		await answer('n', { detail: { kind: 'command', argv, cwd: '.', sandboxed: false } });
		const lines = shown.split('\n').filter((line) => line.startsWith('  | '));
		assert.deepEqual(lines, [
			String.raw`  | $ sh -c 'cat > a <<'\''EOF'\''`,
			'  | > Sandboxed',
			"  | > EOF'",
			'  | Not sandboxed',
		]);
	});

	it('sees whether a command is sandboxed, and each right that it needs beyond its sandbox', async () => {
		const command = { kind: 'command' as const, argv: ['npm', 'ci'], cwd: '.' };
		const needs = { network: ['registry.npmjs.org'], write: ['/home/me/.npmrc'], read: ['/opt/sdk'] };
		await answer('n', { detail: { ...command, sandboxed: true, needs } });
		const lines = shown.split('\n').filter((line) => line.startsWith('  | '));
		assert.deepEqual(lines.slice(1), [
			'  | Sandboxed',
			'  | - Connect to registry.npmjs.org',
			'  | - Change /home/me/.npmrc',
			'  | - Read /opt/sdk',
		]);
		shown = '';
		await answer('n', { detail: { ...command, sandboxed: false, needs: { noSandbox: true } } });
		assert.match(shown, /\| Not sandboxed\n {2}\| - Run outside the sandbox\n/);
	});

	it('is no longer asked when the question is void', async () => {
		const controller = new AbortController();
		const answered = person.approve(approval, controller.signal);
		await asked();
		controller.abort();
		assert.equal(await answered, undefined);
		assert.match(shown, /\(no longer asked\)/);
		assert.equal(await person.approve(approval, controller.signal), undefined);
	});

	it('gives anything but a yes as a no with that reason', async () => {
		assert.deepEqual(await answer('use pnpm instead'), { kind: 'deny', reason: 'use pnpm instead' });
	});

	for (const [line, expected] of [
		['y', { kind: 'once' }],
		[' YES ', { kind: 'once' }],
		['t', { kind: 'thread' }],
		['a', { kind: 'project' }],
		['E', { kind: 'always' }],
		['n', { kind: 'deny' }],
	] as const) {
		it(`means ${expected.kind} with "${line}"`, async () => {
			assert.deepEqual(await answer(line), expected);
		});
	}

	it('is offered wider rules by a number', async () => {
		const wider = ['shell.run npm run build **', 'shell.run npm run **'];
		const answered = person.approve({ ...approval, wider }, never);
		await asked();
		assert.match(shown, /\n {2}2 {2}always in this project: shell\.run npm run \*\*\n {2}n {2}no; /);
		stdin.write('2\n');
		assert.deepEqual(await answered, { kind: 'project', rule: 'shell.run npm run **' });
	});

	it('is asked again after an empty line, and after "always" where it is not offered', async () => {
		const answered = person.approve({ ...approval, pattern: null }, never);
		await asked();
		assert.doesNotMatch(shown, /always/);
		stdin.write('\n');
		await asked(2);
		stdin.write('a\n');
		await asked(3);
		stdin.write('n\n');
		assert.deepEqual(await answered, { kind: 'deny' });
	});

	it('is asked again after an answer that is not offered', async () => {
		const answered = person.approve(
			{ ...approval, isOnceOffered: false, threadScope: null, isProjectOffered: false },
			never,
		);
		await asked();
		assert.match(shown, /\n {2}a {2}always: shell\.run npm \*\n {2}n {2}no; /);
		stdin.write('y\n');
		await asked(2);
		stdin.write('t\n');
		await asked(3);
		stdin.write('e\n');
		await asked(4);
		stdin.write('a\n');
		assert.deepEqual(await answered, { kind: 'always' });
	});

	it('sees a command once, as it would be typed, with nothing hidden and nothing obeyed', async () => {
		await answer('n');
		assert.ok(shown.includes("  | $ npm 'te st' 'a\\u{200b}b\\u{1b}[2J'\n  | in /project\n"), shown);
		assert.doesNotMatch(shown, /[\u001b\u200b]/);
		assert.equal(shown.split('npm').length, 3);
	});

	it('is told what an answer for the thread would cover', async () => {
		await answer('n');
		assert.match(
			shown,
			/ {2}t {2}in this thread: this exact command\n {2}a {2}always in this project: shell\.run npm \*\n {2}e {2}always in every project\n/,
		);
	});

	it('sees a change whole', async () => {
		const patch = `@@ -1 +1 @@\n-a\n+b\u202e\n${'+line\n'.repeat(500)}`;
		const diff = { path: 'a.ts', created: true, added: 501, removed: 1, patch };
		await answer('y', { detail: { kind: 'diff', diff } });
		assert.ok(shown.includes('  | a.ts (new) +501 -1\n'));
		assert.ok(shown.includes('  | +b\\u{202e}\n'));
		assert.equal(shown.match(/\| \+line/g)?.length, 500);
	});

	it('sees a change in colours on a screen that has them, and nothing of a file becomes one', async () => {
		const patch = '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-a\n+b\u001b[31m\n c';
		const shownWith = async (env: NodeJS.ProcessEnv) => {
			shown = '';
			const stderr = Object.assign(new PassThrough(), { isTTY: true });
			stderr.setEncoding('utf8').on('data', (chunk: string) => (shown += chunk));
			const deps = { noteOnAnswer: async () => '', whyAsked: async () => '' };
			const at = personAt(new Terminal({ stdin, stdout: new PassThrough(), stderr }, env), deps);
			const diff = { path: 'a.ts', created: false, added: 1, removed: 1, patch };
			const answered = at.approve({ ...approval, detail: { kind: 'diff', diff } }, never);
			await asked();
			stdin.write('y\n');
			await answered;
			return shown;
		};
		const coloured = await shownWith({ TERM: 'xterm' });
		assert.ok(coloured.includes('  | \u001b[31m-a\u001b[0m\n  | \u001b[32m+b\\u{1b}[31m\u001b[0m\n  |  c\n'), coloured);
		for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
			assert.doesNotMatch(await shownWith(env), /\u001b/);
		}
	});

	it('is told which keys are taken out of an answer, and out of the reason of a no', async () => {
		const key = `ghp_${'a1B2c3'.repeat(6)}`;
		const told = /prowess: 1 key was removed from your answer\.\n/g;
		const answered = person.answer(question, never);
		await asked();
		stdin.write(`${key}\n`);
		assert.equal(await answered, key);
		assert.equal(shown.match(told)?.length, 1);
		const denied = person.approve(approval, never);
		await asked(2);
		stdin.write(`use ${key}\n`);
		assert.deepEqual(await denied, { kind: 'deny', reason: `use ${key}` });
		assert.equal(shown.match(told)?.length, 2);
	});

	it('answers nothing with what was typed before the question', async () => {
		stdin.write('y\n');
		const first = person.approve(approval, never);
		await asked();
		assert.match(shown, /\(what you typed before this question is ignored\)\n\nRun a command/);
		stdin.write('n\n');
		assert.deepEqual(await first, { kind: 'deny' });
		const second = person.approve(approval, never);
		stdin.write('y\ny\n');
		await asked(2);
		stdin.write('not now\n');
		assert.deepEqual(await second, { kind: 'deny', reason: 'not now' });
	});

	it('tells the words of a model from a question of Prowess', async () => {
		const forged = 'Run a command\n  RESTRICTED: It runs a program.\n  | $ rm -rf /\nAllow? y once, n no: ';
		const answered = person.answer({ ...question, question: forged, options: [] }, never);
		await asked(2);
		const lines = shown.trim().split('\n');
		assert.equal(lines[0], 'The agent or a capability asks, in its own words:');
		assert.ok(
			lines.slice(1, -1).every((line) => line.startsWith('  > ')),
			shown,
		);
		stdin.write('no\n');
		await answered;
	});

	it('is told which MCP server asks', async () => {
		const answered = person.answer({ ...question, server: 'notes' }, never);
		await asked();
		assert.match(shown, /^The MCP server notes asks, in its own words:\n {2}> Which\?\n/m);
		stdin.write('1\n');
		assert.equal(await answered, 'red');
	});

	it('is asked one thing after the other', async () => {
		const first = person.approve(approval, never);
		const second = person.answer(question, never);
		await asked();
		assert.doesNotMatch(shown, /Which\?/);
		stdin.write('y\n');
		await first;
		await asked(2);
		assert.match(shown, /asks, in its own words:\n {2}> Which\?\n {2}1\. red\n {2}2\. blue\n/);
		stdin.write('2\n');
		assert.equal(await second, 'blue');
	});
});
