/**
 * What each folder under `src/` may import, what each wing of a folder may, and which files may touch the machine directly.
 * The lint (`oxlint.config.ts`) and the bundler (`scripts/build/refuse-stray-imports.ts`) both read these tables;
 * the tsconfig of each folder says the same again in its `references`, and those of wings are made from the table
 * (`npm run generate`). What is not listed is refused.
 */

export interface Arrows {
	/** Other folders under `src/` it may import; its own is always allowed. */
	readonly folders: readonly string[];
	/** Packages, with their sub-paths. `node:` stands for every built-in module, `@scope/` for every package of a scope. */
	readonly packages: readonly string[];
}

export const arrows: Readonly<Record<string, Arrows>> = {
	base: { folders: [], packages: [] },
	protocol: { folders: ['base'], packages: ['zod', 'uuid', 'yaml'] },
	store: { folders: ['base'], packages: ['node:'] },
	start: { folders: [], packages: ['node:'] },
	'capability-host': {
		folders: ['base', 'protocol', 'store'],
		packages: [
			'node:',
			'ws',
			'diff',
			'htmlparser2',
			'ignore',
			'picomatch',
			'uuid',
			'yaml',
			'yauzl',
			'croner',
			'semver',
			'@modelcontextprotocol/client',
		],
	},
	server: {
		folders: ['base', 'protocol', 'store', 'start'],
		packages: ['node:', 'vscode-jsonrpc', 'eventsource-parser'],
	},
	executors: { folders: ['base', 'protocol'], packages: ['node:', 'ws'] },
	extension: {
		folders: ['base', 'protocol', 'capability-host'],
		packages: ['node:', 'vscode', 'vscode-languageclient'],
	},
	cli: { folders: ['base', 'protocol', 'capability-host', 'start'], packages: ['node:', 'vscode-jsonrpc'] },
	webview: {
		folders: ['base', 'protocol'],
		packages: ['preact', '@preact/signals', 'marked', 'lowlight', 'highlight.js', 'katex'],
	},
};

/**
 * The inner house: of each folder that has wings all of them, in their order from the ground up, and which of the others
 * each may import. A wing never imports the files that lie beside the wings; those may import all wings. A folder that
 * is not listed has no guard inside; in one that is, a wing that is not listed may import nothing, and nobody may import it.
 */
export const wings: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
	server: {
		models: [],
		host: [],
		language: [],
		history: ['models'],
		turn: ['models', 'host', 'history'],
		prompt: ['models', 'host', 'history'],
		'own-tools': ['models', 'history', 'prompt'],
		loop: ['models', 'host', 'history', 'turn', 'own-tools'],
		pipeline: ['models', 'host', 'history', 'turn', 'prompt', 'own-tools', 'loop'],
		'sub-turn': ['models', 'host', 'history', 'turn', 'prompt', 'own-tools', 'loop'],
		decision: ['models', 'host', 'history', 'turn', 'prompt', 'loop', 'pipeline'],
		turns: ['host', 'turn', 'pipeline', 'decision'],
		threads: ['models', 'host', 'history', 'turn', 'loop', 'pipeline', 'turns'],
	},
	'capability-host': {
		contract: [],
		machine: ['contract'],
		record: ['contract', 'machine'],
		catalog: ['contract', 'machine', 'record'],
		gate: ['contract', 'machine', 'record'],
		// Only what composes it imports the broker; everybody else holds `PerformOp`.
		broker: ['contract', 'machine', 'record', 'gate'],
		checkpoints: ['contract', 'machine', 'record'],
		processes: ['contract', 'machine', 'catalog'],
		execution: ['contract', 'machine', 'record', 'catalog', 'gate', 'processes'],
		models: ['contract', 'record', 'execution'],
		mcp: ['contract', 'machine', 'record', 'catalog', 'gate'],
		background: ['contract', 'machine'],
		memory: ['contract', 'machine'],
		'code-index': ['contract', 'machine', 'memory'],
		quota: ['contract'],
		schedule: ['contract'],
		goal: ['contract', 'schedule'],
		script: ['contract'],
		agents: ['contract', 'machine', 'gate'],
		ops: [
			'contract',
			'machine',
			'record',
			'catalog',
			'gate',
			'execution',
			'models',
			'mcp',
			'memory',
			'agents',
			'code-index',
			'schedule',
			'goal',
			'script',
		],
		// What users look at and change, each as their own act.
		registers: [
			'contract',
			'machine',
			'record',
			'catalog',
			'gate',
			'broker',
			'execution',
			'models',
			'mcp',
			'memory',
			'code-index',
			'goal',
			'script',
			'schedule',
			'agents',
		],
		compose: [
			'contract',
			'machine',
			'record',
			'catalog',
			'gate',
			'broker',
			'checkpoints',
			'processes',
			'execution',
			'models',
			'mcp',
			'memory',
			'code-index',
			'quota',
			'goal',
			'script',
			'schedule',
			'agents',
			'ops',
			'registers',
		],
	},
	executors: { sdk: [], skill: ['sdk'], power: ['sdk'], talent: ['sdk'], 'node-worker': ['sdk'] },
};

/**
 * What other folders may import of one that has wings: its own files, and what is listed, a wing as `name/**` or a file. A
 * folder that is not listed is open to whoever may import it. The type check cannot tell; the lint and the bundler do.
 */
