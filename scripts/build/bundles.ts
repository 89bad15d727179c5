/** The bundles: an entry per process, worker or page. No other file decides about the content of `dist/`. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Bundle {
	readonly name: string;
	readonly entry: string;
	/** Below `dist/`. */
	readonly out: string;
	/** A program is what an entry for Node imports lazily: one script, in which what is lazy does not run before it is imported. */
	readonly runsIn: 'extension host' | 'node' | 'program' | 'browser';
	/** True when the bundle's only WebSockets are over plain sockets, without compression. */
	readonly plainSockets?: boolean;
	/** Programs load it, too, where they import its entry lazily. */
	readonly isForPrograms?: boolean;
	/** Writes nothing to the console: what a server said would stand in a terminal as it is. */
	readonly isSilent?: boolean;
	/** Starts with a shebang, to be run by its name. */
	readonly executable?: boolean;
	/** Where a first turn loads it, and so the budgets it counts in. A bundle without a place waits until something rare is wanted. */
	readonly firstTurn?: readonly FirstTurn[];
}

/** Places in which somebody has a first turn with a fresh home. */
export type FirstTurn = 'in the editor' | 'on the command line';

const bothPlaces: readonly FirstTurn[] = ['in the editor', 'on the command line'];

/**
 * Most bytes that a first turn loads and parses, of all processes and of the chat. A library that would exceed one belongs in
 * `latePackageNames`; a module of ours, in a bundle without `firstTurn`, behind an `import()`.
 */
export const firstTurnBudgets: Readonly<Record<FirstTurn, number>> = {
	'in the editor': 4_020_000,
	'on the command line': 2_880_000,
};

/** Most bytes of an executor: each execution loads one. */
export const executorBudgetBytes = 150_000;

/** Largest size of the users' download, `dist/prowess.vsix`, in bytes. Peers ask for 7 to 439 MB. */
export const vsixBudgetBytes = 4 * 1024 * 1024;

