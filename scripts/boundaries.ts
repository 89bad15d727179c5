/**
 * Tables of permitted imports: for each folder under `src/`, for each wing of a folder, and for the files that may
 * touch the machine directly. The lint (`oxlint.config.ts`) and the bundler (`scripts/build/refuse-stray-imports.ts`)
 * both read these tables; the tsconfig of each folder says the same again in its `references`, and those of wings are
 * made from the table (`npm run generate`). Imports that are not listed are refused.
 */

export interface Arrows {
	/** Other folders under `src/` it may import, or one wing of them as `trust/record`; its own is always allowed. */
	readonly folders: readonly string[];
	/** Set for folders outside the host: of the host's folders they may import the faces only. */
	readonly seesFacesOnly?: true;
	/** Packages, with their sub-paths. `node:` stands for every built-in module, `@scope/` for every package of a scope. */
	readonly packages: readonly string[];
}

/** In their order: each may import only folders that stand before it. */
export const arrows: Readonly<Record<string, Arrows>> = {
	base: { folders: [], packages: [] },
	start: { folders: [], packages: ['node:'] },
	protocol: { folders: ['base'], packages: ['zod', 'uuid', 'yaml'] },
	store: { folders: ['base'], packages: ['node:'] },

	// The host, which acts and knows no editor, from the ground up.
	contract: { folders: ['base', 'protocol'], packages: [] },
	machine: {
		folders: ['base', 'protocol', 'store', 'contract'],
		// Only types of playwright-core are imported: the package is fetched when a page is first opened.
		packages: ['node:', 'diff', 'htmlparser2', 'ignore', 'picomatch', 'playwright-core', 'uuid'],
	},
	trust: {
		folders: ['base', 'protocol', 'store', 'contract', 'machine'],
		packages: ['node:', 'diff', 'picomatch', 'uuid', 'yaml'],
	},
	catalog: {
		folders: ['base', 'protocol', 'contract', 'machine', 'trust/record'],
		packages: ['node:', 'semver', 'uuid', 'yauzl'],
	},
	execution: {
		folders: ['base', 'protocol', 'store', 'contract', 'machine', 'trust/record', 'trust/gate', 'catalog'],
		packages: ['node:', 'ignore', 'uuid', 'ws', '@modelcontextprotocol/client'],
	},
	features: {
		folders: ['base', 'protocol', 'store', 'contract', 'machine', 'trust/record', 'trust/gate', 'execution/runs'],
		packages: ['node:', 'croner', 'diff', 'uuid', 'yaml'],
	},
	// They hold `PerformOp`: only what composes the broker imports it.
	ops: {
		folders: [
			...['base', 'protocol', 'contract', 'machine', 'trust/record', 'trust/gate', 'catalog'],
			...['execution/runs', 'execution/mcp', 'features'],
		],
		packages: ['node:', 'diff', 'uuid'],
	},
	host: {
		folders: [
			...['base', 'protocol', 'store', 'contract', 'machine', 'trust', 'catalog', 'execution', 'features', 'ops'],
		],
		packages: ['node:', 'uqr', 'uuid', 'ws', '@modelcontextprotocol/server'],
	},

	// Jobs of a team, in PostgreSQL: a package of its own, which neither the extension nor the command line imports.
	team: { folders: ['base', 'protocol', 'contract'], packages: ['node:', 'pg-boss'] },
	server: {
		folders: ['base', 'protocol', 'store', 'start'],
		packages: ['node:', 'vscode-jsonrpc', 'eventsource-parser'],
	},
	executors: { folders: ['base', 'protocol'], packages: ['node:', 'ws'] },
	extension: {
		folders: ['base', 'protocol', 'contract', 'machine', 'trust', 'catalog', 'execution', 'features', 'host'],
		seesFacesOnly: true,
		packages: ['node:', 'vscode', 'vscode-languageclient'],
	},
	cli: {
		folders: ['base', 'start', 'protocol', 'contract', 'machine', 'trust', 'catalog', 'execution', 'features', 'host'],
		seesFacesOnly: true,
		packages: ['node:', 'vscode-jsonrpc', '@agentclientprotocol/sdk'],
	},
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
	protocol: {
		text: [],
		schedule: ['text'],
		errors: ['text'],
		rpc: ['text', 'errors'],
		execution: ['errors'],
		ops: ['text', 'errors', 'rpc'],
		receipts: ['text', 'ops'],
		approvals: ['text', 'rpc', 'ops'],
		turn: ['text', 'errors', 'rpc', 'ops', 'approvals'],
		capability: ['text', 'execution', 'ops', 'turn'],
		thread: ['text', 'errors', 'rpc', 'ops', 'receipts', 'approvals', 'turn'],
		agents: ['text', 'rpc', 'ops', 'thread'],
		'op-table': ['text', 'ops', 'capability', 'agents'],
		manifest: ['text', 'execution', 'ops', 'capability', 'op-table'],
		offer: ['text', 'rpc', 'ops', 'capability'],
		settings: ['text', 'ops', 'approvals', 'turn', 'capability', 'thread'],
		pages: ['text', 'rpc', 'approvals', 'turn', 'thread'],
		doors: ['text', 'rpc', 'ops', 'approvals', 'turn', 'thread'],
	},
	trust: { record: [], gate: ['record'], broker: ['record', 'gate'], checkpoints: ['record'] },
	execution: { processes: [], runs: ['processes'], mcp: [] },
	features: {
		background: [],
		quota: [],
		schedule: [],
		goal: ['schedule'],
		script: [],
		agents: [],
		models: [],
		memory: ['models'],
		'code-index': ['models', 'memory'],
		worktrees: [],
		telemetry: [],
		work: ['schedule'],
		replay: [],
	},
	server: {
		models: [],
		host: [],
		language: [],
		history: ['models'],
		turn: ['models', 'host', 'history'],
		prompt: ['models', 'host', 'history'],
		tools: ['models', 'history', 'turn'],
		loop: ['models', 'host', 'history', 'turn', 'tools'],
		'sub-turn': ['models', 'host', 'history', 'turn', 'prompt', 'tools', 'loop'],
		decision: ['models', 'host', 'history', 'turn', 'prompt', 'tools', 'loop'],
		pipeline: ['models', 'host', 'history', 'turn', 'prompt', 'tools', 'loop', 'decision'],
		threads: ['models', 'host', 'history', 'turn', 'loop', 'pipeline'],
	},
	extension: {
		editor: [],
		shown: ['editor'],
		notices: ['editor', 'shown'],
		ports: ['editor', 'notices'],
		webview: ['editor', 'notices'],
		models: ['editor', 'notices', 'ports'],
		capabilities: ['editor', 'notices', 'ports', 'webview'],
		server: ['editor', 'ports', 'models', 'capabilities'],
		ledger: ['editor', 'shown', 'notices', 'webview'],
		mcp: ['editor', 'notices'],
		automation: ['editor', 'shown', 'notices', 'ports', 'capabilities'],
		worktrees: ['editor', 'notices'],
		'inline-edit': ['editor', 'shown', 'notices'],
		comments: ['editor', 'notices'],
		approvals: ['editor', 'notices', 'ports', 'capabilities'],
		views: ['editor', 'shown', 'notices', 'webview', 'ledger'],
		chat: [
			...['editor', 'shown', 'notices', 'webview', 'models', 'capabilities', 'server', 'ledger'],
			...['inline-edit', 'approvals', 'views'],
		],
	},
	cli: {
		terminal: [],
		home: ['terminal'],
		server: ['terminal'],
		invocation: ['terminal', 'home', 'server'],
		// Recordings of turns, replayed and handed on.
		replay: ['terminal', 'home', 'server', 'invocation'],
		ports: ['terminal', 'home', 'server', 'invocation', 'replay'],
		records: ['terminal', 'home', 'server', 'invocation', 'ports'],
		// The team that a home has joined, and the package by which it reaches it.
		team: ['terminal', 'home', 'invocation'],
		// Jobs: added, shown, answered, and carried out one by one.
		jobs: ['terminal', 'home', 'server', 'invocation', 'ports', 'team'],
		background: ['terminal', 'home', 'server', 'invocation', 'ports', 'jobs'],
		mcp: ['terminal', 'home', 'invocation', 'ports'],
		worktrees: ['terminal', 'home', 'invocation', 'ports'],
		// Goals, schedules and scripts.
		planned: ['terminal', 'home', 'invocation', 'ports'],
		// Sub-agents, custom agents, and hooks of other agents.
		agents: ['terminal', 'home', 'invocation', 'ports', 'records'],
		capability: ['terminal', 'home', 'invocation', 'ports', 'records'],
		// Packages, whose cases it runs before it packs them.
		marketplace: ['terminal', 'home', 'invocation', 'ports', 'capability'],
		// The Agent Client Protocol, by which an editor drives Prowess.
		acp: ['terminal', 'home', 'server', 'invocation', 'ports'],
		// Programs and other agents, over `prowess rpc` and `prowess mcp serve`.
		doors: ['terminal', 'home', 'server', 'invocation', 'ports'],
		run: ['terminal', 'home', 'server', 'invocation', 'ports', 'planned', 'agents', 'replay'],
		// Evaluations of the agent by sets of tasks.
		eval: ['terminal', 'home', 'invocation', 'ports', 'run'],
	},
	webview: {
		parts: [],
		math: ['parts'],
		markdown: ['parts', 'math'],
		state: ['parts', 'markdown'],
		actions: ['parts', 'state'],
		components: ['parts', 'markdown', 'state', 'actions'],
		page: ['parts', 'markdown'],
		capabilities: ['parts'],
		ledger: ['parts'],
		trace: ['parts'],
		// The script of a page in a browser: carries the chat's messages over a socket.
		web: ['parts'],
	},
	executors: { sdk: [], skill: ['sdk'], power: ['sdk'], talent: ['sdk'], 'node-worker': ['sdk'], codebolt: ['sdk'] },
};