export const faces: Readonly<Record<string, readonly string[]>> = {
	'capability-host': [
		'*.ts',
		'contract/**',
		// What a host shows, as it is registered.
		'registers/**',
		// What there is of capabilities, how they are made and checked.
		'catalog/capability-files.ts',
		'catalog/executors.ts',
		'catalog/tools-of-files.ts',
		'catalog/marketplace/build-index.ts',
		'catalog/marketplace/installed-versions.ts',
		'catalog/marketplace/marketplace.ts',
		'catalog/marketplace/versions.ts',
		'catalog/registry/sources/capability-source.ts',
		'catalog/registry/sources/capability-switch.ts',
		'catalog/registry/capability-template.ts',
		'catalog/registry/reading/inspect-folder.ts',
		'catalog/registry/items.ts',
		'catalog/registry/new-capability.ts',
		'catalog/registry/resolve.ts',
		'catalog/registry/sources/while-off.ts',
		// What a host shows of rules and executions.
		'execution/capability-manager.ts',
		'execution/execution.ts',
		'execution/executions-of-hosts.ts',
		'background/attach.ts',
		'background/listen.ts',
		'gate/hooks/hooks-in-force.ts',
		'gate/policy/rules/allowed-tools.ts',
		'gate/policy/rules/allowed-tools-in-words.ts',
		'gate/policy/executions/execution-permissions.ts',
		'gate/policy/workspace/policy-text.ts',
		'record/ledger/act-words.ts',
		'record/ledger/filter-line.ts',
		'record/ledger/ledger-health.ts',
		// What a host needs before there is a trusted base, or beside it: its own files, secrets, processes, threads.
		'broker/person/thread-messages.ts',
		'machine/home-files/file-lock.ts',
		'machine/home-files/workspace-memory.ts',
		'machine/sandbox/proof/sandbox-proof-text.ts',
		'mcp/configuration/configured-files.ts',
		'mcp/mcp-servers.ts',
		'memory/memory.ts',
		'schedule/schedule.ts',
		'goal/goal.ts',
		'goal/plan-words.ts',
		'script/script.ts',
		'schedule/schedule-runner.ts',
		'schedule/timing.ts',
		'processes/debug-signal.ts',
		'record/redaction/limits.ts',
		'record/redaction/outgoing-message.ts',
		'record/redaction/own-patterns.ts',
		'record/redaction/redactor.ts',
		'record/store/thread/host-thread.ts',
		'record/thread-reader.ts',
	],
};

/** The ways to touch the machine without asking the broker, and the built-in modules that open each. */
export const effectModules = {
	disk: ['node:fs', 'node:fs/promises', 'node:sqlite'],
	processes: ['node:child_process', 'node:cluster'],
	network: ['node:net', 'node:tls', 'node:dgram', 'node:http', 'node:https', 'node:http2'],
} as const;

export type Effect = keyof typeof effectModules;

/**
 * The only files with direct effects. Every effect for a model, an executor, a hook or an MCP server goes through the
 * broker; a new line here is a new place where that could be forgotten, so it needs its reason beside it.
 * The last line that matches a file counts.
 */
export const directEffects: readonly { readonly files: string; readonly may: readonly Effect[] }[] = [
	{ files: 'src/store/**', may: ['disk'] },
	// Our own programs, and what V8 has made of them.
	{ files: 'src/start/**', may: ['disk'] },
	// The trusted base: the broker's own effects, snapshots, the ledger, side executions.
	{ files: 'src/capability-host/**', may: ['disk', 'processes'] },
	{ files: 'src/capability-host/machine/http/**', may: ['disk', 'processes', 'network'] },
	// What a program in the sandbox must not reach: sockets that listen for a moment.
	{ files: 'src/capability-host/machine/sandbox/proof/listening.ts', may: ['disk', 'processes', 'network'] },
	// The proxy through which sandboxed commands reach what they may.
	{ files: 'src/capability-host/machine/sandbox/network/**', may: ['disk', 'processes', 'network'] },
	// The channel to an executor is a socket over an inherited descriptor.
	{ files: 'src/capability-host/processes/**', may: ['disk', 'processes', 'network'] },
	// The socket that a background host is reached by.
	{ files: 'src/capability-host/background/**', may: ['disk', 'network'] },
	// The executor's end of that channel.
	{ files: 'src/executors/sdk/**', may: ['network'] },
	// What lies in a capability's own folder, all that its process can read.
	{ files: 'src/executors/sdk/own-files.ts', may: ['disk'] },
	// Model calls are the only effect of the server.
	{ files: 'src/server/models/**', may: ['network'] },
	// Starting the server.
	{ files: 'src/extension/server/server-client.ts', may: ['processes'] },
	{ files: 'src/cli/server/server-program.ts', may: ['processes'] },
	// Starting the command line again, for the work of one folder.
	{ files: 'src/cli/background/folder-process.ts', may: ['processes'] },
	// The headless host's own files: credentials, trusted folders, settings. And what `doctor` looks at.
	{ files: 'src/cli/home/**', may: ['disk'] },
	{ files: 'src/cli/doctor/**', may: ['disk', 'processes'] },
	// The browser's one visit after a sign-in.
	{ files: 'src/cli/ports/sign-in.ts', may: ['network'] },
	// Whether the terminal is ours to read from.
	{ files: 'src/cli/terminal/foreground.ts', may: ['disk', 'processes'] },
	// The user's own editor, for a text that they change before their yes.
	{ files: 'src/cli/terminal/edited-text.ts', may: ['disk', 'processes'] },
	// Pictures that the user names on the command line, and whether what a prompt names is there.
	{ files: 'src/cli/run/named-files.ts', may: ['disk'] },
	// The script that the user names.
	{ files: 'src/cli/script/named-script.ts', may: ['disk'] },
];
