/**
 * Runs INSIDE the extension host: mocha over the bundled specs beside it. It is bundled too, as CommonJS, which is what VS
 * Code loads. How it went is in the results file only: an extension host that is killed reports success by itself.
 */

import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type Mocha from 'mocha';
import type { HostResults } from './host-results.ts';

export function run(): Promise<void> {
	const { env } = process;
	const mocha = new (loadMocha(env['PROWESS_MOCHA'] ?? 'mocha'))({
		ui: 'bdd',
		timeout: 20_000,
		color: false,
		forbidOnly: true,
		...(env['PROWESS_GREP'] !== undefined && { grep: env['PROWESS_GREP'] }),
	});
	for (const name of readdirSync(__dirname)) if (name.endsWith('.test.js')) mocha.addFile(join(__dirname, name));

	const results: HostResults = { done: false, passed: [], failed: [], skipped: [] };
	const save = () => writeFileSync(env['PROWESS_HOST_RESULTS'] ?? '', JSON.stringify(results));
	save();
	return new Promise((resolve, reject) => {
		mocha
			.run((failures) => {
				results.done = true;
				save();
				if (failures === 0) resolve();
				else reject(new Error(`${failures} tests failed`));
			})
			.on('pass', (test) => (results.passed.push({ title: test.fullTitle(), ms: test.duration ?? 0 }), save()))
			.on('fail', (test, error: Error) => {
				results.failed.push({ title: test.fullTitle(), error: error.stack ?? error.message });
				save();
			})
			.on('pending', (test) => (results.skipped.push(test.fullTitle()), save()));
	});
}

/** mocha is an ES module: what `require` makes of it differs between the hosts of different VS Code versions. */
function loadMocha(path: string): typeof Mocha {
	const loaded = createRequire(__filename)(path) as typeof Mocha & { default?: typeof Mocha; Mocha?: typeof Mocha };
	return loaded.default ?? loaded.Mocha ?? loaded;
}
