/**
 * Runs INSIDE the extension host: mocha over the bundled specs beside it. This module is bundled too, as CommonJS,
 * which is the format that VS Code loads. Only the results file tells how the run went: an extension host that is
 * killed reports success by itself.
 */

import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type Mocha from 'mocha';
import type { HostResults, HostSpec } from './host-results.ts';

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

	const results: HostResults = { done: false, specs: [] };
	const save = () => writeFileSync(env['PROWESS_HOST_RESULTS'] ?? '', JSON.stringify(results));
	const note = (ended: Mocha.Runnable, state: HostSpec['state'], error?: Error) => {
		const [suite = ''] = ended.titlePath();
		const kind = (ended as { type?: string }).type === 'hook' ? 'hook' : 'spec';
		const said = error === undefined ? {} : { error: error.stack ?? error.message };
		results.specs.push({ suite, title: ended.fullTitle(), kind, state, ms: ended.duration ?? 0, ...said });
		save();
	};
	save();
	return new Promise((resolve, reject) => {
		mocha
			.run((failures) => {
				results.done = true;
				save();
				if (failures === 0) resolve();
				else reject(new Error(`${failures} tests failed`));
			})
			.on('pass', (test) => note(test, 'passed'))
			.on('fail', (test, error: Error) => note(test, 'failed', error))
			.on('pending', (test) => note(test, 'skipped'));
	});
}

/** mocha is an ES module: what `require` makes of it differs between the hosts of different VS Code versions. */
function loadMocha(path: string): typeof Mocha {
	const loaded = createRequire(__filename)(path) as typeof Mocha & { default?: typeof Mocha; Mocha?: typeof Mocha };
	return loaded.default ?? loaded.Mocha ?? loaded;
}
