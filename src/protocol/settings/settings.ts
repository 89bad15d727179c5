/**
 * The table of all settings. `npm run generate` derives package.json's `contributes.configuration` and docs/settings.md
 * from it; the CLI reads the same names from settings.json. Settings that control where requests and keys go, or what runs
 * without asking, have the scope `application`, so a workspace cannot set them.
 */
import * as z from '../text/zod.ts';
import { IndexSource } from '../marketplace.ts';
import { FallbackModel, ModelRouting, ModelSettings, ProviderConfig } from '../models.ts';
import { PermissionLevel } from '../approvals/permission-level.ts';
import { DatabaseName, DatabasePath } from '../ops/definitions/sql.ts';
import { WebSearch } from '../ops/definitions/web.ts';
import { Mode } from '../thread/thread.ts';
import { setting, type SettingDef } from './setting-def.ts';

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
	'prowess.models.fallback': setting({
		schema: z.array(FallbackModel).max(20),
		default: [],
		scope: 'application',
		group: 'Models',
		description:
			'Models that take over, in this order, when the chosen one cannot answer: no credit, a refused key, an overload, no connection. Each as `{"provider": "…", "model": "…"}`, where wanted with a `baseUrl` of its own.',
	}),
	'prowess.models.aliases': setting({
		schema: z.record(
			z.string().regex(/^[\w.-]{1,100}$/, 'expected letters, digits, dots and hyphens'),
			z.string().regex(/^[^/\s]+\/\S+$/, 'expected provider/model'),
		),
		default: {},
		scope: 'application',
		group: 'Models',
		description: 'Short names for models, such as `{"fast": "openai/gpt-5-mini"}`, for use wherever a model is named.',
	}),
	'prowess.models.routing': setting({
		schema: ModelRouting,
		default: { simpleBelow: 200, complexFrom: 800 },
		scope: 'application',
		group: 'Models',
		description:
			'Models by how much a prompt seems to ask for, in threads for which you chose none: `simple` below `simpleBelow` points (default: 200), `complex` from `complexFrom` points on (default: 800). A point is four characters; code, attached files and long threads add some. For example `{"simple": "openai/gpt-5-mini", "complex": "anthropic/claude-opus-4-5"}`.',
	}),
	'prowess.models.settings': setting({
		schema: z.record(z.string().regex(/^[^/\s]+\/\S+$/, 'expected provider/model'), ModelSettings),
		default: {},
		scope: 'application',
		group: 'Models',
		description:
			'What you know better about single models, by `provider/model`: `contextWindow` and `maxOutput` in tokens, `temperature`, `effort` of thinking (`off`, `low`, `medium`, `high`), `calls` of tools (`native`, `text` for a model that writes them into its answer, `none`), `images` if it takes pictures or not, `price` of a million tokens in US dollars (`input`, `output`, `cacheRead`, `cacheWrite`), and `headers` to send. For example `{"compatible/qwen3": {"contextWindow": 32768}}`.',
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
			plan: 'The agent reads and writes a plan; it begins when you approve it.',
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
			'Time limit of one tool call, in seconds. A command may ask for a different limit. Waiting for your approval does not count. `PROWESS_TOOL_TIMEOUT_SECS` in the environment overrides it. Default: 120. 0: no limit.',
	}),
	'prowess.agent.fastPaths': setting({
		schema: z.boolean(),
		default: true,
		scope: 'application',
		group: 'Agent',
		description: 'Fast answers without a model for greetings, the time, the list of models and `read <path>`.',
	}),
	'prowess.approvals.level': setting({
		schema: PermissionLevel,
		default: 'ask',
		scope: 'application',
		formerName: 'prowess.approvals.autonomy',
		whileUnreadable: 'ask',
		group: 'Approvals',
		description:
			'Permission level of new threads: what runs without asking. The chat, the status bar and *Change Permission Level* show and change it for one thread.',
		choices: {
			manual: 'Reads only. Allow rules and earlier answers are ignored.',
			ask: 'Reads, and what your rules and answers allow.',
			edit: 'Also file changes in the workspace that you can undo, except protected and secret files. Commands still ask.',
			auto: 'What stays inside the workspace: file changes, and commands in their sandbox. Anything a command needs beyond its sandbox is asked by name, and dangerous commands still ask. Without a sandbox, only commands that read run by themselves.',
			full: 'Everything up to RESTRICTED, commands without a sandbox too. Only for containers and machines you can lose. Protected paths, secrets, PRIVILEGED ops and dangerous commands still ask.',
		},
	}),
	'prowess.approvals.widestLevel': setting({
		schema: PermissionLevel,
		default: 'full',
		scope: 'application',
		whileUnreadable: 'ask',
		group: 'Approvals',
		description:
			'Widest permission level that a thread may have. Wider ones cannot be chosen, and a thread that has one is limited to this. A workspace can set a stricter limit with `widestLevel` in `.prowess/policy.yaml`.',
		choices: {
			manual: 'Every thread is at Manual.',
			ask: 'Manual and Ask.',
			edit: 'Manual, Ask and Edit freely.',
			auto: 'All but Full.',
			full: 'All.',
		},
	}),
	'prowess.approvals.timeoutMinutes': setting({
		schema: z.int().min(1).max(1440),
		default: 60,
		scope: 'application',
		group: 'Approvals',
		description: 'Time an approval waits for your answer, in minutes. Then the request is denied. Default: 60.',
	}),
	'prowess.approvals.simulate': setting({
		schema: z.boolean(),
		default: false,
		scope: 'application',
		group: 'Approvals',
		description:
			'Whether a model predicts what a command will do before it runs. The question shows the prediction, and the agent reads it with the result. Takes one short request for each command. Default: off.',
	}),
	'prowess.approvals.openDiff': setting({
		schema: z.boolean(),
		default: true,
		scope: 'window',
		group: 'Approvals',
		description:
			'Whether the diff of a proposed file change opens by itself. The chat keeps the keyboard. Otherwise *Open diff* in the question opens it.',
	}),
	'prowess.approvals.allow': setting({
		schema: z.array(z.string().max(1000)).max(500),
		default: [],
		scope: 'application',
		group: 'Approvals',
		description:
			'Actions to allow without asking, each as `op pattern`, for example `shell.run npm test` or `fs.edit src/**`. They apply in all projects. *Manage Approvals* lists them and everything else that is allowed.',
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
			'Actions to ask about every time, each as `op pattern`, for example `fs.write migrations`. Ask rules override allow rules, answers for a thread and its permission level.',
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
		group: 'Approvals',
		description:
			'Programs that run for each op. A `before` program can refuse the op with a reason. An `after` program learns how it ended. Example: `{ "when": "before", "ops": "shell.run", "run": ["node", "/home/me/guard.mjs"] }`. Hooks run in the sandbox of commands where one works, with what their `needs` name; with `"sandbox": false` they run as you. See docs/hooks.md.',
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
		description:
			"Path of ripgrep. Empty: the editor's own, then the one on the `PATH`, then the built-in search. In a remote window VS Code takes this from the remote settings only.",
	}),
	'prowess.tools.bubblewrapPath': setting({
		schema: z.string().max(4096),
		default: '',
		scope: 'machine',
		group: 'Tools',
		description:
			'Path of bubblewrap, which runs commands and capabilities in a sandbox on Linux. Empty: `/usr/bin/bwrap` and other usual places. In a remote window VS Code takes this from the remote settings only.',
	}),
	'prowess.http.allowHosts': setting({
		schema: z.array(z.string().min(1).max(300)).max(200),
		default: [],
		scope: 'application',
		group: 'Tools',
		description:
			'Hosts on this machine or its network that requests and sandboxed commands may reach, as `host` or `host:port`, for example `localhost:3000`. Requests to other such hosts are refused. A listed host still needs approval.',
	}),
	'prowess.web.search': setting({
		schema: WebSearch,
		default: { provider: 'off' },
		scope: 'application',
		group: 'Tools',
		description:
			'Provider that the agent may ask to search the web: `{"provider": "searxng", "baseUrl": "…"}`, or `brave` or `tavily` with `"secret"`, the name of a stored secret that holds the key. Each host is asked about. Default: off.',
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
	'prowess.chat.tellActiveFile': setting({
		schema: z.boolean(),
		default: true,
		scope: 'application',
		group: 'Chat',
		description:
			'Tell the model with each message which file you look at, and which lines are selected. What is in them goes along only when the agent reads it. The chip above the input switches it.',
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

// Names that settings had before, under which a value still counts.
export const FORMER_SETTING_NAMES: readonly string[] = Object.values<SettingDef>(settings).flatMap(
	({ formerName }) => formerName ?? [],
);