const processes: readonly Bundle[] = [
	{
		name: 'extension',
		entry: 'src/extension/extension.ts',
		out: 'extension.cjs',
		runsIn: 'extension host',
		firstTurn: ['in the editor'],
	},
	{
		// Loaded by the extension when it is first needed.
		name: 'extension app',
		entry: 'src/extension/compose.ts',
		out: 'extension-app.cjs',
		runsIn: 'extension host',
		firstTurn: ['in the editor'],
	},
	{
		// Loaded by the app when the server first starts.
		name: 'extension client',
		entry: 'src/extension/server/watched-client.ts',
		out: 'extension-client.cjs',
		runsIn: 'extension host',
		firstTurn: ['in the editor'],
	},
	{
		// Loaded when the program of a capability is first changed.
		name: 'program problems',
		entry: 'src/extension/capabilities/program-problems.ts',
		out: 'program-problems.cjs',
		runsIn: 'extension host',
	},
	{
		// Loaded with the first page of a trace.
		name: 'trace reader',
		entry: 'src/extension/views/trace-reader.ts',
		out: 'trace-reader.cjs',
		runsIn: 'extension host',
	},
	{
		// Loaded where the workspace is seen to hold capabilities.
		name: 'tests of capabilities',
		entry: 'src/extension/capabilities/capability-tests.ts',
		out: 'capability-tests.cjs',
		runsIn: 'extension host',
	},
	{
		// Loaded when VS Code asks for our MCP server.
		name: 'offered server',
		entry: 'src/extension/mcp/offered-server.ts',
		out: 'offered-server.cjs',
		runsIn: 'extension host',
	},
	{
		// Loaded with the first look at worktrees.
		name: 'worktree commands',
		entry: 'src/extension/worktrees/worktree-commands.ts',
		out: 'worktree-commands.cjs',
		runsIn: 'extension host',
	},
	{
		// Loaded when the browser of a thread is first watched.
		name: 'watched browser',
		entry: 'src/extension/capabilities/pages/browser-page.ts',
		out: 'browser-page.cjs',
		runsIn: 'extension host',
	},
	{
		// Loaded with the first *Why am I asked?*
		name: 'question page',
		entry: 'src/extension/capabilities/pages/question-page.ts',
		out: 'question-page.cjs',
		runsIn: 'extension host',
	},
	{
		// Loaded with the first comment on lines.
		name: 'line comments',
		entry: 'src/extension/comments/line-comments.ts',
		out: 'line-comments.cjs',
		runsIn: 'extension host',
	},
	{
		// Loaded with the first message to @prowess in VS Code's own chat.
		name: 'chat participant',
		entry: 'src/extension/chat/participant.ts',
		out: 'chat-participant.cjs',
		runsIn: 'extension host',
	},
	{
		// Loaded when *Automation* is first opened.
		name: 'automation page',
		entry: 'src/extension/automation/automation-page.ts',
		out: 'automation-page.cjs',
		runsIn: 'extension host',
	},
	{
		// Loaded when a model is first connected.
		name: 'connect a model',
		entry: 'src/extension/models/connect/connect-model.ts',
		out: 'connect-model.cjs',
		runsIn: 'extension host',
	},
	{
		// Loaded when a language server first works out a change.
		name: 'refactorings',
		entry: 'src/extension/ports/refactorings.ts',
		out: 'refactorings.cjs',
		runsIn: 'extension host',
	},
	{
		// Loaded with the first edit of selected lines.
		name: 'inline edits',
		entry: 'src/extension/inline-edit/inline-edits.ts',
		out: 'inline-edits.cjs',
		runsIn: 'extension host',
	},
	{
		// Loaded with the first commit message that a model writes.
		name: 'commit messages',
		entry: 'src/features/models/commit-message.ts',
		out: 'commit-message.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first edit of selected lines that a model is asked for.
		name: 'edits of selected lines',
		entry: 'src/features/models/selection-edit.ts',
		out: 'selection-edit.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first change that a language server works out.
		name: 'refactored files',
		entry: 'src/ops/files/refactored-files.ts',
		out: 'refactored-files.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first poll of a watch.
		name: 'polls of watches',
		entry: 'src/features/schedule/poll-watch.ts',
		out: 'poll-watch.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first page of a server in a sandbox.
		name: 'connections into sandboxes',
		entry: 'src/machine/sandbox/network/inner-connections.ts',
		out: 'inner-connections.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first sub-agent, or message of one.
		name: 'agent mail',
		entry: 'src/features/agents/agent-mail.ts',
		out: 'agent-mail.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first MCP server.
		name: 'MCP SDK',
		entry: 'src/execution/mcp/sdk.ts',
		out: 'mcp-sdk.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
		isSilent: true,
	},
	{
		// Loaded with the first page that is read.
		name: 'page reader',
		entry: 'src/machine/http/html-to-markdown.ts',
		out: 'page-reader.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first request, search or page of another machine.
		name: 'requests and pages',
		entry: 'src/ops/network/reaching-ops.ts',
		out: 'reaching-ops.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first goal that is a condition without a command.
		name: 'check finder',
		entry: 'src/features/goal/until/find-check.ts',
		out: 'check-finder.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded when a capability first asks how a tool is called; the server has them in its own bundle.
		name: 'op inputs',
		entry: 'src/protocol/op-table/op-inputs.ts',
		out: 'op-inputs.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded by `prowess acp`, which an editor starts.
		name: 'ACP agent',
		entry: 'src/cli/acp/serve-acp.ts',
		out: 'acp.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
		isSilent: true,
	},
	{
		// Loaded by `prowess acp --protocol 2`: the draft.
		name: 'ACP draft',
		entry: 'src/cli/acp/second-version/speak-both.ts',
		out: 'acp-draft.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first turn where the user has named a collector.
		name: 'telemetry',
		entry: 'src/features/telemetry/turn-exporter.ts',
		out: 'telemetry.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded where the user has set how long threads are kept.
		name: 'trimming of threads',
		entry: 'src/host/trim-threads.ts',
		out: 'trim-threads.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded where the user has set how long rows of the ledger are kept.
		name: 'removal of old rows',
		entry: 'src/trust/record/ledger/prune-ledger.ts',
		out: 'prune-ledger.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded by `prowess rpc`, which a program starts.
		name: 'door for programs',
		entry: 'src/host/doors/rpc/serve-program.ts',
		out: 'rpc.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
		isSilent: true,
	},
	{
		// Loaded by `prowess mcp serve`, which an MCP client starts.
		name: 'door for MCP clients',
		entry: 'src/host/doors/mcp/serve-mcp.ts',
		out: 'mcp-door.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
		isSilent: true,
	},
	{
		// Loaded by `prowess web`.
		name: 'door for browsers',
		entry: 'src/host/doors/web/web-door.ts',
		out: 'web-door.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
		isSilent: true,
	},
	{
		// Loaded by a window with the first agent that uses Prowess over MCP in one of its folders.
		name: 'questions of doors',
		entry: 'src/host/doors/windows/attend-doors.ts',
		out: 'attend-doors.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first worktree.
		name: 'worktrees',
		entry: 'src/features/worktrees/worktrees.ts',
		out: 'worktrees.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first skill for AgentOS that is looked at.
		name: 'needs of AgentOS',
		entry: 'src/protocol/manifest/agent-os-program.ts',
		out: 'agent-os-needs.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded where Seatbelt is tried, on macOS.
		name: 'proof of Seatbelt',
		entry: 'src/machine/sandbox/seatbelt/prove-seatbelt.ts',
		out: 'prove-seatbelt.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded by `prowess capability validate`, and by the problems of programs.
		name: 'source checks',
		entry: 'src/execution/processes/workers/check-source.ts',
		out: 'check-source.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded by `prowess capability test`.
		name: 'capability cases',
		entry: 'src/cli/capability/cases/test-capabilities.ts',
		out: 'capability-cases.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded by `prowess agent list`.
		name: 'list of all agents',
		entry: 'src/cli/agents/all-agents.ts',
		out: 'all-agents.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded by `prowess run --record`, and to record a turn of the editor.
		name: 'recording',
		entry: 'src/features/replay/recording.ts',
		out: 'recording.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded by `prowess replay` and `prowess report`.
		name: 'replays',
		entry: 'src/cli/replay/replays.ts',
		out: 'replays.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded by `prowess replay --from`.
		name: 'going on from a step',
		entry: 'src/cli/run/from-step.ts',
		out: 'from-step.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded by `prowess eval`.
		name: 'evaluations',
		entry: 'src/cli/eval/evaluations.ts',
		out: 'evaluations.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded by the help, and by commands that the rest of the table does not have.
		name: 'commands of teams',
		entry: 'src/cli/team/team-commands.ts',
		out: 'team-commands.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded by `prowess doctor`.
		name: 'checks of the machine',
		entry: 'src/cli/machine-checks.ts',
		out: 'machine-checks.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded by `prowess team`, and where a home has joined a team.
		name: 'team of a home',
		entry: 'src/cli/team/team.ts',
		out: 'joined-team.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded by `prowess serve`.
		name: 'background host',
		entry: 'src/cli/background/background-host.ts',
		out: 'background-host.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded by `prowess work`, and by `prowess serve`.
		name: 'jobs',
		entry: 'src/cli/jobs/work-actions.ts',
		out: 'work-actions.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded by a server whose turns are recorded or replayed.
		name: 'taped models',
		entry: 'src/server/models/taped-models.ts',
		out: 'taped-models.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first PDF that is read.
		name: 'PDF reader',
		entry: 'src/machine/pdf/read-pdf.ts',
		out: 'pdf-reader.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first index of a marketplace.
		name: 'index reader',
		entry: 'src/catalog/marketplace/indexes/read-index.ts',
		out: 'index-reader.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first file of hooks.
		name: 'hook files',
		entry: 'src/trust/gate/hooks/foreign/look-at-hook-file.ts',
		out: 'hook-files.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first file of a custom agent.
		name: 'agent files',
		entry: 'src/features/agents/custom/read-agent-file.ts',
		out: 'agent-files.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded where an organisation has set rules.
		name: 'organisation rules',
		entry: 'src/machine/organisation/read-organisation.ts',
		out: 'organisation-rules.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first text from outside, or the first question.
		name: 'labels',
		entry: 'src/trust/gate/labels/tighten-by-labels.ts',
		out: 'labels.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first command.
		name: 'pipes of commands',
		entry: 'src/machine/shell/own-pipes.ts',
		out: 'own-pipes.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first command in a sandbox.
		name: 'what commands leave',
		entry: 'src/machine/sandbox/left/take-what-is-left.ts',
		out: 'what-is-left.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded when a command in a sandbox has ended.
		name: 'what commands put into Git',
		entry: 'src/machine/git/put-into-git.ts',
		out: 'put-into-git.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded when an op ends after which hooks of other agents may run.
		name: 'hooks after ops',
		entry: 'src/trust/gate/hooks/foreign/tell-of-end.ts',
		out: 'hooks-after-ops.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first manifest that is opened in the editor.
		name: 'manifest language',
		entry: 'src/server/language/manifest-language.ts',
		out: 'manifest-language.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first step of a goal that is said to be done.
		name: 'evidence of steps',
		entry: 'src/features/goal/step-evidence.ts',
		out: 'step-evidence.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded with the first property list.
		name: 'property lists',
		entry: 'src/machine/plist/parse-plist.ts',
		out: 'property-lists.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded when somebody begins a capability of their own.
		name: 'templates of capabilities',
		entry: 'src/catalog/registry/capability-template.ts',
		out: 'capability-templates.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		// Loaded by `prowess marketplace pack` and `index`.
		name: 'packer',
		entry: 'src/catalog/marketplace/build-index.ts',
		out: 'packer.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
	},
	{
		name: 'server',
		entry: 'src/server/main.ts',
		out: 'server.mjs',
		runsIn: 'node',
		firstTurn: bothPlaces,
	},
	{
		name: 'server program',
		entry: 'src/server/serve.ts',
		out: 'server-program.js',
		runsIn: 'program',
		firstTurn: bothPlaces,
	},
	{
		name: 'cli',
		entry: 'src/cli/main.ts',
		out: 'cli.mjs',
		runsIn: 'node',
		executable: true,
		firstTurn: ['on the command line'],
	},
	{
		name: 'cli program',
		entry: 'src/cli/command-line.ts',
		out: 'cli-program.js',
		runsIn: 'program',
		firstTurn: ['on the command line'],
	},
	{
		name: 'ledger worker',
		entry: 'src/trust/record/store/thread/worker.ts',
		out: 'ledger-worker.mjs',
		runsIn: 'node',
		firstTurn: ['in the editor'],
	},
	{
		name: 'sweep worker',
		entry: 'src/machine/sweep/worker.ts',
		out: 'sweep-worker.mjs',
		runsIn: 'node',
	},
	{
		// Started with the first memory, and in later hosts only where there is one.
		name: 'memory worker',
		entry: 'src/features/memory/worker.ts',
		out: 'memory-worker.mjs',
		runsIn: 'node',
	},
	{
		name: 'search worker',
		entry: 'src/machine/search/worker.ts',
		out: 'search-worker.mjs',
		runsIn: 'node',
	},
	{
		// Started by a search, where the user has switched the index on.
		name: 'code index worker',
		entry: 'src/features/code-index/worker.ts',
		out: 'code-index-worker.mjs',
		runsIn: 'node',
	},
	{
		name: 'SQL process',
		entry: 'src/machine/sql/sql-process.ts',
		out: 'sql-process.mjs',
		runsIn: 'node',
	},
	{
		name: 'network listener',
		entry: 'src/machine/sandbox/network/network-listener.ts',
		out: 'network-listener.mjs',
		runsIn: 'node',
	},
	{ name: 'webview', entry: 'src/webview/main.ts', out: 'webview.js', runsIn: 'browser', firstTurn: ['in the editor'] },
	{
		// Loaded by every page but the chat.
		name: 'webview pages',
		entry: 'src/webview/pages.ts',
		out: 'webview-pages.js',
		runsIn: 'browser',
	},
	{
		// Loaded by the view with the first formula.
		name: 'webview math',
		entry: 'src/webview/math/math.ts',
		out: 'webview-math.js',
		runsIn: 'browser',
	},
	{
		// Loaded by a page in a browser, before the script of the chat.
		name: 'webview web',
		entry: 'src/webview/web/carrier.ts',
		out: 'webview-web.js',
		runsIn: 'browser',
	},
	{
		name: 'webview web styles',
		entry: 'src/webview/web/web.css',
		out: 'webview-web.css',
		runsIn: 'browser',
	},
	{
		name: 'webview styles',
		entry: 'src/webview/styles.css',
		out: 'webview.css',
		runsIn: 'browser',
		firstTurn: ['in the editor'],
	},
];

