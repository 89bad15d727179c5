/** The mode Plan on the command line: the real CLI, its server and a model over HTTP. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';
import { hasTerminals, Terminal } from './terminal.ts';

describe('prowess run --mode plan', function () {
	this.timeout(commandLimitMs);

	it('changes and runs nothing where nobody can approve a plan, at any level, also in a thread that goes on', async () => {
		const user = new User();
		const server = await startModelServer([
			{ toolCalls: [{ name: 'fs_write', input: { path: 'a.txt', content: 'x' } }] },
			{ toolCalls: [{ name: 'plan_write', input: { plan: '# Write a.txt' } }] },
			{ text: 'Nobody could approve the plan.' },
			{ toolCalls: [{ name: 'shell_run', input: { argv: ['touch', 'a.txt'] } }] },
			{ text: 'Still nobody.' },
		]);
		const first = await user.prompts(server.baseUrl, 'go', ['--approve', 'full', '--mode', 'plan', '--json']).ended;
		assert.equal(first.code, 0, first.stderr);
		const threadId = /"id":"(thr_[^"]+)"/.exec(first.stdout)?.[1] ?? '';
		const second = await user.prompts(server.baseUrl, 'go on', ['--approve', 'full', '--thread', threadId]).ended;
		await server.close();
		assert.equal(second.code, 0, second.stderr);
		assert.equal(existsSync(join(user.workspace, 'a.txt')), false);
		const answers = server.requests.flatMap(({ body }) => {
			const messages = body['messages'] as { readonly role: string; readonly content: string }[];
			return messages.at(-1)?.role === 'tool' ? [messages.at(-1)?.content ?? ''] : [];
		});
		assert.equal(answers.length, 3);
		assert.match(answers[0] ?? '', /not available in plan mode before the user has approved a plan/);
		assert.match(answers[1] ?? '', /^(?:DENIED|APPROVAL)/);
		assert.match(answers[2] ?? '', /not available in plan mode/);
	});
});

(hasTerminals ? describe : describe.skip)('a plan in a terminal', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer;
	const plan = '# Plan\n\n1. Write a.txt\n';
	beforeEach(async () => {
		user = new User();
		server = await startModelServer([{ toolCalls: [{ name: 'plan_write', input: { plan } }] }, { text: 'I begin.' }]);
	});
	afterEach(() => server.close());

	/** Answers each question by what stands before it, each once. */
	function plans(answers: readonly (readonly [shown: string, typed: string])[], editor: string | undefined): Terminal {
		const model = ['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'scripted'];
		const words = ['run', 'go', '--trust', ...model, '--mode', 'plan'];
		const left = [...answers];
		const env = editor === undefined ? {} : { EDITOR: editor };
		return new Terminal(
			user,
			words,
			(terminal) => {
				const next = left[0];
				if (next !== undefined && terminal.shown.endsWith(next[0])) {
					left.shift();
					terminal.types(next[1]);
				}
			},
			env,
		);
	}
	const result = () => {
		const messages = server.requests.at(-1)?.body['messages'] as { readonly role: string; readonly content: string }[];
		return messages.at(-1)?.content ?? '';
	};

	it('is changed in the editor that EDITOR names, shown as it is then, and followed', async () => {
		const editor = join(user.root, 'my editor');
		writeFileSync(editor, '#!/bin/sh\n[ -t 0 ] && [ -t 1 ] && echo "2. Test it" >> "$2"\n');
		chmodSync(editor, 0o755);
		const terminal = plans(
			[
				['Allow? ', 'e\n'],
				['Allow? ', 'y\n'],
			],
			`"${editor}" --wait`,
		);
		assert.equal(await terminal.ended, 0, terminal.shown);
		assert.match(terminal.shown, /e {2}change it first/);
		assert.match(terminal.shown, /It would be:\n {2}\| # Plan\n {2}\| \n {2}\| 1\. Write a\.txt\n {2}\| 2\. Test it\n/);
		assert.match(result(), /2\. Test it/);
	});

	it('is typed anew where no editor is set, and stays as it was where the editor fails', async () => {
		const anew = plans(
			[
				['Allow? ', 'e\n'],
				['there.)\n', '# Mine\n\n1. Only look\n.\n'],
				['Allow? ', 'y\n'],
			],
			undefined,
		);
		assert.equal(await anew.ended, 0, anew.shown);
		assert.match(result(), /# Mine\n\n1\. Only look/);
		await server.close();
		server = await startModelServer([{ toolCalls: [{ name: 'plan_write', input: { plan } }] }, { text: 'I begin.' }]);
		const failing = plans(
			[
				['Allow? ', 'e\n'],
				['Allow? ', 'y\n'],
			],
			'false',
		);
		assert.equal(await failing.ended, 0, failing.shown);
		assert.match(failing.shown, /The editor could not be used, so it stays as it was: it ended with 1/);
		assert.doesNotMatch(result(), /Mine/);
	});
});
