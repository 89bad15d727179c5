import assert from 'node:assert/strict';
import { type ForeignHook, readHookFile } from './read-hook-file.ts';
import { createShellArgv } from './run-foreign-hook.ts';

const run = (more: object = {}) => ({ type: 'command', command: 'true', ...more });
const shown = ({ event, calledAs = event, matcher, command, prompt, timeoutSeconds }: ForeignHook) =>
	[calledAs, event, matcher, prompt ?? command, timeoutSeconds].filter((each) => each !== undefined).join(' ');

/** Each file with what it gives, and what is said about it. */
const files: Readonly<Record<string, readonly [file: unknown, hooks: readonly string[], problems: readonly string[]]>> =
	{
		'an unknown event beside a known one': [
			{ hooks: { WorktreeCreate: [run()], Stop: [run()], constructor: [run()] } },
			['Stop Stop true'],
			['hooks.WorktreeCreate: hooks of this event are not run', 'hooks.constructor: hooks of this event are not run'],
		],
		'a mistyped event': [
			{ hooks: { PreToolUze: [run(), run()] } },
			[],
			['hooks.PreToolUze: hooks of this event are not run; did you mean PreToolUse?'],
		],
		'an unknown type beside a command': [
			{
				hooks: {
					Stop: [{ hooks: [{ type: 'agent', prompt: 'x' }, run(), { type: 'http', url: 'x' }, { type: 'mcp_tool' }] }],
				},
			},
			['Stop Stop true'],
			['agent', 'http', 'mcp_tool'].map(
				(type, at) => `hooks.Stop.0.hooks.${[0, 2, 3][at]}: hooks of type "${type}" are not run`,
			),
		],
		'a list': [
			{
				hooks: [
					{ event: 'Stop', matcher: '.*', command: 'a', timeout: 30_000, async: true },
					{ event: 'tool-use', command: 'b' },
					{ event: 'session-start', action: { type: 'command', command: 'c' }, condition: {} },
					{ command: 'd' },
					7,
				],
			},
			['Stop Stop .* a 30', 'SessionStart SessionStart c'],
			[
				'hooks.3: expected an object that names its "event"',
				'hooks.4: expected an object that names its "event"',
				'hooks.0: the time limit 30000 is read as milliseconds: 30 s',
				'hooks.1: tool-use: hooks of this event are not run',
				'hooks.2: "condition" is not read, so it runs each time',
			],
		],
		'a file that is a list': [[{ event: 'Stop', command: 'a' }], ['Stop Stop a'], []],
		'events without a name around them': [
			{ version: 1, PreToolUse: [run({ matcher: 'Bash' })], permissions: {} },
			['PreToolUse PreToolUse Bash true'],
			[],
		],
		'a hook alone in the place of a list': [{ hooks: { Stop: run() } }, ['Stop Stop true'], []],
		'values that are none': [
			{ hooks: { Stop: ['true', run(), null], SessionStart: 'true', SessionEnd: [{ hooks: {} }, { hooks: ['x'] }] } },
			['Stop Stop true'],
			[
				'hooks.Stop.0: expected an object',
				'hooks.Stop.2: expected an object',
				'hooks.SessionStart: expected an object',
				'hooks.SessionEnd.0.hooks: expected a list',
				'hooks.SessionEnd.1.hooks.0: expected an object',
			],
		],
		'names of Copilot, Cursor and Gemini': [
			{
				hooks: {
					sessionEnd: [run()],
					userPromptSubmitted: [run()],
					agentStop: [run()],
					afterFileEdit: [run()],
					beforeMCPExecution: [run()],
					BeforeTool: [run({ timeout: 5_000 })],
				},
			},
			[
				'SessionEnd SessionEnd true',
				'UserPromptSubmit UserPromptSubmit true',
				'Stop Stop true',
				'afterFileEdit PostToolUse true',
				'beforeMCPExecution PreToolUse true',
				'BeforeTool PreToolUse true 5',
			],
			[],
		],
		'time limits': [
			{
				hooks: {
					Stop: [
						run({ timeout: 600 }),
						run({ timeoutSec: '5' }),
						run({ timeoutMs: 1_500 }),
						run({ timeout: 10_000 }),
						run({ timeout: -1 }),
						run({ timeout: 'soon' }),
						run({ timeout: 1e9 }),
					],
				},
			},
			[
				'Stop Stop true 600',
				'Stop Stop true 5',
				'Stop Stop true 1.5',
				'Stop Stop true 10',
				'Stop Stop true',
				'Stop Stop true',
				'Stop Stop true 3600',
			],
			[
				'hooks.Stop.3: the time limit 10000 is read as milliseconds: 10 s',
				'hooks.Stop.4: the time limit -1 is no number above 0; the usual one holds',
				'hooks.Stop.5: the time limit "soon" is no number above 0; the usual one holds',
				'hooks.Stop.6: the time limit 1000000000 is read as milliseconds: 3600 s',
			],
		],
		'questions to a model': [
			{
				hooks: {
					Stop: [{ type: 'prompt', prompt: 'Done?' }, { type: 'prompt' }],
					PreCompact: [{ type: 'prompt', prompt: 'Sum up.' }],
				},
			},
			['Stop Stop Done?'],
			[
				'hooks.Stop.1: it has no "prompt"',
				'hooks.PreCompact.0: hooks of type "prompt" are not run on PreCompact, where nothing follows from an answer',
			],
		],
		'hooks that are all off': [{ disableAllHooks: true, hooks: { Stop: [run()] } }, [], []],
		'settings without hooks': [{ permissions: {}, preferences: ['a'] }, [], []],
		'no object': [5, [], ['expected an object with "hooks"']],
	};

describe('A file of hooks of another agent', () => {
	for (const [what, [file, hooks, problems]] of Object.entries(files)) {
		it(`is read hook by hook: ${what}`, () => {
			const read = readHookFile(file, 'linux');
			assert.deepEqual([read.hooks.map(shown), read.problems], [hooks, problems]);
		});
	}

	const systems: readonly (readonly [entry: object, linux: string, darwin: string, win32: string])[] = [
		[{ command: 'a' }, 'a', 'a', 'a'],
		[{ command: 'a', windows: 'w' }, 'a', 'a', 'w'],
		[{ command: 'a', linux: 'l', osx: 'o', windows: 'w' }, 'l', 'o', 'w'],
		[{ bash: 'b', powershell: 'p' }, 'b', 'b', 'p'],
		[{ command: 'a', bash: 'b' }, 'b', 'b', 'a'],
		[{ bash: 'b', windows: 'w', powershell: 'p' }, 'b', 'b', 'w'],
	];
	for (const [at, platform] of (['linux', 'darwin', 'win32'] as const).entries()) {
		it(`has the command of ${platform}, which the shell of that system runs as one word`, () => {
			const shell = platform === 'win32' ? ['powershell.exe', '-NoProfile', '-Command'] : ['/bin/sh', '-c'];
			for (const [entry, ...commands] of systems) {
				const [hook] = readHookFile({ hooks: { Stop: [{ type: 'command', ...entry }] } }, platform).hooks;
				const command = hook?.command ?? '';
				assert.deepEqual(createShellArgv(command, platform), [...shell, commands[at]], JSON.stringify(entry));
			}
		});
	}
});
