/** Settings of the group approvals: what the agent may do, and what it asks about first. */
import * as z from '../../text/zod.ts';
import { DeniedRights } from '../../approvals/access.ts';
import { PermissionLevel } from '../../ops/permission-level.ts';
import { Mode } from '../../thread/thread.ts';
import { defineSetting, type SettingDef } from '../setting-def.ts';

export const approvalSettings = {
	'prowess.approvals.level': defineSetting({
		schema: PermissionLevel,
		default: 'ask',
		scope: 'application',
		formerName: 'prowess.approvals.autonomy',
		whileUnreadable: 'ask',
		description:
			'Permission level of new threads: what runs without asking. The chat, the status bar and *Change Permission Level* show and change it for one thread.',
		choices: {
			manual: 'Reads only. Allow rules and earlier answers are ignored.',
			ask: 'Reads, and what your rules and answers allow.',
			edit: 'Also file changes in the workspace that you can undo, except protected and secret files. Commands still ask.',
			auto: 'What stays inside the workspace: file changes, and commands in their sandbox. Anything a command needs beyond its sandbox is asked by name, and dangerous commands still ask. Without a sandbox, only commands that read run by themselves.',
			full: 'Everything, commands without a sandbox too, except what still asks: protected paths, secrets, hosts of requests, MCP tools, schedules, goals, scripts and dangerous commands. Only for containers and machines you can lose.',
		},
	}),
	'prowess.approvals.widestLevel': defineSetting({
		schema: PermissionLevel,
		default: 'full',
		scope: 'application',
		whileUnreadable: 'ask',
		description:
			'Widest permission level that a thread may have. Wider ones cannot be chosen, and a thread that has one is limited to this. A workspace can set a stricter limit with `widestLevel` in `.prowess/policy.yaml`.',
		choices: {
			manual: 'Every thread is at Manual.',
			ask: 'Manual and Ask first.',
			edit: 'Manual, Ask first and Edit freely.',
			auto: 'All but Full.',
			full: 'All.',
		},
	}),
	'prowess.access.deny': defineSetting({
		schema: DeniedRights,
		default: {},
		scope: 'application',
		whileUnreadable: 'refuse',
		description:
			'Rights that you deny to those in whose name threads work: `editor`, `cli`, `schedule`, `agent` (sub-agents), `acp` (ACP clients), `mcp` (MCP clients), `rpc` (programs), `web` (browsers), each with a list of `send` (ask models), `history` (read earlier messages), `details` (read more of them than the words of you and the agent: results of tools, attached files, pictures, thoughts) and `tools`. The last four also take `look` (connect at all), `answer` (answer questions) and `prompt` (send messages). Example: `{"schedule": ["tools"]}`. Default: none.',
	}),
	'prowess.mode': defineSetting({
		schema: Mode,
		default: 'agent',
		scope: 'window',
		description: 'Mode of new threads.',
		choices: {
			agent: 'The agent may use every tool.',
			ask: 'The agent only reads and answers.',
			plan: 'The agent reads and writes a plan; it begins when you approve it.',
		},
	}),
	'prowess.approvals.openDiff': defineSetting({
		schema: z.boolean(),
		default: true,
		scope: 'window',
		description:
			'Whether the diff of a proposed file change opens by itself. The chat keeps the keyboard. Otherwise *Open diff* in the question opens it.',
	}),
	'prowess.approvals.simulate': defineSetting({
		schema: z.boolean(),
		default: false,
		scope: 'application',
		description:
			'Whether a model predicts what a command will do when you are asked about it, or when it may not be undone. The question shows the prediction, and the agent reads it with the result. Takes one short request for each such command, to the model that `prowess.models.aliases` names `simulation`, else to that of the thread. Default: off.',
	}),
	'prowess.approvals.timeoutMinutes': defineSetting({
		schema: z.int().min(1).max(1440),
		default: 60,
		scope: 'application',
		description: 'Time an approval waits for your answer, in minutes. Then the request is denied. Default: 60.',
	}),
	'prowess.approvals.allow': defineSetting({
		schema: z.array(z.string().max(1000)).max(500),
		default: [],
		scope: 'application',
		description:
			'Actions to allow without asking, each as `op pattern`, for example `shell.run npm test` or `fs.edit src/**`. They apply in all projects. *Manage Approvals* lists them and everything else that is allowed.',
	}),
	'prowess.approvals.deny': defineSetting({
		schema: z.array(z.string().max(1000)).max(500),
		default: [],
		scope: 'application',
		whileUnreadable: 'ask',
		description:
			'Actions to deny without asking, each as `op pattern`, for example `shell.run git push` or `fs.* secrets`. Deny rules override ask and allow rules.',
	}),
	'prowess.approvals.ask': defineSetting({
		schema: z.array(z.string().max(1000)).max(500),
		default: [],
		scope: 'application',
		whileUnreadable: 'ask',
		description:
			'Actions to ask about every time, each as `op pattern`, for example `fs.write migrations`. Ask rules override allow rules, answers for a thread and its permission level.',
	}),
	'prowess.http.allowHosts': defineSetting({
		schema: z.array(z.string().min(1).max(300)).max(200),
		default: [],
		scope: 'application',
		description:
			'Hosts on this machine or its network that requests and sandboxed commands may reach, as `host` or `host:port`, for example `localhost:3000`. Requests to other such hosts are refused. A listed host still needs approval.',
	}),
	'prowess.hooks': defineSetting({
		schema: z
			.array(
				z.object({
					when: z.string().max(20).meta({ description: 'When it runs: `before` or `after` the op' }),
					ops: z
						.string()
						.max(100)
						.optional()
						.meta({ description: 'Ops to hear: `fs.write`, `fs.*`, or `*` for all (default)' }),
					run: z
						.array(z.string().max(4_096))
						.max(50)
						.meta({ description: 'Program and its arguments, without a shell' }),
					sandbox: z.boolean().optional().meta({
						description:
							'Where it runs. `true`: only in the sandbox of commands; `false`: as you. Default: in the sandbox where one works',
					}),
					needs: z
						.object({
							network: z
								.array(z.string().min(1).max(300))
								.max(20)
								.optional()
								.meta({ description: 'Hosts it may reach, such as `hooks.example.org`' }),
							read: z
								.array(z.string().min(1).max(4_096))
								.max(20)
								.optional()
								.meta({ description: 'Files and folders it may read beyond the workspace and its own files' }),
							write: z
								.array(z.string().min(1).max(4_096))
								.max(20)
								.optional()
								.meta({ description: 'Files and folders it may change; `.`: ordinary files of the workspace' }),
						})
						.optional()
						.meta({ description: 'What it may reach from its sandbox' }),
				}),
			)
			.max(50),
		default: [],
		scope: 'application',
		whileUnreadable: 'refuse',
		description:
			'Programs that run for each op. A `before` program can refuse the op with a reason. An `after` program learns how it ended. Example: `{ "when": "before", "ops": "shell.run", "run": ["node", "/home/me/guard.mjs"] }`. Hooks run in the sandbox of commands where one works, with what their `needs` name; with `"sandbox": false` they run as you. See docs/hooks.md.',
	}),
	'prowess.approvals.perHour.controlled': defineSetting({
		schema: z.int().min(0).max(100_000),
		default: 0,
		scope: 'application',
		whileUnreadable: 'ask',
		description:
			'Times each op that changes files or data, or is as risky, may run in any 60 minutes. Default: 0, no limit.',
	}),
	'prowess.approvals.perHour.restricted': defineSetting({
		schema: z.int().min(0).max(100_000),
		default: 0,
		scope: 'application',
		whileUnreadable: 'ask',
		description: 'Times each op that runs commands, or is as risky, may run in any 60 minutes. Default: 0, no limit.',
	}),
} as const satisfies Record<string, SettingDef>;
