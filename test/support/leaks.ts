/**
 * Root hooks: a test that leaves a child process, socket, server, worker, watcher, timer or temporary folder behind, or
 * drops a rejected promise, fails the run. The run goes on to its end first, so that every leak is named once. Where files
 * run side by side, each file is a run of its own, and a process has several of them one after the other. A test that failed
 * may have been kept from cleaning up: what it leaves is said and cleared, and counts no more than its failure does, which a
 * second try can take back.
 */

import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedFolder } from './for-the-process.ts';
import { describeHandle, loading, nowRunning, type OpenHandle, openHandles, trackHandles } from './open-handles.ts';
import { enterTest, removeTempDirs } from './temp-dir.ts';

/** A process that was killed or a socket that was closed needs a moment to be gone. */
const settleLimitMs = 1_000;
const pollMs = 5;
/** For the root hooks themselves. */
const hookLimitMs = 60_000;
const betweenTests = 'the hooks around the tests';

const leaks: string[] = [];
/**
 * The code under test makes its temporary folders here; whatever remains in it was forgotten. The name is short because the
 * path of a socket below it has at most 107 characters.
 */
const systemTemp = realpathSync(tmpdir());
const temp = mkdtempSync(join(systemTemp, 'prowess-t-'));
process.env['TMPDIR'] = process.env['TMP'] = process.env['TEMP'] = temp;

let running = betweenTests;
/**
 * Entries of the temporary folder that existed before the test. Entries made by a `before` hook are still in use by the tests after it; they
 * must be gone at the end of the run.
 */
let foldersBefore = new Set<string>();
function noteRejection(reason: unknown): void {
	leaks.push(`${running}: a rejection that nobody handled: ${reason instanceof Error ? reason.stack : String(reason)}`);
}
process.on('unhandledRejection', noteRejection);
process.on('exit', () => {
	endShared();
	rmSync(temp, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
});
trackHandles();

export const mochaHooks: Mocha.RootHookObject = {
	beforeAll() {
		// A process of mocha's that runs several files takes off every listener after each.
		process.off('unhandledRejection', noteRejection).on('unhandledRejection', noteRejection);
		nowRunning(betweenTests);
	},
	beforeEach(this: Mocha.Context) {
		running = this.currentTest?.fullTitle() ?? betweenTests;
		nowRunning(running);
		foldersBefore = new Set(readdirSync(temp));
		enterTest();
	},
	async afterEach(this: Mocha.Context) {
		this.timeout(hookLimitMs);
		const before = leaks.length;
		await collectLeaks(running);
		collectFolders(running, 'test');
		if (this.currentTest?.state === 'failed') sayOfFailed(leaks.splice(before));
		running = betweenTests;
		nowRunning(running);
	},
	async afterAll(this: Mocha.Context) {
		this.timeout(hookLimitMs);
		await collectLeaks(betweenTests);
		foldersBefore.clear();
		collectFolders(betweenTests, 'run');
		nowRunning(loading);
		const found = leaks.splice(0);
		if (found.length > 0) throw new Error(`left behind by the tests:\n${found.map((leak) => `- ${leak}`).join('\n')}`);
	},
};

function sayOfFailed(left: readonly string[]): void {
	for (const leak of left) console.error(`left behind by a test that failed: ${leak}`);
}

async function collectLeaks(owner: string): Promise<void> {
	nowRunning('the leak check');
	const stillOpen = () => openHandles().filter(({ openedIn }) => openedIn === owner);
	const started = performance.now();
	while (stillOpen().length > 0 && performance.now() - started < settleLimitMs) {
		await new Promise((resolve) => setTimeout(resolve, pollMs));
	}
	for (const handle of stillOpen()) {
		leaks.push(`${owner}: ${describeHandle(handle)}`);
		endChild(handle);
	}
}

/** A leaked child is reported once and does not outlive the run. */
function endChild({ kind, resource }: OpenHandle): void {
	if (kind === 'child process' && 'kill' in resource) (resource as { kill(signal: number): void }).kill(9);
}

/** Ends the resources that the files of this process shared, with all processes that those started. */
function endShared(): void {
	for (const handle of openHandles()) {
		const { kind, openedIn, resource } = handle;
		if (kind !== 'child process' || openedIn !== loading || !('pid' in resource)) continue;
		try {
			process.kill(-Number(resource.pid), 'SIGKILL');
		} catch {
			// The process is gone, or leads no group.
			endChild(handle);
		}
	}
}

function collectFolders(owner: string, of: 'test' | 'run'): void {
	for (const name of readdirSync(temp).filter((each) => !foldersBefore.has(each) && each !== sharedFolder)) {
		leaks.push(`${owner}: the temporary file or folder ${name}`);
		rmSync(join(temp, name), { recursive: true, force: true });
	}
	for (const left of removeTempDirs(of)) leaks.push(`${owner}: the folder of tempDir() could not be removed: ${left}`);
}
