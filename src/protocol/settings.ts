/**
 * The table of all settings. `npm run generate` derives package.json's `contributes.configuration` and docs/settings.md
 * from it; the CLI reads the same names from settings.json. Settings that control where requests and keys go, or what runs
 * without asking, have the scope `application`, so a workspace cannot set them.
 */
import * as z from './zod.ts';
import { IndexSource } from './marketplace.ts';
import { ProviderConfig } from './models.ts';
import { DatabaseName, DatabasePath } from './ops/sql.ts';
import { Mode } from './thread.ts';

/** Levels of autonomy, strictest first. */
export const AUTONOMY = ['manual', 'ask', 'auto', 'full'] as const;
export type Autonomy = (typeof AUTONOMY)[number];

export interface SettingDef<S extends z.ZodType = z.ZodType> {
	readonly schema: S;
	readonly default: z.output<S>;
	readonly scope: 'application' | 'machine' | 'window' | 'resource';
	/** Markdown that starts with what the setting controls; a number also names its unit and its default. */
	readonly description: string;
	/** A sentence for each value of an enum, by value. */
	readonly choices?: Readonly<Record<string, string>>;
	readonly group: 'Models' | 'Agent' | 'Approvals' | 'Capabilities' | 'Chat' | 'Tools' | 'Privacy';
	/**
	 * Effect while a part of the value cannot be read, for settings that restrict the agent. Their default may be looser
	 * than what the user meant, so everything is asked, or refused.
	 */
	readonly whileUnreadable?: 'ask' | 'refuse';
}

function setting<S extends z.ZodType>(def: SettingDef<S>): SettingDef<S> {
	return def;
}

