/**
 * Runs specs in the extension host of a desktop VS Code: the program that PROWESS_VSCODE names. Needs a display. Arguments:
 * spec files or their patterns, `--grep <title>`. Specs are noted in the file named in PROWESS_RESULTS.
 */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { quietSettings } from '../../../scripts/vscode/settings.ts';
import { bundleHostTests } from './bundle-host-tests.ts';
import { readResults, report } from './host-report.ts';
import { kit } from './kit.ts';
import { copySample } from './workspace.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { grep: { type: 'string' } } });
const program = process.env['PROWESS_VSCODE'];
if (program === undefined) throw new Error('PROWESS_VSCODE names no program; run `npm test -- --only desktop`');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wb-')));
try {
	const extensionTestsPath = await bundleHostTests(positionals, join(folder, 'specs'));
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
			...(values.grep !== undefined && { PROWESS_GREP: values.grep }),
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
