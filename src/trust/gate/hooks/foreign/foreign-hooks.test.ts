import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { testHost } from '../../../../../test/support/host-ports.ts';
import { MemoryLedger } from '../../../../../test/support/memory-ledger.ts';
import { waitFor } from '../../../../../test/support/wait-for.ts';
import { newId, type ThreadId } from '../../../../protocol/rpc/ids.ts';
import { CommandSandbox } from '../../../../machine/sandbox/command-sandbox.ts';
import { ManagedRules } from '../../../../machine/organisation/managed-rules.ts';
import { commandEnvironment } from '../../../../machine/environment.ts';
import { Redactor } from '../../../record/redaction/redactor.ts';
import { ForeignHooks } from './foreign-hooks.ts';
import { meetsCondition } from './tool-words.ts';
import { hookFiles } from './hook-files.ts';

const never = new AbortController().signal;
const secret = 'canary-0123456789-canary';

describe('Hooks of other agents', function () {
	this.timeout(20_000);
	let host: ReturnType<typeof testHost>;
	let hooks: ForeignHooks;
	let ledger: MemoryLedger;
	const threadId: ThreadId = newId('thr');
	/** Questions that a model was asked, and its next answers. */
	const questions: string[] = [];
	const answers: string[] = [];
	const inProject = (name: string) => join(host.workspace, name);
	const write = (path: string, text: string | object) => {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, typeof text === 'string' ? text : JSON.stringify(text));
	};
	/** A line for the shell that runs a script of Node. */
	const node = (script: string) => `'${process.execPath}' -e '${script}'`;
	const claude = (event: string, command: string, more: object = {}, matcher?: string) => ({
		hooks: {
			[event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', command, ...more }] }],
		},
	});
	const use = async (content: object, name = '.claude/settings.json') => {
		write(inProject(name), content);
		await hooks.allow(inProject(name), never);
	};
	const call = (op = 'shell.run', params: unknown = { argv: ['git', 'push'] }) => ({
		opId: newId('op'),
		op,
		params,
		caller: { kind: 'agent', threadId, turnId: newId('trn') } as const,
	});
	const done = {
		status: 'done',
		opId: newId('op'),
		result: {},
		durationMs: 5,
		receipt: { writer: 'h', seq: 1, hash: '' },
	} as const;
	const states = async () => (await hooks.list()).files.map(({ state }) => state);

	beforeEach(() => {
		host = testHost();
		questions.length = 0;
		answers.length = 0;
		ledger = new MemoryLedger();
		const redactor = new Redactor();
		redactor.addSecret(secret);
		const { home } = host.ports.places;
		hooks = new ForeignHooks({
			ports: host.ports,
			redactor,
			ledger,
			sandbox: new CommandSandbox({ home, folders: () => [], bubblewrapCandidates: () => [] }),
			environment: commandEnvironment({ ...process.env, API_KEY: secret }, process.platform),
			async askModel({ prompt, threadId: of }) {
				questions.push(`${of}: ${prompt}`);
				return await Promise.resolve(answers.shift() ?? Promise.reject(new Error('no model is connected')));
			},
		});
	});
	afterEach(() => hooks.close());

	it('run in a sandbox or not at all where an organisation requires one', async () => {
		await use(claude('PreToolUse', node('require("fs").writeFileSync("ran", "")')));
		const rules = new ManagedRules({ organisation: 'Example', sandbox: 'required' }, '/etc/prowess/organisation.json');
		Object.assign(host.ports.settings, { organisation: rules });
		await hooks.before(call(), never).catch(() => undefined);
		assert.equal(existsSync(inProject('ran')), false);
		Object.assign(host.ports.settings, { organisation: undefined });
		await hooks.before(call(), never);
		assert.equal(existsSync(inProject('ran')), true);
	});

	for (const [what, command, more, says] of [
		['never ends', node('setInterval(() => {}, 999)'), { timeout: 0.3 }, /the hook .* took longer than|300/],
		['floods', node('for (;;) process.stdout.write("x".repeat(9999))'), {}, /more than 65536 bytes/],
	] as const) {
		it(`refuse a tool when one ${what}`, async () => {
			await use(claude('PreToolUse', command, more));
			await assert.rejects(hooks.before(call(), never), says);
		});
	}

	it('refuse nothing when one talks nonsense, fails or is missing, as it is with other agents', async () => {
		for (const command of [node('console.log("{ nonsense")'), 'exit 3', 'no-such-program']) {
			await use(claude('PreToolUse', command));
			assert.equal((await hooks.before(call(), never)).kind, 'continue');
		}
		assert.equal(host.log.filter((line) => line.includes('stops nothing')).length, 3);
	});

	it('run only after a yes, and not when what they run has changed since', async () => {
		const script = inProject('.claude/hooks/guard.sh');
		write(script, 'echo no >&2; exit 2');
		write(inProject('.claude/settings.json'), claude('PreToolUse', 'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh'));
		assert.deepEqual(await states(), ['not allowed']);
		assert.equal((await hooks.before(call(), never)).kind, 'continue');
		await hooks.allow(inProject('.claude/settings.json'), never);
		assert.equal((await hooks.before(call(), never)).kind, 'block');
		appendFileSync(script, '\n');
		assert.deepEqual([(await hooks.before(call(), never)).kind, await states()], ['continue', ['changed']]);
		await hooks.allow(inProject('.claude/settings.json'), never);
		assert.ok(await hooks.revoke(inProject('.claude/settings.json'), never));
		assert.deepEqual([(await hooks.before(call(), never)).kind, await states()], ['continue', ['not allowed']]);
	});

	for (const line of [
		'sh "$CLAUDE_PROJECT_DIR"/tools/guard.sh',
		'sh "$CLAUDE_PROJECT_DIR/tools/guard.sh"',
		"sh ${CLAUDE_PROJECT_DIR}/tools/'guard.sh'",
	]) {
		it(`do not run when a program has changed that a line names in quotes: ${line}`, async function () {
			if (process.platform === 'win32') this.skip();
			write(inProject('tools/guard.sh'), 'exit 2');
			await use(claude('PreToolUse', line));
			assert.equal((await hooks.before(call(), never)).kind, 'block');
			appendFileSync(inProject('tools/guard.sh'), '\n');
			assert.deepEqual([(await hooks.before(call(), never)).kind, await states()], ['continue', ['changed']]);
		});
	}

	it('may write a log without losing their yes, but not write what they run', async () => {
		const logging = 'echo a >> a.log; echo b 2>"$CLAUDE_PROJECT_DIR"/b.log';
		await use(claude('PreToolUse', `${logging}; exit 2`));
		for (let n = 0; n < 2; n += 1) assert.equal((await hooks.before(call(), never)).kind, 'block');
		assert.deepEqual([readFileSync(inProject('a.log'), 'utf8'), await states()], ['a\na\n', ['allowed']]);
		for (const running of ['echo exit 2 > run.sh; sh run.sh', 'echo "exit 2" > run.sh; sh > "$(sh run.sh)"']) {
			write(inProject('run.sh'), 'exit 3');
			await use(claude('PreToolUse', running));
			await hooks.before(call(), never);
			assert.deepEqual(await states(), ['changed']);
		}
	});

	it('read nothing of a workspace that is not trusted', async () => {
		write(inProject('.github/hooks/a.json'), { hooks: { PreToolUse: [{ type: 'command', command: 'exit 2' }] } });
		assert.deepEqual(await states(), ['not allowed']);
		const { workspace, ports } = testHost({ workspace: host.workspace, isTrusted: false });
		assert.equal(workspace, host.workspace);
		assert.deepEqual(hookFiles(ports.places, ports.workspace).files, []);
	});

	it('are told the tool as its own agent calls it, without secrets, and refuse with their reason', async () => {
		await use(claude('PreToolUse', 'cat > told.json; echo Only people push. >&2; exit 2', {}, 'Bash|Write'));
		const verdict = await hooks.before(call('shell.run', { argv: ['git', 'push', secret] }), never);
		assert.deepEqual([verdict.kind, verdict.kind === 'block' && verdict.reason], ['block', 'Only people push.']);
		const told = JSON.parse(readFileSync(inProject('told.json'), 'utf8')) as Record<string, unknown>;
		assert.deepEqual(
			[told['hook_event_name'], told['tool_name'], told['session_id'], told['cwd']],
			['PreToolUse', 'Bash', threadId, host.workspace],
		);
		assert.match(JSON.stringify(told['tool_input']), /git push/);
		assert.ok(!JSON.stringify(told).includes(secret));
		assert.equal((await hooks.before(call('fs.read', { path: 'a' }), never)).kind, 'continue');
	});

	for (const [what, answer, verdict] of [
		[
			'denies',
			{ hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no' } },
			{ kind: 'block', reason: 'no' },
		],
		[
			'denies, as Copilot has it',
			{ permissionDecision: 'deny', permissionDecisionReason: 'no' },
			{ kind: 'block', reason: 'no' },
		],
		['stops', { continue: false, stopReason: 'enough' }, { kind: 'block', reason: 'enough' }],
		[
			'wants another input',
			{ hookSpecificOutput: { updatedInput: { command: 'ls' } } },
			{ kind: 'block', reason: 'it wants another input than this: {"command":"ls"}' },
		],
		[
			'wants the user to be asked',
			{ hookSpecificOutput: { permissionDecision: 'ask', permissionDecisionReason: 'risky' } },
			{ kind: 'continue', ask: 'risky' },
		],
		['allows, which is nothing', { hookSpecificOutput: { permissionDecision: 'allow' } }, { kind: 'continue' }],
	] as const) {
		it(`are understood when one ${what}`, async () => {
			await use(
				{
					hooks: { preToolUse: [{ type: 'command', bash: `echo '${JSON.stringify(answer)}'`, powershell: 'exit 0' }] },
				},
				'.github/hooks/copilot.json',
			);
			const { asked, ...said } = await hooks.before(call(), never);
			assert.deepEqual(said, verdict);
			assert.deepEqual(asked, ['.github/hooks/copilot.json, PreToolUse (not sandboxed)']);
		});
	}

	it('leave a row in the ledger before each run, and one after it', async () => {
		await use(claude('PreToolUse', 'echo why >&2; exit 2'));
		await hooks.before(call(), never);
		assert.deepEqual(
			ledger.rows.map(({ op, kind, input, output }) => [op, kind, input, output]),
			[
				['hook.run', 'intent', 'PreToolUse: echo why >&2; exit 2', null],
				['hook.run', 'outcome', 'PreToolUse: echo why >&2; exit 2', 'refused: why'],
			],
		);
	});

	it('are told of the end of a tool, which waits for none of them', async () => {
		await use(claude('PostToolUse', 'cat > new && mv new after.json', {}, 'Edit'));
		void hooks.after(call('fs.edit', { path: 'src/a.ts', edits: [{ find: 'a', replace: 'b' }] }), done, never);
		void hooks.after(call('fs.read', { path: 'a' }), done, never);
		const text = await waitFor(
			'the hook',
			() => existsSync(inProject('after.json')) && readFileSync(inProject('after.json'), 'utf8'),
		);
		const { tool_input: input } = JSON.parse(text) as { readonly tool_input: object };
		assert.deepEqual(input, { file_path: inProject('src/a.ts'), old_string: 'a', new_string: 'b', replace_all: false });
	});

	it('tell the agent something with a message, once more when its thread begins, and can refuse it', async () => {
		await use({
			hooks: {
				SessionStart: [{ hooks: [{ type: 'command', command: 'echo The branch is main.' }] }],
				UserPromptSubmit: [
					{
						hooks: [
							{ type: 'command', command: `grep -q forbidden && { echo Not here. >&2; exit 2; }; echo ${secret}` },
						],
					},
				],
			},
		});
		const [start, more] = await hooks.prompted(threadId, 'Hello', never);
		assert.deepEqual(start, { by: '.claude/settings.json, SessionStart (not sandboxed)', text: 'The branch is main.' });
		assert.match(more?.by ?? '', /UserPromptSubmit/);
		assert.ok(more !== undefined && !more.text.includes(secret));
		assert.equal((await hooks.prompted(threadId, 'Again', never)).length, 1);
		await assert.rejects(hooks.prompted(threadId, 'forbidden', never), {
			code: 'DENIED_BY_RULE',
			message: /Not here\./,
		});
	});

	it('have the agent go on when it would rest, and let it where they fail or say that it may stop', async () => {
		const said = (isAgain: boolean) => hooks.resting(threadId, { isAgain, text: 'Done.' }, never);
		assert.equal(await said(false), undefined);
		await use(claude('Stop', `grep -q '"stop_hook_active":true' || { echo Run the tests, ${secret}. >&2; exit 2; }`));
		const reason = await said(false);
		assert.match(reason ?? '', /^Run the tests/);
		assert.ok(!reason?.includes(secret));
		assert.equal(await said(true), undefined);
		for (const command of [
			'echo \'{"continue":false,"stopReason":"enough"}\'',
			'exit 3',
			node('for (;;) process.stdout.write("x".repeat(9999))'),
		]) {
			await use(claude('Stop', command));
			assert.equal(await said(false), undefined, command);
		}
		await use(claude('Stop', 'echo \'{"decision":"block","reason":"Not yet."}\''));
		assert.equal(await said(false), 'Not yet.');
	});

	it('hear that older messages leave, and cannot keep them', async () => {
		await use(claude('PreCompact', 'cat > compact.json; exit 2'));
		await hooks.compacting(threadId, { trigger: 'manual', keep: 'the plan' }, never);
		const told = JSON.parse(readFileSync(inProject('compact.json'), 'utf8')) as Record<string, unknown>;
		assert.deepEqual([told['trigger'], told['custom_instructions']], ['manual', 'the plan']);
	});

	it('name what they hold and what is not run', async () => {
		write(inProject('.claude/settings.json'), { permissions: {} });
		write(inProject('.github/hooks/bad.json'), '{ "hooks": 5 }');
		write(inProject('.github/hooks/stop.json'), {
			hooks: {
				Notification: [{ type: 'command', command: 'true' }],
				PreToolUse: [
					{ type: 'http', url: 'x' },
					{ matcher: '(', hooks: [{ command: 'true' }] },
				],
			},
		});
		const { files } = await hooks.list();
		assert.deepEqual(
			files.map(({ state, problems }) => [state, problems.join('; ')]),
			[
				['unusable', 'hooks: expected an object or a list'],
				[
					'unusable',
					'hooks.Notification: hooks of this event are not run; hooks.PreToolUse.0: hooks of type "http" are not run; hooks.PreToolUse.1.hooks.0: the matcher "(" is no regular expression',
				],
			],
		);
		await assert.rejects(hooks.allow(inProject('.github/hooks/stop.json'), never), { code: 'NOT_FOUND' });
	});

	const readTold = (name: string) => JSON.parse(readFileSync(inProject(name), 'utf8')) as Record<string, unknown>;
	const isTold = (name: string) =>
		existsSync(inProject(name)) && readFileSync(inProject(name), 'utf8').trimEnd().endsWith('}');

	it('run on the events of Cursor, are told in its words, and are understood', async () => {
		const cursor = (event: string, command: string, more: object = {}) =>
			use({ version: 1, hooks: { [event]: [{ command, ...more }] } }, '.cursor/hooks.json');
		await cursor(
			'beforeShellExecution',
			'cat > shell.json; echo \'{"permission":"deny","agent_message":"No pushes."}\'',
			{
				matcher: 'push|pull',
			},
		);
		assert.deepEqual(await hooks.before(call(), never), {
			kind: 'block',
			reason: 'No pushes.',
			asked: ['.cursor/hooks.json, PreToolUse (not sandboxed)'],
		});
		const shell = readTold('shell.json');
		assert.deepEqual(
			[shell['hook_event_name'], shell['command'], shell['conversation_id'], shell['cwd']],
			['beforeShellExecution', 'git push', threadId, host.workspace],
		);
		assert.equal((await hooks.before(call('shell.run', { argv: ['git', 'status'] }), never)).kind, 'continue');
		assert.equal((await hooks.before(call('fs.read', { path: 'push' }), never)).kind, 'continue');
		await cursor('afterFileEdit', 'cat > edit.json');
		void hooks.after(call('fs.read', { path: 'a' }), done, never);
		void hooks.after(call('fs.edit', { path: 'a.ts', edits: [{ find: 'a', replace: 'b' }] }), done, never);
		await waitFor('the hook', () => isTold('edit.json'));
		const { file_path: path, edits } = readTold('edit.json');
		assert.deepEqual([path, edits], [inProject('a.ts'), [{ old_string: 'a', new_string: 'b', replace_all: false }]]);
		await cursor('beforeSubmitPrompt', 'echo \'{"continue":false,"user_message":"Not today."}\'');
		await assert.rejects(hooks.prompted(threadId, 'Hello', never), /Not today/);
		await cursor('stop', 'echo \'{"followup_message":"Run the tests."}\'');
		assert.equal(await hooks.resting(threadId, { isAgain: false, text: '' }, never), 'Run the tests.');
		await cursor('preToolUse', 'exit 3', { matcher: 'Shell', failClosed: true });
		const failed = await hooks.before(call(), never);
		assert.match(
			failed.kind === 'block' ? failed.reason : '',
			/it failed, and its file says that this refuses: .*code 3/,
		);
	});

	it('on commands of Cursor are asked about every command of a line, however it is written', async () => {
		const hook = { command: 'exit 2', matcher: '^git\\s+push' };
		await use({ version: 1, hooks: { beforeShellExecution: [hook] } }, '.cursor/hooks.json');
		const kind = async (...argv: string[]) => (await hooks.before(call('shell.run', { argv }), never)).kind;
		const sh = (line: string) => kind('sh', '-c', line);
		for (const line of [
			'git push',
			'A=1 B=2 git push',
			'true; git push',
			'true&&git   push',
			"'git' pu\\sh",
			'eval "git push"',
			'bash -c "sh -c \'git push\'"',
			'echo git push | sh',
			'base64 -d x | sh',
			'$G push',
			'git $(echo push)',
		]) {
			assert.equal(await sh(line), 'block', line);
		}
		assert.equal(await kind('/usr/bin/git', 'push'), 'block');
		assert.equal(await kind('env', 'A=1', 'git', 'push'), 'block');
		for (const line of ['git status', 'echo git push', 'npm test; ls']) {
			assert.equal(await sh(line), 'continue', line);
		}
		assert.equal(await kind('npm', 'test'), 'continue');
	});

	it('on commands and tools come to an end on a regular expression that is made to take for ever', async () => {
		const line = `${'a'.repeat(60)}!`;
		const hook = { command: 'exit 2', matcher: '^(a+)+$' };
		await use({ version: 1, hooks: { beforeShellExecution: [hook] } }, '.cursor/hooks.json');
		assert.equal((await hooks.before(call('shell.run', { argv: [line] }), never)).kind, 'block');
		await use({ hooks: { PreToolUse: [{ matcher: '(\\w+)+!', hooks: [{ type: 'command', command: 'exit 2' }] }] } });
		const tool = { server: 'a', tool: 'a'.repeat(60), arguments: {} };
		assert.equal((await hooks.before(call('mcp.call', tool), never)).kind, 'block');
	});

	it('with a path in their condition come to an end on a pattern that is made to take for ever', async () => {
		const path = `${'a/'.repeat(1_000)}${'a'.repeat(200)}`;
		for (const pattern of ['*a'.repeat(100) + 'b', '+(a|aa)'.repeat(30) + 'b', '**/*a*/'.repeat(90) + 'b']) {
			const hook = { type: 'command', if: `Read(${pattern})`, command: 'exit 2' };
			await use({ hooks: { PreToolUse: [{ hooks: [hook] }] } });
			const { kind } = await hooks.before(call('fs.read', { path }), never);
			// A form that is not read is met, because the hook guards.
			assert.equal(kind, pattern.startsWith('+') ? 'block' : 'continue');
		}
	});

	it('are told of the end that their event names, and of no other', async () => {
		const events = ['PostToolUse', 'PostToolUseFailure', 'AfterTool', 'afterShellExecution'];
		await use({
			hooks: Object.fromEntries(
				events.map((event) => [event, [{ hooks: [{ type: 'command', command: `printf '}' >> ${event}.txt` }] }]]),
			),
		});
		const state = { commandId: newId('cmd'), running: false, signal: null, timedOut: false, output: '', omitted: 0 };
		const ended = (exitCode: number) => ({ ...done, result: { ...state, exitCode } }) as never;
		const error = { code: 'DENIED_BY_RULE', message: 'refused', facts: {} };
		void hooks.after(call(), ended(1), never);
		void hooks.after(call(), { ...done, status: 'denied', error } as never, never);
		void hooks.after(call(), ended(0), never);
		const runs = () =>
			events.map((event) => (isTold(`${event}.txt`) ? readFileSync(inProject(`${event}.txt`), 'utf8') : ''));
		const expected = ['}', '}}', '}}}', '}}'];
		await waitFor('the hooks', () => runs().join() === expected.join());
		await hooks.close();
		assert.deepEqual(runs(), expected);
	});

	it('after an op may tell its model something: objections and context, without secrets, and no more than fits', async () => {
		const say = (answer: object) => `cat > told.json; echo '${JSON.stringify(answer)}'`;
		const both = {
			decision: 'block',
			reason: `Lint: ${secret}`,
			hookSpecificOutput: { additionalContext: 'Two left.' },
		};
		const commands = [
			say(both),
			'echo Format it. >&2; exit 2',
			say({ additionalContext: 'y'.repeat(20_000) }),
			say({ additionalContext: 'too much' }),
		];
		await use({ hooks: { PostToolUse: [{ matcher: 'Bash', hooks: commands.map((command) => ({ command })) }] } });
		const words = (await hooks.after(call(), done, never)) ?? [];
		assert.deepEqual([...new Set(words.map(({ by }) => by))], ['.claude/settings.json, PostToolUse (not sandboxed)']);
		const [first, second, third, ...more] = words.map(({ text }) => text);
		assert.match(first ?? '', /^It objects: Lint: .*redacted.*\nTwo left\.$/);
		assert.equal(second, 'It objects: Format it.');
		assert.match(third ?? '', /^y+/);
		assert.ok(words.reduce((sum, { text }) => sum + text.length, 0) <= 10_100 && more.length < 2);
		const ends = ledger.rows.filter(({ kind }) => kind === 'outcome').map(({ output }) => output?.slice(0, 20));
		assert.deepEqual(ends.slice(0, 2), [`objects: Lint: ${secret}`.slice(0, 20), 'objects: Format it.']);
	});

	it('after an op allow, ask and change nothing, and say nothing when they go on or fail', async () => {
		for (const answer of [
			`echo '${JSON.stringify({ hookSpecificOutput: { permissionDecision: 'allow', updatedInput: { a: 1 } } })}'`,
			`echo '${JSON.stringify({ decision: 'ask', reason: 'Sure?' })}'`,
			'echo Plain words.',
			'exit 3',
			'no-such-program',
		]) {
			await use(claude('PostToolUse', answer));
			assert.deepEqual(await hooks.after(call(), done, never), [], answer);
		}
	});

	it('after an op are not waited for by capabilities, after a stop, or where none is meant', async () => {
		await use(claude('PostToolUse', 'echo Slow. >&2; exit 2', {}, 'Bash'));
		const ofCapability = { ...call(), caller: { kind: 'execution', threadId } } as never;
		assert.equal(hooks.after(ofCapability, done, never), undefined);
		assert.equal(hooks.after({ ...call(), caller: { kind: 'user', threadId } }, done, never), undefined);
		assert.deepEqual(await hooks.after(call('fs.read', { path: 'a' }), done, never), []);
		assert.deepEqual(await hooks.after(call(), done, AbortSignal.abort(new Error('stopped'))), []);
		const error = { code: 'COMMAND_FAILED', message: 'it broke', facts: {} };
		assert.deepEqual(await hooks.after(call(), { ...done, status: 'failed', error } as never, never), []);
	});

	it('after an op ask a model where they are questions, and tell what it says of a failure', async () => {
		const hook = { hooks: [{ type: 'prompt', prompt: 'Fine?' }] };
		await use({ hooks: { PostToolUse: [hook], PostToolUseFailure: [hook] } });
		answers.push('{"ok": false, "reason": "No test."}', '{"ok": true}', '{"ok": false, "reason": "It broke."}');
		const error = { code: 'COMMAND_FAILED', message: 'it broke', facts: {} };
		const failed = { ...done, status: 'failed', error } as never;
		const said = async (outcome: typeof done) =>
			((await hooks.after(call(), outcome, never)) ?? []).map(({ by, text }) => `${by}: ${text}`);
		assert.deepEqual(await said(done), ['.claude/settings.json, PostToolUse (a model): It objects: No test.']);
		assert.deepEqual(await said(done), []);
		assert.deepEqual(await said(failed), [
			'.claude/settings.json, PostToolUseFailure (a model): It objects: It broke.',
		]);
		assert.deepEqual(await said(failed), [], 'no model');
	});

	it('are told that a tool failed, and of a command that the user types', async () => {
		const tell = (name: string) => ({ type: 'command', command: `cat > ${name}` });
		await use({
			hooks: {
				PostToolUseFailure: [{ matcher: 'Bash', hooks: [tell('failed.json')] }],
				UserPromptExpansion: [
					{ matcher: '^tools:deploy$', hooks: [{ command: 'cat > typed.json; echo Mind the branch.' }] },
				],
				SessionStart: [{ matcher: 'compact', hooks: [{ command: 'echo never' }] }],
			},
		});
		void hooks.after(call(), done, never);
		const error = { code: 'COMMAND_FAILED', message: 'it broke', facts: {} };
		void hooks.after(call(), { ...done, status: 'failed', error } as never, never);
		await waitFor('the hook', () => isTold('failed.json'));
		assert.deepEqual([readTold('failed.json')['error'], readTold('failed.json')['tool_name']], ['it broke', 'Bash']);
		assert.deepEqual(await hooks.prompted(threadId, '/other now', never), []);
		const [told] = await hooks.prompted(threadId, '/tools:deploy to staging', never);
		assert.deepEqual([told?.text, readTold('typed.json')['command_args']], ['Mind the branch.', 'to staging']);
	});

	it('run only on the calls that their condition means', async () => {
		const asked = (condition: unknown) => use(claude('PreToolUse', 'exit 2', { if: condition }));
		const verdict = async (op: string, params: object) => (await hooks.before(call(op, params), never)).kind;
		const shell = (line: string) => verdict('shell.run', { argv: ['sh', '-c', line] });
		const git = (...argv: string[]) => verdict('shell.run', { argv: ['git', ...argv] });
		for (const condition of ['Bash(git push *)', 'Bash(git push:*)', 'Bash(git p*)']) {
			await asked(condition);
			assert.deepEqual(
				[
					await git('push'),
					await git('push', '--force'),
					await git('status'),
					await verdict('fs.read', { path: 'git push' }),
				],
				['block', 'block', 'continue', 'continue'],
				condition,
			);
		}
		await asked('Edit(*.ts)');
		const edit = (path: string) => verdict('fs.edit', { path, edits: [] });
		assert.deepEqual(
			[await edit('src/a.ts'), await edit('src/a.js'), await git('push')],
			['block', 'continue', 'continue'],
		);
		// Which files a rename changes, nobody knows yet.
		const refactor = (what: string) => verdict('editor.refactor', { path: 'src/a.js', what });
		assert.deepEqual([await refactor('rename'), await refactor('format')], ['block', 'continue']);
		// Nor which files a sub-agent has changed.
		assert.equal(await verdict('agent.apply', { id: 'thr_1' }), 'block');
		await asked('((');
		assert.equal(await shell('true'), 'block');
		assert.match((await hooks.list()).files[0]?.problems.join() ?? '', /"if" is no rule such as/);
	});

	it('run on each call that may be one that their condition means, where they decide about it', () => {
		const isMeant = (pattern: string, command: string, isGuarding = true) =>
			meetsCondition(`Bash(${pattern})`, { names: ['Bash'], input: { command } }, '/w', isGuarding);
		const lines = [
			'git push o',
			'cd x && git push o',
			'(git push o)',
			'$(git push o)',
			'echo "$(git push o)"',
			'env git push o',
			'A=1 git push o',
			'"git" push o',
			'git  push o',
			'git -C . push o',
			'git --no-pager push o',
			'/usr/bin/git push o',
			"sh -c 'git push o'",
			"bash -c '(git push o)'",
			`sh -c 'git pu""sh o'`,
			'sh -c "git pu""sh o"',
			'echo git push o | sh',
			'if true; then git push o; fi',
			'g=git; $g push o',
		];
		for (const pattern of ['git push *', 'git push:*', 'git pu*']) {
			for (const line of lines) assert.equal(isMeant(pattern, line), true, `${pattern}: ${line}`);
			for (const line of ['git status', 'npm test', 'node a.js', 'echo git push', "env ls 'a b'", 'ls | sort']) {
				assert.equal(isMeant(pattern, line), false, `${pattern}: ${line}`);
			}
		}
		assert.deepEqual(
			['git push', '"git" push', 'git push o', 'git -C . push'].map((line) => isMeant('git push', line)),
			[true, true, false, true],
		);
		// A hook that is only told hears of what is written.
		assert.deepEqual(
			['git  push o', 'env git push o'].map((line) => isMeant('git push *', line, false)),
			[true, false],
		);
	});

	it('compare a condition of many stars in no time', () => {
		const isMeant = (pattern: string, command: string) =>
			meetsCondition(`Bash(${pattern})`, { names: ['Bash'], input: { command } }, '/w', true);
		const began = performance.now();
		assert.equal(isMeant(`${'*a'.repeat(40)}*b`, 'a'.repeat(10_000)), false);
		assert.equal(isMeant(`${'*a'.repeat(40)}*b`, `${'a'.repeat(10_000)}b`), true);
		assert.ok(performance.now() - began < 2_000);
		assert.deepEqual(
			['ab', 'aba', 'abba'].map((line) => isMeant('ab*ba', line)),
			[false, false, true],
		);
	});

	it('are told once that a thread ends, with its reason: it is deleted, or the host closes', async () => {
		await use(claude('SessionEnd', 'cat >> ended.json; echo >> ended.json'));
		const other = newId('thr');
		await hooks.prompted(threadId, 'Hello', never);
		await hooks.prompted(other, 'Hello', never);
		hooks.ended(threadId, 'clear');
		hooks.ended(threadId, 'clear');
		hooks.ended(newId('thr'), 'clear');
		await hooks.close();
		const lines = readFileSync(inProject('ended.json'), 'utf8')
			.split('\n')
			.filter((line) => line !== '');
		const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
		assert.deepEqual(
			new Map(told.map((each) => [each['session_id'], each['reason']])),
			new Map([
				[threadId, 'clear'],
				[other, 'other'],
			]),
		);
		assert.equal(told.length, 2);
	});

	it('ask a model where they are questions: it can refuse, and one that cannot be asked stops nothing', async () => {
		const question = { type: 'prompt', prompt: 'Is this safe? $ARGUMENTS' };
		await use({
			hooks: {
				PreToolUse: [{ matcher: 'Bash', hooks: [question] }],
				Stop: [{ hooks: [{ type: 'prompt', prompt: 'Done?' }] }],
			},
		});
		answers.push(
			'```json\n{"ok": false, "reason": "It pushes."}\n```',
			'{"ok": true}',
			'Perhaps.',
			'{"ok":false,"reason":"Test it."}',
		);
		const refused = await hooks.before(call('shell.run', { argv: ['git', 'push', secret] }), never);
		assert.deepEqual(refused, {
			kind: 'block',
			reason: 'It pushes.',
			asked: ['.claude/settings.json, PreToolUse (a model)'],
		});
		assert.match(questions[0] ?? '', new RegExp(`^${threadId}: Is this safe\\? \\{.*"tool_name":"Bash"`));
		assert.ok(!questions.join().includes(secret));
		assert.deepEqual(ledger.rows.map(({ input }) => input)[0], 'PreToolUse: ask a model: Is this safe? $ARGUMENTS');
		for (const what of ['a yes', 'nonsense']) assert.equal((await hooks.before(call(), never)).kind, 'continue', what);
		assert.equal(await hooks.resting(threadId, { isAgain: false, text: 'Done.' }, never), 'Test it.');
		assert.equal((await hooks.before(call(), never)).kind, 'continue', 'no model');
		assert.equal(host.log.filter((line) => line.includes('stops nothing')).length, 2);
	});
});
