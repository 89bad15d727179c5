/**
 * Every setting, once. package.json's `contributes.configuration` and docs/settings.md are generated from this table;
 * the CLI reads the same names from settings.json. Settings that say where requests and keys go, or what may happen
 * without a question, are `application`: a workspace cannot set them.
 */
import * as z from 'zod';
import { IndexSource } from './marketplace.ts';
import { ProviderConfig } from './models.ts';
import { DatabaseName, DatabasePath } from './ops/sql.ts';
import { Mode } from './thread.ts';

/** How much happens without a question, strictest first. */
export const AUTONOMY = ['manual', 'ask', 'full'] as const;
export type Autonomy = (typeof AUTONOMY)[number];

export interface SettingDef<S extends z.ZodType = z.ZodType> {
	readonly schema: S;
	readonly default: z.output<S>;
	readonly scope: 'application' | 'machine' | 'window' | 'resource';
	/** Markdown, one or two sentences. */
	readonly description: string;
	readonly group: 'Models' | 'Agent' | 'Approvals' | 'Chat' | 'Tools' | 'Privacy';
	/**
	 * It holds the agent back, so its default is looser than what somebody may have meant: while a part of its value cannot be
	 * read, everything is asked, or refused.
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
		description: 'Model of a new thread, as `provider/model`. Empty: the first one that is connected, else the tour.',
	}),
	'prowess.providers': setting({
		schema: z.array(ProviderConfig).max(50),
		default: [],
		scope: 'application',
		group: 'Models',
		description: 'Connected providers. *Connect a Model* writes them; keys are kept in the secret store, never here.',
	}),
	'prowess.mode': setting({
		schema: Mode,
		default: 'agent',
		scope: 'window',
		group: 'Agent',
		description: 'Mode of a new thread: `agent` may use every tool, `ask` only those that read.',
	}),
	'prowess.agent.maxIterations': setting({
		schema: z.int().min(1).max(500),
		default: 50,
		scope: 'application',
		group: 'Agent',
		description: 'Model calls in one turn before it stops and asks whether to continue.',
	}),
	'prowess.agent.toolTimeoutSeconds': setting({
		schema: z.int().min(0).max(86_400),
		default: 120,
		scope: 'application',
		group: 'Agent',
		description:
			'Time limit of one tool call, waiting for your answer not counted. A command may ask for another one. 0: none.',
	}),
	'prowess.agent.fastPaths': setting({
		schema: z.boolean(),
		default: true,
		scope: 'application',
		group: 'Agent',
		description: 'Answer greetings, the time, the list of models and `read <path>` at once, without asking a model.',
	}),
	'prowess.approvals.autonomy': setting({
		schema: z.enum(AUTONOMY),
		default: 'ask',
		scope: 'application',
		whileUnreadable: 'ask',
		group: 'Approvals',
		description:
			'What happens without a question. `manual`: only reading; rules do not help. `ask`: what rules and your answers allow. `full`: everything inside the workspace up to RESTRICTED; protected paths, secrets and PRIVILEGED are still asked.',
	}),
	'prowess.approvals.timeoutMinutes': setting({
		schema: z.int().min(1).max(1440),
		default: 60,
		scope: 'application',
		group: 'Approvals',
		description: 'How long a question waits for an answer. No answer is a no.',
	}),
	'prowess.approvals.allow': setting({
		schema: z.array(z.string().max(1000)).max(500),
		default: [],
		scope: 'application',
		group: 'Approvals',
		description:
			'What is allowed without a question, as `op pattern`, e.g. `shell.run npm test` or `fs.edit src/**`. *Always allow* adds here.',
	}),
	'prowess.approvals.deny': setting({
		schema: z.array(z.string().max(1000)).max(500),
		default: [],
		scope: 'application',
		whileUnreadable: 'ask',
		group: 'Approvals',
		description:
			'What is refused without a question, as `op pattern`, e.g. `shell.run git push` or `fs.* secrets`. Goes before `ask` and `allow`.',
	}),
	'prowess.approvals.ask': setting({
		schema: z.array(z.string().max(1000)).max(500),
		default: [],
		scope: 'application',
		whileUnreadable: 'ask',
		group: 'Approvals',
		description:
			'What is asked every time, as `op pattern`, e.g. `fs.write migrations`. Goes before `allow`, answers for a thread and the autonomy.',
	}),
	'prowess.hooks': setting({
		schema: z
			.array(
				z.object({
					when: z.string().max(20).meta({ description: '`before` or `after`' }),
					ops: z
						.string()
						.max(100)
						.optional()
						.meta({ description: '`fs.write`, `fs.*`, or `*` for all, which is the default' }),
					run: z.array(z.string().max(4_096)).max(50).meta({ description: 'A program and its arguments; no shell' }),
				}),
			)
			.max(50),
		default: [],
		scope: 'application',
		whileUnreadable: 'refuse',
		group: 'Approvals',
		description:
			'Programs of yours that are told of each op: one `before` it can refuse it with a reason, one `after` it hears how it ended. E.g. `{ "when": "before", "ops": "shell.run", "run": ["node", "/home/me/guard.mjs"] }`; see docs/hooks.md. They run as you, without a sandbox.',
	}),
	'prowess.approvals.perHour.controlled': setting({
		schema: z.int().min(0).max(100_000),
		default: 0,
		scope: 'application',
		whileUnreadable: 'ask',
		group: 'Approvals',
		description: 'How often one CONTROLLED op (changing files) may act in any 60 minutes. 0: no limit.',
	}),
	'prowess.approvals.perHour.restricted': setting({
		schema: z.int().min(0).max(100_000),
		default: 0,
		scope: 'application',
		whileUnreadable: 'ask',
		group: 'Approvals',
		description: 'How often one RESTRICTED op (running commands) may act in any 60 minutes. 0: no limit.',
	}),
	'prowess.capabilities.model': setting({
		schema: z.string().max(300),
		default: '',
		scope: 'application',
		group: 'Tools',
		description:
			'Who answers a capability that asks a model and names none: `provider/model`, or `capability:type/name` for a capability that provides `llm`. Empty: the model of the thread. *Choose the Model for Capabilities* writes it.',
	}),
	'prowess.capabilities.modelProviders': setting({
		schema: z.array(z.string().max(200)).max(100),
		default: [],
		scope: 'application',
		group: 'Tools',
		description:
			"Further capabilities, as `type/name`, that a capability may name to answer it in a model's place. What it says to them, they get; what they do, they do with their own permissions.",
	}),
	'prowess.capabilities.channel': setting({
		schema: z.enum(['auto', 'descriptor', 'ipc']),
		default: 'auto',
		scope: 'application',
		group: 'Tools',
		description:
			'How processes of capabilities are reached: `descriptor`, a WebSocket over an inherited descriptor; `ipc`, the channel of Node itself; `auto`, the first of them that works on this machine. Choose one when capabilities do not connect.',
	}),
	'prowess.capabilities.modelCalls': setting({
		schema: z.int().min(0).max(100_000),
		default: 100,
		scope: 'application',
		group: 'Tools',
		description: 'How many requests to models one run of a capability may make.',
	}),
	'prowess.capabilities.modelTokens': setting({
		schema: z.int().min(0).max(1_000_000_000),
		default: 500_000,
		scope: 'application',
		group: 'Tools',
		description: 'How many tokens, in and out, one run of a capability may take of models.',
	}),
	'prowess.capabilities.standby': setting({
		schema: z.boolean(),
		default: true,
		scope: 'machine',
		group: 'Tools',
		description:
			'Keep a process ready after the first capability has run, so that the next one begins at once. It takes some memory, and ends after five minutes without use.',
	}),
	'prowess.tools.ripgrepPath': setting({
		schema: z.string().max(4096),
		default: '',
		scope: 'machine',
		group: 'Tools',
		description: 'Path of ripgrep. Empty: the one of the editor, then the one on the `PATH`, then our own search.',
	}),
	'prowess.http.allowHosts': setting({
		schema: z.array(z.string().min(1).max(300)).max(200),
		default: [],
		scope: 'application',
		group: 'Tools',
		description:
			'Hosts, as `host` or `host:port`, that may have an address on this machine or its network, e.g. `localhost:3000`. Requests to all others of that kind are refused; each is asked all the same.',
	}),
	'prowess.marketplace.indexes': setting({
		schema: z.array(IndexSource).max(50),
		default: [],
		scope: 'application',
		group: 'Tools',
		description:
			'Where capabilities can be installed from, besides those that come with Prowess: a folder, an https address, or a Git repository (`….git`, `git+https:`, `git+file:`; `#name` for a branch or tag). With a `key`, only what that ed25519 key has signed.',
	}),
	'prowess.ledger.keepDays': setting({
		schema: z.union([z.literal(0), z.int().min(7).max(36_500)]),
		default: 0,
		scope: 'application',
		group: 'Privacy',
		description:
			'How many days the ledger keeps its rows, at least 7; what is older is removed when Prowess starts, and the removal is recorded. 0: it keeps all.',
	}),
	'prowess.databases': setting({
		schema: z.record(DatabaseName, DatabasePath),
		default: {},
		scope: 'resource',
		group: 'Tools',
		description:
			'Names for SQLite files of the workspace, e.g. `{ "orders": "data/orders.db" }`, by which capabilities can ask for them.',
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
			'What else looks like a secret and is struck out everywhere, as a name and a regular expression. One that could take long is not used; *Doctor* says so. *Preview Redaction* shows what it finds.',
	}),
	'prowess.chat.sendWith': setting({
		schema: z.enum(['enter', 'ctrlEnter']),
		default: 'enter',
		scope: 'window',
		group: 'Chat',
		description: 'Key that sends a message; the other one makes a new line.',
	}),
	'prowess.chat.notify': setting({
		schema: z.boolean(),
		default: true,
		scope: 'window',
		group: 'Chat',
		description: 'Notify when an approval waits or a turn ends while the chat is hidden.',
	}),
} as const satisfies Record<string, SettingDef>;

export type SettingName = keyof typeof settings;
export type Settings = { readonly [N in SettingName]: z.output<(typeof settings)[N]['schema']> };

export const SETTING_NAMES = Object.keys(settings) as readonly SettingName[];