/**
 * The files that a program around the host may import of a folder of the host. A folder that is not listed is open. The type
 * check cannot tell; the lint and the bundler do.
 */
export const faces: Readonly<Record<string, readonly string[]>> = {
	// Parts that a host needs before the trusted base exists, or beside it: its own files, secrets, processes, threads.
	machine: [
		'environment.ts',
		'home-files/file-lock.ts',
		'home-files/own-temporary-folder.ts',
		'home-files/watch-files.ts',
		'home-files/workspace-memory.ts',
		'mentions/kept-value.ts',
		'mentions/match.ts',
		'mentions/path-index.ts',
		'organisation/load-organisation.ts',
		'organisation/read-organisation.ts',
		'organisation/system-file.ts',
		'paths/is-folder.ts',
		'paths/reading/read-regular-file.ts',
		'sandbox/proof/sandbox-proof-text.ts',
		'worker-url.ts',
	],
	// Rules, the record and redaction, as hosts show and use them.
	trust: [
		'broker/person/thread-messages.ts',
		'broker/policy-register.ts',
		'gate/hooks/hook-register.ts',
		'gate/hooks/hooks-in-force.ts',
		'gate/policy/levels/level-register.ts',
		'gate/policy/levels/levels.ts',
		'gate/policy/rules/allowed-tools.ts',
		'gate/policy/rules/allowed-tools-in-words.ts',
		'gate/policy/rules/user-rules.ts',
		'gate/policy/workspace/policy-text.ts',
		'record/ledger/act-words.ts',
		'record/ledger/filter-line.ts',
		'record/ledger/ledger-health.ts',
		'record/redaction/limits.ts',
		'record/redaction/outgoing-message.ts',
		'record/redaction/own-patterns.ts',
		'record/redaction/redactor.ts',
		'record/store/thread/host-thread.ts',
		'record/thread-reader.ts',
	],
	// Capabilities: their files, how they are made and checked.
	catalog: [
		'capability-files.ts',
		'executors.ts',
		'tools-of-files.ts',
		'marketplace/build-index.ts',
		'marketplace/installed-versions.ts',
		'marketplace/marketplace.ts',
		'marketplace/plugins/npm-package.ts',
		'marketplace/plugins/read-tarball.ts',
		'marketplace/versions.ts',
		'registry/capability-template.ts',
		'registry/items.ts',
		'registry/new-capability.ts',
		'registry/reading/inspect-folder.ts',
		'registry/resolve.ts',
		'registry/sources/capability-source.ts',
		'registry/sources/capability-switch.ts',
		'registry/sources/while-off.ts',
	],
	execution: [
		'mcp/configuration/configured-files.ts',
		'mcp/mcp-servers.ts',
		'processes/debug-signal.ts',
		'processes/workers/check-source.ts',
		'runs/capability-manager.ts',
		'runs/execution.ts',
		'runs/executions-of-hosts.ts',
	],
	features: [
		'agents/agent-register.ts',
		'background/attach.ts',
		'background/listen.ts',
		'goal/goal.ts',
		'goal/plan-words.ts',
		'goal/until/until-words.ts',
		'goal/until/wanted-goal.ts',
		'memory/memory.ts',
		'replay/cassette.ts',
		'replay/methods.ts',
		'replay/outline.ts',
		'replay/record-wire.ts',
		'replay/recording.ts',
		'replay/replay-cassette.ts',
		'replay/replay-chain.ts',
		'replay/thread-rows.ts',
		'schedule/schedule.ts',
		'schedule/schedule-runner.ts',
		'schedule/scheduled-turn.ts',
		'schedule/timing.ts',
		'script/script.ts',
		'work/home-jobs.ts',
		'work/open-local-work.ts',
		'work/prompt-job.ts',
		'worktrees/worktree-origin.ts',
		'worktrees/worktree-register.ts',
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
	// The host: the broker's own effects, snapshots, the ledger, side executions.
	...['machine', 'trust', 'catalog', 'execution', 'features', 'ops', 'host'].map((folder) => ({
		files: `src/${folder}/**`,
		may: ['disk', 'processes'] as const,
	})),
	{ files: 'src/machine/http/**', may: ['disk', 'processes', 'network'] },
	// Sockets that listen for a moment, to prove that a program in the sandbox cannot reach them.
	{ files: 'src/machine/sandbox/proof/listening.ts', may: ['disk', 'processes', 'network'] },
	// The proxy through which browsers reach what they may.
	{ files: 'src/machine/browser/page-network.ts', may: ['disk', 'processes', 'network'] },
	// The proxy through which sandboxed commands reach what they may.
	{ files: 'src/machine/sandbox/network/**', may: ['disk', 'processes', 'network'] },
	// Our ends of pipes: Node reads a descriptor without holding a thread for it only as a socket.
	{ files: 'src/machine/shell/own-pipes.ts', may: ['disk', 'processes', 'network'] },
	// The channel to an executor is a socket over an inherited descriptor.
	{ files: 'src/execution/processes/**', may: ['disk', 'processes', 'network'] },
	// The ports that MCP clients and browsers are served on, where the user wants one.
	{
		files: 'src/host/doors/{listening,mcp/http-door,web/web-door,web/pairing-requests,web/certificate}.ts',
		may: ['disk', 'processes', 'network'],
	},
	// The socket that a background host is reached by.
	{ files: 'src/features/background/**', may: ['disk', 'network'] },
	// The executor's end of that channel.
	{ files: 'src/executors/sdk/**', may: ['network'] },
	// The port within a process, and the program that it loads.
	{ files: 'src/executors/codebolt/**', may: ['disk', 'network'] },
	// Files of a capability's own folder, all that its process can read.
	{ files: 'src/executors/sdk/own-files.ts', may: ['disk'] },
	// Model calls are the only effect of the server.
	{ files: 'src/server/models/**', may: ['network'] },
	// Starting the server.
	{ files: 'src/extension/server/server-client.ts', may: ['processes'] },
	{ files: 'src/cli/server/server-program.ts', may: ['processes'] },
	// Starting the command line from the editor, for work that its user asked for and that has no effect on the workspace.
	{ files: 'src/extension/editor/own-command.ts', may: ['processes'] },
	// Starting the command line again, for the work of one folder.
	{ files: 'src/cli/background/folder-process.ts', may: ['processes'] },
	// The headless host's own files: credentials, trusted folders, settings. And what `doctor` looks at.
	{ files: 'src/cli/home/**', may: ['disk'] },
	{ files: 'src/cli/machine-checks.ts', may: ['disk', 'processes'] },
	// The browser's one visit after a sign-in.
	{ files: 'src/cli/ports/sign-in.ts', may: ['network'] },
	// The check that the terminal is ours to read from.
	{ files: 'src/cli/terminal/foreground.ts', may: ['disk', 'processes'] },
	// The user's own editor, for a text that they change before their yes.
	{ files: 'src/cli/terminal/edited-text.ts', may: ['disk', 'processes'] },
	// Pictures that the user names on the command line, and whether what a prompt names is there.
	{ files: 'src/cli/run/named-files.ts', may: ['disk'] },
	// The host that a page in a browser comes from; the policy of the page lets it nowhere else.
	{ files: 'src/webview/web/carrier.ts', may: ['network'] },
	// The package of a team, as it is kept for this home, and the certificates that the address of its database names.
	{ files: 'src/cli/team/{joined-team,team-package}.ts', may: ['disk'] },
	{ files: 'src/team/team.ts', may: ['disk'] },
	// The script that the user names.
	{ files: 'src/cli/planned/scripts.ts', may: ['disk'] },
	// The folder of a case, and the model on loopback that it is given.
	{ files: 'src/cli/capability/cases/run-case.ts', may: ['disk'] },
	{ files: 'src/cli/capability/cases/scripted-model.ts', may: ['network'] },
	// The tasks that the user names, and the folders in which they are worked on.
	{ files: 'src/cli/eval/{evaluations,lay-files,own-home,read-task-set,run-task}.ts', may: ['disk'] },
];

/**
 * The only files that open a file to read it by themselves. Everything that others made (a workspace, a capability, a
 * home that other programs write) is read by `readRegularFile` and its kin in `src/machine/paths/reading/`: a link to a
 * device has no end, and a pipe keeps its reader waiting. A new line here says why nobody else can put such a thing there.
 */
export const readsOwnFiles: readonly { readonly files: string }[] = [
	// The readers themselves, and what goes through descriptors that they have checked.
	{ files: 'src/machine/paths/**' },
	// A folder that only administrators can write, which is checked as it is opened.
	{ files: 'src/machine/organisation/system-file.ts' },
	// Several files at once, in loops where each further call to the system counts; the same checks are in them.
	{ files: 'src/catalog/registry/reading/manifest-files.ts' },
	{ files: 'src/machine/search/walk.ts' },
	{ files: 'src/machine/sweep/folder-copy.ts' },
	// The journal and notes in our own home, which no workspace reaches.
	{ files: 'src/machine/sweep/{folder-journal,large-folders}.ts' },
	// A pipe that our own shell has just made, checked by its descriptor.
	{ files: 'src/machine/shell/own-pipes.ts' },
	// Notes in our own home, which no workspace reaches.
	{ files: 'src/machine/sandbox/left/held-files.ts' },
	{ files: 'src/machine/sandbox/left/held-in-git.ts' },
	// The copy of a workspace is made, and compared with it, by descriptors that are checked here.
	{ files: 'src/machine/sandbox/copy/**' },
	{ files: 'src/ops/commands/keep-changes.ts' },
	// Paired browsers, in our own home, looked at before each of their messages.
	{ files: 'src/host/doors/web/web-devices.ts' },
	// Folders of the user's package caches, entered step by step without following links.
	{ files: 'src/machine/sandbox/packages/copy-packages.ts' },
	// Both sides of a comparison that keeps links apart from files: the descriptor is checked here.
	{ files: 'src/features/worktrees/file-entry.ts' },
	// Our own package.json, beside our programs.
	{ files: 'src/features/telemetry/turn-exporter.ts' },
	// Files that a command writes behind `>`.
	{ files: 'src/ops/commands/open-stream-file.ts' },
	// Files that the system makes up in /proc, and the own standard input.
	{ files: 'src/machine/sandbox/{watch,proof}/**' },
	{ files: 'src/machine/sandbox/{entry,sandbox-folders}.ts' },
	{ files: 'src/machine/sql/sql-process.ts' },
	{ files: 'src/machine/http/own-ports.ts' },
	{ files: 'src/execution/processes/leftover-processes.ts' },
	{ files: 'src/cli/terminal/**' },
	// State of our own in PROWESS_HOME, which the sandbox hides, and our own programs.
	{ files: 'src/{store,start}/**' },
	{ files: 'src/machine/home-files/**' },
	{ files: 'src/machine/sandbox/left/placeholders.ts' },
	{ files: 'src/machine/sandbox/seatbelt/prove-seatbelt.ts' },
	{ files: 'src/catalog/registry/offer/written-offer.ts' },
	{ files: 'src/execution/runs/consent/capability-consent.ts' },
	{ files: 'src/trust/checkpoints/restore/restore-marks.ts' },
	{ files: 'src/trust/checkpoints/undo-marks.ts' },
	{ files: 'src/features/worktrees/{worktree-records,worktree-origin,bound-threads}.ts' },
	{ files: 'src/trust/record/**' },
	{ files: 'src/cli/home/**' },
	// Certificates that the user's own address of a database names.
	{ files: 'src/team/team.ts' },
	// In the process of a capability, which finds nothing but the copy of its own files.
	{ files: 'src/executors/**' },
];
