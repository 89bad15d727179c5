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
	/** Most bytes of the minified output. `test/bundles.test.ts` checks it. */
	readonly budgetBytes: number;
}

const KB = 1000;
/** Largest size of the users' download, `dist/prowess.vsix`, in bytes. Peers ask for 7 to 439 MB. */
export const vsixBudgetBytes = 4 * 1024 * 1024;

const processes: readonly Bundle[] = [
	{
		name: 'extension',
		entry: 'src/extension/extension.ts',
		out: 'extension.cjs',
		runsIn: 'extension host',
		budgetBytes: 15 * KB,
	},
	{
		// Loaded by the extension when it is first needed.
		name: 'extension app',
		entry: 'src/extension/compose.ts',
		out: 'extension-app.cjs',
		runsIn: 'extension host',
		budgetBytes: 1_915 * KB,
	},
	{
		// Loaded by the app when the server first starts.
		name: 'extension client',
		entry: 'src/extension/server/watched-client.ts',
		out: 'extension-client.cjs',
		runsIn: 'extension host',
		budgetBytes: 480 * KB,
	},
	{
		// Loaded with the first MCP server.
		name: 'MCP SDK',
		entry: 'src/execution/mcp/sdk.ts',
		out: 'mcp-sdk.cjs',
		runsIn: 'extension host',
		isForPrograms: true,
		isSilent: true,
		budgetBytes: 470 * KB,
	},
	{
		name: 'server',
		entry: 'src/server/main.ts',
		out: 'server.mjs',
		runsIn: 'node',
		budgetBytes: 4 * KB,
	},
	{
		name: 'server program',
		entry: 'src/server/serve.ts',
		out: 'server-program.js',
		runsIn: 'program',
		budgetBytes: 861 * KB,
	},
	{
		name: 'cli',
		entry: 'src/cli/main.ts',
		out: 'cli.mjs',
		runsIn: 'node',
		executable: true,
		// With the words of `run`, for which it starts the server before it loads the rest.
		budgetBytes: 24 * KB,
	},
	{
		name: 'cli program',
		entry: 'src/cli/command-line.ts',
		out: 'cli-program.js',
		runsIn: 'program',
		budgetBytes: 1_925 * KB,
	},
	{
		name: 'ledger worker',
		entry: 'src/trust/record/store/thread/worker.ts',
		out: 'ledger-worker.mjs',
		runsIn: 'node',
		budgetBytes: 44 * KB,
	},
	{
		name: 'sweep worker',
		entry: 'src/machine/sweep/worker.ts',
		out: 'sweep-worker.mjs',
		runsIn: 'node',
		budgetBytes: 40 * KB,
	},
	{
		// Started with the first memory, and in later hosts only where there is one.
		name: 'memory worker',
		entry: 'src/features/memory/worker.ts',
		out: 'memory-worker.mjs',
		runsIn: 'node',
		budgetBytes: 28 * KB,
	},
	{
		name: 'search worker',
		entry: 'src/machine/search/worker.ts',
		out: 'search-worker.mjs',
		runsIn: 'node',
		budgetBytes: 60 * KB,
	},
	{
		// Started by a search, where the user has switched the index on.
		name: 'code index worker',
		entry: 'src/features/code-index/worker.ts',
		out: 'code-index-worker.mjs',
		runsIn: 'node',
		budgetBytes: 80 * KB,
	},
	{
		name: 'SQL process',
		entry: 'src/machine/sql/sql-process.ts',
		out: 'sql-process.mjs',
		runsIn: 'node',
		budgetBytes: 20 * KB,
	},
	{
		name: 'network listener',
		entry: 'src/machine/sandbox/network/network-listener.ts',
		out: 'network-listener.mjs',
		runsIn: 'node',
		budgetBytes: 2 * KB,
	},
	{ name: 'webview', entry: 'src/webview/main.ts', out: 'webview.js', runsIn: 'browser', budgetBytes: 545 * KB },
	{
		// Loaded by the view with the first formula.
		name: 'webview math',
		entry: 'src/webview/math/math.ts',
		out: 'webview-math.js',
		runsIn: 'browser',
		budgetBytes: 290 * KB,
	},
	{
		name: 'webview styles',
		entry: 'src/webview/styles.css',
		out: 'webview.css',
		runsIn: 'browser',
		budgetBytes: 55 * KB,
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
			budgetBytes: 150 * KB,
		}));
}

export function bundles(root: string): Bundle[] {
	return [...processes, ...executors(root)];
}

/** Files that are loaded as they are: by Python, and by the webview. */
export const copies: readonly { readonly from: string; readonly to: string }[] = [
	{ from: 'sdk/python/worker.py', to: 'executors/python-worker/worker.py' },
	{ from: 'sdk/python/prowess.py', to: 'executors/python-worker/prowess.py' },
	{ from: 'node_modules/@vscode/codicons/dist/codicon.css', to: 'codicon.css' },
	{ from: 'node_modules/@vscode/codicons/dist/codicon.ttf', to: 'codicon.ttf' },
];