/** An executor is a folder with a `main.ts`; adding one needs no line here. */
function executors(root: string): Bundle[] {
	const folder = join(root, 'src/executors');
	if (!existsSync(folder)) return [];
	return readdirSync(folder, { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'main.ts')))
		.map((entry) => ({
			name: `executor ${entry.name}`,
			entry: `src/executors/${entry.name}/main.ts`,
			out: `executors/${entry.name}.mjs`,
			runsIn: 'node',
			plainSockets: true,
		}));
}

/** Library of schemas, for all bundles that a first turn does not load. */
export const sharedSchemasBundle: Bundle = {
	name: 'schemas',
	entry: 'src/protocol/text/zod.ts',
	out: 'schemas.cjs',
	runsIn: 'extension host',
	isForPrograms: true,
};

/** Modules of the protocol, for the same bundles. The entry is a folder: each module in it waits until it is first asked for. */
export const sharedProtocolBundle: Bundle = {
	name: 'protocol',
	entry: 'src/protocol',
	out: 'protocol.cjs',
	runsIn: 'extension host',
	isForPrograms: true,
};

/** Packages that the extension and the programs load from a file of their own, where something of them is first used. */
export const latePackageNames: readonly string[] = ['croner', 'semver', 'ws', 'yaml', 'yauzl'];