export const settings = {
	'prowess.model': setting({
		schema: z.string().max(300),
		default: '',
		scope: 'application',
		group: 'Models',
		description:
			'Model of new threads, as `provider/model`. Empty: the first connected model, or the tour if there is none.',
	}),
	'prowess.providers': setting({
		schema: z.array(ProviderConfig).max(50),
		default: [],
		scope: 'application',
		group: 'Models',
		description:
			'Connected providers. *Connect a Model* writes this list. Keys are kept in the secret store, never here.',
	}),
	'prowess.mode': setting({
		schema: Mode,
		default: 'agent',
		scope: 'window',
		group: 'Agent',
		description: 'Mode of new threads.',
		choices: {
			agent: 'The agent may use every tool.',
			ask: 'The agent only reads and answers.',
		},
	}),
	'prowess.agent.maxIterations': setting({
		schema: z.int().min(1).max(500),
		default: 50,
		scope: 'application',
		group: 'Agent',
		description: 'Model calls in one turn before the agent stops and asks whether to continue. Default: 50.',
	}),
	'prowess.agent.toolTimeoutSeconds': setting({
		schema: z.int().min(0).max(86_400),
		default: 120,
		scope: 'application',
		group: 'Agent',
		description:
			'Time limit of one tool call, in seconds. A command may ask for a different limit. Waiting for your approval does not count. Default: 120. 0: no limit.',
	}),
	'prowess.agent.fastPaths': setting({
		schema: z.boolean(),
		default: true,
		scope: 'application',
		group: 'Agent',
		description: 'Fast answers without a model for greetings, the time, the list of models and `read <path>`.',
	}),
	'prowess.approvals.autonomy': setting({
		schema: z.enum(AUTONOMY),
		default: 'ask',
		scope: 'application',
		whileUnreadable: 'ask',
		group: 'Approvals',
		description: 'Actions that run without asking.',
		choices: {
			manual: 'Reads only. Allow rules and earlier answers are ignored.',
			ask: 'Reads, and what your rules and answers allow.',
			auto: 'What stays inside the workspace: file changes, and commands in their sandbox. Anything a command needs beyond its sandbox is asked by name. Without a sandbox, only commands that read run by themselves.',
			full: 'Everything up to RESTRICTED, commands without a sandbox too. Only for containers and machines you can lose. Protected paths, secrets, PRIVILEGED ops and dangerous commands still ask.',
		},
	}),
	'prowess.approvals.timeoutMinutes': setting({
		schema: z.int().min(1).max(1440),
		default: 60,
		scope: 'application',
		group: 'Approvals',
		description: 'Time an approval waits for your answer, in minutes. Then the request is denied. Default: 60.',
	}),
	'prowess.approvals.allow': setting({
		schema: z.array(z.string().max(1000)).max(500),
		default: [],
		scope: 'application',
		group: 'Approvals',
		description:
			'Actions to allow without asking, each as `op pattern`, for example `shell.run npm test` or `fs.edit src/**`. They apply in all projects. *Manage Approval Rules* lists them and the rules of the open project.',
	}),
	'prowess.approvals.deny': setting({
		schema: z.array(z.string().max(1000)).max(500),
		default: [],
		scope: 'application',
		whileUnreadable: 'ask',
		group: 'Approvals',
		description:
			'Actions to deny without asking, each as `op pattern`, for example `shell.run git push` or `fs.* secrets`. Deny rules override ask and allow rules.',
	}),
	'prowess.approvals.ask': setting({
		schema: z.array(z.string().max(1000)).max(500),
		default: [],
		scope: 'application',
		whileUnreadable: 'ask',
		group: 'Approvals',
		description:
			'Actions to ask about every time, each as `op pattern`, for example `fs.write migrations`. Ask rules override allow rules, answers for a thread and the autonomy.',
	}),
	'prowess.hooks': setting({
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
				}),
			)
			.max(50),
		default: [],
		scope: 'application',
		whileUnreadable: 'refuse',
		group: 'Approvals',
		description:
			'Programs that run for each op. A `before` program can refuse the op with a reason. An `after` program learns how it ended. Example: `{ "when": "before", "ops": "shell.run", "run": ["node", "/home/me/guard.mjs"] }`. Hooks run as you, without a sandbox. See docs/hooks.md.',
	}),
	'prowess.approvals.perHour.controlled': setting({
		schema: z.int().min(0).max(100_000),
		default: 0,
		scope: 'application',
		whileUnreadable: 'ask',
		group: 'Approvals',
		description: 'Times one CONTROLLED op (such as changing files) may run in any 60 minutes. Default: 0, no limit.',
	}),
	'prowess.approvals.perHour.restricted': setting({
		schema: z.int().min(0).max(100_000),
		default: 0,
		scope: 'application',
		whileUnreadable: 'ask',
		group: 'Approvals',
		description: 'Times one RESTRICTED op (such as running commands) may run in any 60 minutes. Default: 0, no limit.',
	}),
	'prowess.capabilities.model': setting({
		schema: z.string().max(300),
		default: '',
		scope: 'application',
		group: 'Capabilities',
		description:
			'Default model for capabilities, as `provider/model`, or as `capability:type/name` for a capability that provides `llm`. Empty: the model of the thread. *Choose the Model for Capabilities* writes this setting.',
	}),
	'prowess.capabilities.modelProviders': setting({
		schema: z.array(z.string().max(200)).max(100),
		default: [],
		scope: 'application',
		group: 'Capabilities',
		description:
			"Capabilities, as `type/name`, that other capabilities may ask in a model's place. They receive what they are asked, and act with their own permissions.",
	}),
	'prowess.capabilities.channel': setting({
		schema: z.enum(['auto', 'descriptor', 'ipc']),
		default: 'auto',
		scope: 'application',
		group: 'Capabilities',
		description: 'Connection to the processes of capabilities. Change it if capabilities do not connect.',
		choices: {
			auto: 'The first connection that works on this machine.',
			descriptor: 'A WebSocket over an inherited descriptor.',
			ipc: "Node's IPC channel.",
		},
	}),
	'prowess.capabilities.modelCalls': setting({
		schema: z.int().min(0).max(100_000),
		default: 100,
		scope: 'application',
		group: 'Capabilities',
		description: 'Model requests that one run of a capability may make. Default: 100.',
	}),
	'prowess.capabilities.modelTokens': setting({
		schema: z.int().min(0).max(1_000_000_000),
		default: 500_000,
		scope: 'application',
		group: 'Capabilities',
		description: 'Tokens, input and output together, that one run of a capability may use. Default: 500000.',
	}),
	'prowess.capabilities.standby': setting({
		schema: z.boolean(),
		default: true,
		scope: 'machine',
		group: 'Capabilities',
		description:
			'Standby process that lets the next capability start at once. It uses some memory and ends after five minutes without use.',
	}),
	'prowess.tools.ripgrepPath': setting({
		schema: z.string().max(4096),
		default: '',
		scope: 'machine',
		group: 'Tools',
		description: "Path of ripgrep. Empty: the editor's own, then the one on the `PATH`, then the built-in search.",
	}),
	'prowess.tools.bubblewrapPath': setting({
		schema: z.string().max(4096),
		default: '',
		scope: 'machine',
		group: 'Tools',
		description:
			'Path of bubblewrap, which runs commands and capabilities in a sandbox on Linux. Empty: `/usr/bin/bwrap` and other usual places.',
	}),
	'prowess.http.allowHosts': setting({
		schema: z.array(z.string().min(1).max(300)).max(200),
		default: [],
		scope: 'application',
		group: 'Tools',
		description:
			'Hosts on this machine or its network that requests and sandboxed commands may reach, as `host` or `host:port`, for example `localhost:3000`. Requests to other such hosts are refused. A listed host still needs approval.',
	}),
	'prowess.marketplace.indexes': setting({
		schema: z.array(IndexSource).max(50),
		default: [],
		scope: 'application',
		group: 'Capabilities',
		description:
			'Marketplace indexes besides the built-in one: a folder, an https address, or a Git repository (`….git`, `git+https:`, `git+file:`; add `#name` for a branch or tag). With a `key`, only packages signed with that ed25519 key are accepted.',
	}),
	'prowess.ledger.keepDays': setting({
		schema: z.union([z.literal(0), z.int().min(7).max(36_500)]),
		default: 0,
		scope: 'application',
		group: 'Privacy',
		description:
			'Time the ledger keeps its rows, in days, at least 7. Older rows are removed when Prowess starts, and the removal is recorded. Default: 0, forever.',
	}),
	'prowess.ledger.anchor': setting({
		schema: z
			.string()
			.max(2_000)
			.regex(/^(?:|git-note:.+|https:\/\/\S+)$/),
		default: '',
		scope: 'application',
		group: 'Privacy',
		description:
			'Place besides PROWESS_HOME that keeps the anchors of the ledger, so that removed or rewritten rows show: `git-note:` and the path of a Git repository, or an https address that gets them by POST. Default: empty, only PROWESS_HOME keeps them.',
	}),
	'prowess.databases': setting({
		schema: z.record(DatabaseName, DatabasePath),
		default: {},
		scope: 'resource',
		group: 'Tools',
		description:
			'Names for SQLite files of the workspace, which capabilities use to ask for them, for example `{ "orders": "data/orders.db" }`.',
	}),
	'prowess.redaction.patterns': setting({
		schema: z
			.array(
				z.object({
					name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
					pattern: z.string().min(1).max(300),
				}),
			)
			.max(50),
		default: [],
		scope: 'application',
		group: 'Privacy',
		description:
			'Additional patterns to redact everywhere, each with a name and a regular expression. *Preview Redaction* shows what they match. *Doctor* names patterns that are too slow to use.',
	}),
	'prowess.chat.sendWith': setting({
		schema: z.enum(['enter', 'ctrlEnter']),
		default: 'enter',
		scope: 'window',
		group: 'Chat',
		description: 'Key that sends a message. The other key starts a new line.',
		choices: {
			enter: 'Enter sends; Ctrl+Enter starts a new line.',
			ctrlEnter: 'Ctrl+Enter sends; Enter starts a new line.',
		},
	}),
	'prowess.chat.notify': setting({
		schema: z.boolean(),
		default: true,
		scope: 'window',
		group: 'Chat',
		description: 'Notifications when an approval waits or a turn ends while the chat is hidden.',
	}),
} as const satisfies Record<string, SettingDef>;

export type SettingName = keyof typeof settings;
export type Settings = { readonly [N in SettingName]: z.output<(typeof settings)[N]['schema']> };

export const SETTING_NAMES = Object.keys(settings) as readonly SettingName[];
