/**
 * Runs the specs of test/vscode/host/ in the extension host of a desktop VS Code: the one that PROWESS_VSCODE names (the
 * program itself, not its command-line script), else one that is downloaded. Needs a display.
 */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { quietSettings } from '../../../scripts/vscode/settings.ts';
import { bundleHostTests } from './bundle-host-tests.ts';
import { readResults, report } from './host-report.ts';
import { kit } from './kit.ts';
import { copySample } from './workspace.ts';

const downloadLimitMs = 120_000;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wb-')));
try {
	const program = process.env['PROWESS_VSCODE'] ?? (await download());
	const extensionTestsPath = await bundleHostTests([], join(folder, 'specs'));
	const workspace = join(folder, 'workspace');
	copySample(workspace);
	const user = join(folder, 'user');
	mkdirSync(join(user, 'User'), { recursive: true });
	writeFileSync(join(user, 'User', 'settings.json'), JSON.stringify(quietSettings));
	const resultsFile = join(folder, 'results.json');
	await runTests({
		vscodeExecutablePath: program,
		extensionDevelopmentPath: kit.root,
		extensionTestsPath,
		extensionTestsEnv: {
			PROWESS_HOME: join(folder, 'home'),
			PROWESS_HOST_RESULTS: resultsFile,
			PROWESS_MOCHA: dirname(createRequire(import.meta.url).resolve('mocha/package.json')),
		},
		launchArgs: [
			...[workspace, '--disable-extensions', '--disable-workspace-trust', '--skip-welcome', '--skip-release-notes'],
			...[`--user-data-dir=${user}`, `--extensions-dir=${join(folder, 'extensions')}`],
			...['--disable-updates', '--password-store=basic', '--disable-gpu', '--no-sandbox'],
		],
	}).catch((error: unknown) => console.error(`desktop VS Code: ${String(error)}`));
	report(readResults(resultsFile), 'test/vscode/host');
} finally {
	rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

async function download(): Promise<string> {
	try {
		return await downloadAndUnzipVSCode({ timeout: downloadLimitMs });
	} catch (error) {
		const advice = 'Install one and name its program in PROWESS_VSCODE.';
		throw new Error(`no desktop VS Code could be downloaded: ${String(error)}. ${advice}`, { cause: error });
	}
}