const latePackageBundles: readonly Bundle[] = latePackageNames.map((name) => ({
	name: `package ${name}`,
	entry: name,
	out: `packages/${name}.cjs`,
	runsIn: 'extension host',
	isForPrograms: true,
	// A fresh home has no record of the built-in capabilities yet: their manifests are read.
	...(name === 'yaml' && { firstTurn: bothPlaces }),
}));

export function bundles(root: string): Bundle[] {
	return [...processes, ...executors(root), sharedSchemasBundle, sharedProtocolBundle, ...latePackageBundles];
}

/** Files that are loaded as they are: by Python, and by the webview. */
export const copies: readonly { readonly from: string; readonly to: string }[] = [
	{ from: 'sdk/python/worker.py', to: 'executors/python-worker/worker.py' },
	{ from: 'sdk/python/check.py', to: 'executors/python-worker/check.py' },
	{ from: 'sdk/python/prowess.py', to: 'executors/python-worker/prowess.py' },
	{ from: 'sdk/python/agentos.py', to: 'executors/python-worker/agentos.py' },
	{ from: 'sdk/python/agentos_text.py', to: 'executors/python-worker/agentos_text.py' },
	{ from: 'node_modules/@vscode/codicons/dist/codicon.css', to: 'codicon.css' },
	{ from: 'node_modules/@vscode/codicons/dist/codicon.ttf', to: 'codicon.ttf' },
];
