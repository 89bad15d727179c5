/**
 * Shares a VS Code server and a browser between all stories of this process, which take turns: a start costs more than
 * most stories. Each story, or suite of stories in one window (`one-window.ts`), has windows of its own in a browser that
 * has stored nothing, a folder of its own, and a home, settings and extensions as they were before the first. Anything
 * else that a story leaves behind fails it, by name.
 */

import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { VscodeServer } from '../../../scripts/vscode/server.ts';
import { openShared } from '../../support/for-the-process.ts';
import { isRunning } from '../../support/processes.ts';
import { lastingDir } from '../../support/temp-dir.ts';
import { type OpenBrowser, openBrowser } from './browser.ts';
import { haveCompanion } from './companion.ts';
import { kit } from './kit.ts';
import { endWaiting, filesOf, processesOf, untilEnded } from './left-behind.ts';
import { type StorySettings, startTestServer, writeSettings } from './server.ts';

/**
 * Longest times for the processes of a window to end: `window`, by themselves once the window is closed; `story`, after
 * their host is told to end, which waits for processes that do not listen.
 */
const limitsMs = { window: 2_000, story: 20_000 } as const;

interface StoryNeeds extends StorySettings {
	/** Another extension beside ours: its folder in the repository. */
	readonly companion: string | undefined;
}

/** Resources that a story has to itself until it gives them back. */
interface Place {
	readonly server: VscodeServer;
	readonly browser: OpenBrowser;
	/** For what the story itself makes. */
	readonly folder: string;
	/** The home folder that the extension host sees. Empty. */
	readonly home: string;
	/** Once its windows are closed. Rejects with the names of what is left, after which the next story gets another server. */
	giveBack(): Promise<void>;
}

interface Pool extends Pick<Place, 'server' | 'browser' | 'folder'> {
	isTaken: boolean;
	/** True when the machine is like this for one story. */
	readonly isOfStory: boolean;
}

let pool: Pool | undefined;
let stories = 0;

/**
 * Takes the place for one story at a time. A story that has not given it back, such as a hook that ran out of time,
 * loses the server.
 */
export async function takePlace(needs: StoryNeeds): Promise<Place> {
	if (pool?.isTaken === true || needs.organisation !== undefined) await endPool();
	const current = (pool ??= await openShared(() => startPool(needs.organisation)));
	const { server, browser, folder } = current;
	current.isTaken = true;
	stories += 1;
	setBack(folder);
	writeSettings(folder, needs);
	haveCompanion(join(folder, 'extensions'), needs.companion);
	const own = join(folder, 'stories', `${stories}`);
	mkdirSync(own);
	const before = filesOf(folder);
	return {
		server,
		browser,
		folder: own,
		home: join(folder, 'home'),
		giveBack: () => giveBack(current, before),
	};
}

async function startPool(organisation?: object): Promise<Pool> {
	mkdirSync(kit.artifacts, { recursive: true });
	const folder = lastingDir('wb');
	const server = await startTestServer({ folder, vsix: kit.vsix, hasFewExtensions: true, organisation });
	process.once('exit', () => {
		try {
			copyFileSync(server.logFile, join(kit.artifacts, `workbench-${process.pid}-${server.pid}.server.log`));
			rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
		} catch (error) {
			console.error(`${folder} stays: ${String(error)}`);
		}
	});
	try {
		return { server, browser: await openBrowser(), folder, isTaken: false, isOfStory: organisation !== undefined };
	} catch (error) {
		await server.stop();
		throw error;
	}
}

/** Empties every place in which VS Code, the extension or a program of a story keeps something. */
function setBack(folder: string): void {
	for (const path of ['home', 't', 'xdg/config', 'xdg/data', 'xdg/cache', 'stories', 'user/User', 'user/Machine']) {
		mkdirSync(join(folder, path), { recursive: true });
		for (const name of readdirSync(join(folder, path))) {
			rmSync(join(folder, path, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
		}
	}
	// VS Code makes these when it starts, and expects them from then on.
	for (const name of ['globalStorage', 'History']) mkdirSync(join(folder, 'user/User', name));
}

async function giveBack(current: Pool, before: ReadonlySet<string>): Promise<void> {
	const { server, browser, folder } = current;
	const left = await whatIsLeft(current, before);
	const isUsable = left.length === 0 && !current.isOfStory && isRunning(server.pid) && browser.isOpen();
	if (pool === current && !isUsable) await endPool();
	current.isTaken = false;
	if (left.length === 0) return;
	const named = left.map((each) => `- ${each.replaceAll(folder, '…')}`).join('\n');
	throw new Error(`left behind in the workbench:\n${named}`);
}

async function whatIsLeft({ server, browser, folder }: Pool, before: ReadonlySet<string>): Promise<readonly string[]> {
	const windows = await browser.closePages();
	const running = () => processesOf(server.pid, join(folder, 'home'));
	if ((await untilEnded(running, limitsMs.window)).length > 0) endWaiting(server.pid);
	const processes = await untilEnded(running, limitsMs.story);
	const files = [...filesOf(folder)].filter((path) => !before.has(path));
	return [
		...windows.map((address) => `the window ${address}`),
		...processes.map(({ pid, commandLine }) => `the process ${pid} ${commandLine}`),
		...files.map((path) => `the file ${path}`),
	];
}

/** Ends the server and the browser. The next story starts others. */
export async function endPool(): Promise<void> {
	const ending = pool;
	pool = undefined;
	await ending?.browser.close();
	await ending?.server.stop();
}
