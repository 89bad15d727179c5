/**
 * Starts the VS Code server of the kit: its `server-main.js` on the pinned Node, on the loopback interface, behind a token.
 * Everything it starts (extension hosts, watchers, terminals) is in its process group and ends with it.
 */

import { type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import { killGroup, startInGroup } from '../setup/child-processes.mjs';
import { run } from '../setup/run.mjs';
import { StepFailed } from '../setup/step-failed.mjs';
import { noteVscodeStart } from '../test/vscode-starts.ts';
import { freePort } from './free-port.ts';

const limitsMs = { install: 60_000, start: 60_000, probe: 2_000, poll: 50, stop: 5_000 } as const;

interface VscodeServerPlace {
	readonly node: string;
	/** The server's entry script. */
	readonly main: string;
	/** Holds the user settings, the installed extensions and the server's own data. */
	readonly dataFolder: string;
	readonly settings: Readonly<Record<string, unknown>>;
	readonly env: NodeJS.ProcessEnv;
}

interface VscodeServerOptions extends VscodeServerPlace {
	readonly vsix?: string | undefined;
	/** True when untrusted workspaces exist at all; otherwise every folder is trusted. */
	readonly hasWorkspaceTrust: boolean;
	/** Folder of the extensions that are part of VS Code. Default: all of them. */
	readonly builtIn?: string | undefined;
	/** Makes the server load an extension under test from the URL. Also hides notifications and forbids dialogs. */
	readonly isTestDriver?: boolean;
}

export interface VscodeServer {
	/** Where it listens: `http://127.0.0.1:<port>`. */
	readonly origin: string;
	readonly pid: number;
	readonly logFile: string;
	/** Secret that permits opening windows; the server keeps it in a cookie of the browser. */
	readonly token: string;
	/** The address of a window on a folder. */
	url(folder: string, payload?: readonly (readonly [string, string])[]): string;
	/** A file of this machine as the workbench names it. */
	uri(path: string): string;
	/** Settles when the server has ended, whoever ended it. */
	readonly ended: Promise<void>;
	stop(): Promise<void>;
}

export async function startVscodeServer(options: VscodeServerOptions): Promise<VscodeServer> {
	const { node, dataFolder, vsix, isTestDriver = false } = options;
	const { common, env } = prepare(options);
	if (vsix !== undefined) await installExtension(options, vsix);

	noteVscodeStart();
	const port = await freePort();
	const token = randomBytes(16).toString('hex');
	const logFile = join(dataFolder, 'server.log');
	const log = openSync(logFile, 'w');
	const child = startInGroup(
		node,
		[
			...common,
			...['--host', '127.0.0.1', '--port', String(port), '--connection-token', token, '--telemetry-level', 'off'],
			...(options.hasWorkspaceTrust ? [] : ['--disable-workspace-trust']),
			...(options.builtIn === undefined ? [] : ['--builtin-extensions-dir', options.builtIn]),
			...(isTestDriver ? ['--enable-smoke-test-driver'] : []),
			// Else a login shell sets the PATH of the extension host anew, and `node` is whatever the machine has.
			'--force-disable-user-env',
		],
		{ env, stdio: ['ignore', log, log] },
	);
	closeSync(log);

	const ended = once(child, 'exit').then(() => undefined);
	const origin = `http://127.0.0.1:${port}`;
	await untilReady(child, origin, logFile);
	return {
		origin,
		token,
		pid: child.pid ?? 0,
		logFile,
		url(folder, payload) {
			const query = new URLSearchParams({ tkn: token, folder });
			if (payload !== undefined) query.set('payload', JSON.stringify(payload));
			return `${origin}/?${query}`;
		},
		uri: (path) => `vscode-remote://127.0.0.1:${port}${path}`,
		ended,
		stop: () => stop(child, ended),
	};
}

/** Installs the package into `extensions` of the data folder, as *Install from VSIX…* does. */
export async function installExtension(place: VscodeServerPlace, vsix: string): Promise<void> {
	const { common, env } = prepare(place);
	const advice = 'Look at the lines above; the package is made by `npm run package`.';
	const what = 'installing the extension';
	const args = [...common, '--install-extension', vsix, '--force'];
	const output = await run({ what, command: place.node, args, env, limitMs: limitsMs.install, advice });
	// Look at the output: the server ends with 0 even where it refuses the package.
	if (!output.includes('was successfully installed')) throw new StepFailed(`${what} did not work`, { advice, output });
}

function prepare({ main, dataFolder, settings, env }: VscodeServerPlace): {
	readonly common: readonly string[];
	readonly env: NodeJS.ProcessEnv;
} {
	return {
		common: [main, '--accept-server-license-terms', ...prepareFolders(dataFolder, settings)],
		env: { ...env, EXTENSIONS_GALLERY: '{"serviceUrl":""}' },
	};
}

function prepareFolders(dataFolder: string, settings: Readonly<Record<string, unknown>>): string[] {
	const file = join(dataFolder, 'user/User/settings.json');
	mkdirSync(dirname(file), { recursive: true });
	// Keep existing settings: in a kept folder the user may have changed them.
	if (!existsSync(file)) writeFileSync(file, JSON.stringify(settings, undefined, '\t'));
	return [
		`--user-data-dir=${join(dataFolder, 'user')}`,
		`--extensions-dir=${join(dataFolder, 'extensions')}`,
		`--server-data-dir=${join(dataFolder, 'server')}`,
	];
}

async function untilReady(child: ChildProcess, origin: string, logFile: string): Promise<void> {
	const started = performance.now();
	for (;;) {
		if (await answers(`${origin}/version`)) return;
		const isLate = performance.now() - started > limitsMs.start;
		if (!isLate && child.exitCode === null && child.signalCode === null) {
			await new Promise((resolve) => setTimeout(resolve, limitsMs.poll));
			continue;
		}
		killGroup(child);
		throw new StepFailed(
			isLate
				? `the VS Code server did not answer within ${limitsMs.start / 1000} s`
				: 'the VS Code server ended at once',
			{
				advice: 'Its last lines are above. Delete .tools/vscode to fetch it again.',
				output: readFileSync(logFile, 'utf8'),
			},
		);
	}
}

function answers(url: string): Promise<boolean> {
	return new Promise((resolve) => {
		const request = get(url, { agent: false, timeout: limitsMs.probe }, (response) => {
			response.resume();
			resolve(response.statusCode === 200);
		});
		request.on('timeout', () => request.destroy());
		request.on('error', () => resolve(false));
	});
}

/** Asks the whole group to end, then ends it: an extension host would wait three hours for its window to come back. */
async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
	killGroup(child, 'SIGTERM');
	const late = setTimeout(() => killGroup(child), limitsMs.stop);
	await ended;
	clearTimeout(late);
	// Kill processes that the server left behind in its group.
	killGroup(child);
}
