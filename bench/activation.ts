/**
 * Benchmark of a window's start: `activate()` against an empty extension in the same extension host, and the start of
 * the server.
 * The first figure needs the real VS Code of the tests; where that is not set up, the figure reports the reason
 * instead.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliServerProcess } from '../src/cli/server/server-process.ts';
import { PROTOCOL_VERSION, serverRequests } from '../src/protocol/server.ts';
import { readSettings } from '../src/protocol/settings/read-settings.ts';
import { exitOf, type Figure, median, ms, paired, ratio } from './measure.ts';

const root = join(import.meta.dirname, '..');
const HOSTS = 3;
const STARTS = 9;
const HOST_LIMIT_MS = 60_000;

export async function activationFigures(): Promise<Figure[]> {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'prowess-bench-')));
	try {
		return [await activation(folder), await serverStart(folder)];
	} finally {
		rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	}
}

interface Activated {
	readonly empty: number;
	readonly prowess: number;
}

async function activation(folder: string): Promise<Figure> {
	const figure = { goal: 'activation', what: 'activate() with its loading, above an empty extension', bar: '<= 20 ms' };
	const hosts: Activated[] = [];
	try {
		for (let host = 0; host < HOSTS; host += 1) {
			hosts.push(await activateInHost(join(folder, `host-${host}`), host % 2 === 0));
		}
	} catch (error) {
		const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
		return { ...figure, measured: `not measured: ${why}`, met: undefined };
	}
	const above = median(hosts.map(({ empty, prowess }) => prowess - empty));
	const measured = `${ms(above)} (${ms(median(hosts.map(({ prowess }) => prowess)))} / ${ms(median(hosts.map(({ empty }) => empty)))})`;
	return { ...figure, measured, met: above <= 20 };
}

/** Measures `activate()` of both extensions in one extension host; `isEmptyFirst` decides which is activated first. */
async function activateInHost(folder: string, isEmptyFirst: boolean): Promise<Activated> {
	// Only here: without the real VS Code these modules do not load.
	const { openBrowser } = await import('../test/vscode/harness/browser.ts');
	const { startTestServer } = await import('../test/vscode/harness/server.ts');
	mkdirSync(folder);
	const resultFile = join(folder, 'result.json');
	const empty = join(folder, 'extensions/bench.empty-0.0.1');
	mkdirSync(empty, { recursive: true });
	const manifest = { name: 'empty', publisher: 'bench', version: '0.0.1', engines: { vscode: '^1.100.0' } };
	writeFileSync(join(empty, 'package.json'), JSON.stringify({ ...manifest, main: './main.js', activationEvents: [] }));
	writeFileSync(join(empty, 'main.js'), 'exports.activate = () => {};');
	const runner = join(folder, 'runner.js');
	writeFileSync(runner, runnerSource(resultFile, isEmptyFirst));
	const workspace = join(folder, 'workspace');
	mkdirSync(workspace);
	const server = await startTestServer({ folder, isTestDriver: true });
	try {
		const browser = await openBrowser();
		try {
			const page = await browser.newPage(join(folder, 'console.log'));
			const { promise: ended, resolve } = Promise.withResolvers<void>();
			await page.exposeFunction('codeAutomationLog', () => {});
			await page.exposeFunction('codeAutomationExit', () => resolve());
			const address = server.url(workspace, [
				['extensionDevelopmentPath', server.uri(withoutStart(join(folder, 'prowess')))],
				['extensionTestsPath', server.uri(runner)],
				['skipWelcome', 'true'],
			]);
			await page.goto(address, { waitUntil: 'commit' });
			const late = setTimeout(resolve, HOST_LIMIT_MS);
			await ended;
			clearTimeout(late);
			return JSON.parse(readFileSync(resultFile, 'utf8')) as Activated;
		} finally {
			await browser.close();
		}
	} finally {
		await server.stop();
	}
}

/** The extension as it is, but for what activates it at the start of the window: here it is activated while it is timed. */
function withoutStart(folder: string): string {
	mkdirSync(folder);
	for (const name of ['dist', 'media', 'l10n', 'package.nls.json', 'package.nls.de.json', 'capabilities', 'schemas']) {
		symlinkSync(join(root, name), join(folder, name));
	}
	const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { activationEvents: string[] };
	manifest.activationEvents = manifest.activationEvents.filter((event) => event !== 'onStartupFinished');
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	return folder;
}

/** Runs in the extension host, as the runner of its tests. */
function runnerSource(resultFile: string, isEmptyFirst: boolean): string {
	const order = isEmptyFirst ? ['empty', 'prowess'] : ['prowess', 'empty'];
	return `const vscode = require('vscode');
exports.run = async () => {
	const ids = { empty: 'bench.empty', prowess: 'prowess.prowess' };
	const took = {};
	// Let the work of a window at its start end first.
	await new Promise((resolve) => setTimeout(resolve, 2000));
	for (const name of ${JSON.stringify(order)}) {
		const extension = vscode.extensions.getExtension(ids[name]);
		if (extension.isActive) throw new Error(ids[name] + ' is active already');
		const before = performance.now();
		await extension.activate();
		took[name] = performance.now() - before;
	}
	require('node:fs').writeFileSync(${JSON.stringify(resultFile)}, JSON.stringify(took));
};
`;
}

async function serverStart(folder: string): Promise<Figure> {
	const home = join(folder, 'home');
	mkdirSync(home, { mode: 0o700 });
	await startServer(home);
	const times = await paired(STARTS, {
		floor: async () => exitOf([process.execPath, '-e', '0']),
		prowess: () => startServer(home),
	});
	return {
		goal: 'server start',
		what: 'spawn of the server to the answer of `server/start`, against `node -e 0`',
		measured: `${ratio(times['prowess'])} (${ms(times['prowess']?.value)} / ${ms(times['floor']?.value)})`,
		bar: 'reported',
		met: undefined,
	};
}

async function startServer(home: string): Promise<number> {
	const silent = () => {};
	const started = performance.now();
	const server = new CliServerProcess({
		program: join(root, 'dist/server.mjs'),
		home,
		environment: process.env,
		log: { debug: silent, info: silent, warn: silent, error: silent },
		redact: (text) => text,
	});
	const { signal } = new AbortController();
	const workspace = { folders: [], trusted: false, platform: process.platform };
	const params = { protocolVersion: PROTOCOL_VERSION, host: 'cli' as const, home, workspace };
	const { settings } = readSettings(() => undefined);
	try {
		await server.start(async (within) => {
			await server.call(serverRequests.start, { ...params, settings }, within);
		}, signal);
		return performance.now() - started;
	} finally {
		await server.close();
	}
}
