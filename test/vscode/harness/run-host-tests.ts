/**
 * Runs the specs of test/vscode/host/ in the extension host of a real VS Code, with the extension loaded from the
 * repository as F5 does. Arguments: spec files or their patterns,
 * `--grep <title>`. Counts go to the file named in PROWESS_RESULTS.
 */

import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { currentTry, pictureName } from '../../../scripts/test/pictures.ts';
import { openBrowser } from './browser.ts';
import { bundleHostTests } from './bundle-host-tests.ts';
import { readResults, report } from './host-report.ts';
import type { HostResults } from './host-results.ts';
import { kit } from './kit.ts';
import { startTestServer } from './server.ts';
import { copySample } from './workspace.ts';

const wholeRunLimitMs = 8 * 60_000;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { grep: { type: 'string' } } });
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wb-')));
try {
	report(await runInHost(), 'test/vscode/host');
} finally {
	rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

async function runInHost(): Promise<HostResults> {
	mkdirSync(kit.artifacts, { recursive: true });
	const runner = await bundleHostTests(positionals, join(folder, 'specs'));
	const workspace = join(folder, 'workspace');
	copySample(workspace);
	const resultsFile = join(folder, 'results.json');
	const server = await startTestServer({
		folder,
		// Without it VS Code ignores the extension and the runner that the URL names.
		isTestDriver: true,
		env: {
			PROWESS_HOST_RESULTS: resultsFile,
			PROWESS_MOCHA: dirname(createRequire(import.meta.url).resolve('mocha/package.json')),
			...(values.grep !== undefined && { PROWESS_GREP: values.grep }),
		},
	});
	try {
		const browser = await openBrowser();
		try {
			const page = await browser.newPage(join(kit.artifacts, 'host.console.log'));
			const untilEnd = await exposeEnd(page);
			await page.goto(
				server.url(workspace, [
					['extensionDevelopmentPath', server.uri(kit.root)],
					['extensionTestsPath', server.uri(runner)],
					['skipWelcome', 'true'],
					['skipReleaseNotes', 'true'],
				]),
				{ waitUntil: 'commit' },
			);
			await untilEnd();
			const results = readResults(resultsFile);
			if (!results.done) await page.screenshot({ path: join(kit.artifacts, 'host-not-done.png') });
			for (const { title, state } of results.specs) {
				if (state !== 'failed' && currentTry() === 'first') continue;
				await page.screenshot({ path: join(kit.artifacts, pictureName(currentTry(), title, 1)) });
			}
			return results;
		} finally {
			await browser.close();
		}
	} finally {
		await server.stop();
		copyFileSync(server.logFile, join(kit.artifacts, 'host.server.log'));
	}
}

/**
 * Exposes the functions that the workbench calls by name when the tests have ended. Ignores the exit code passed to
 * them: a killed host passes 0. Must be called before the page loads; the returned function waits for the call.
 */
async function exposeEnd(page: Page): Promise<() => Promise<void>> {
	const { promise, resolve } = Promise.withResolvers<void>();
	await page.exposeFunction('codeAutomationLog', () => {});
	await page.exposeFunction('codeAutomationExit', () => resolve());
	return async () => {
		const late = setTimeout(() => {
			console.error(`the tests in the extension host did not end within ${wholeRunLimitMs / 1000} s`);
			resolve();
		}, wholeRunLimitMs);
		await promise;
		clearTimeout(late);
	};
}
