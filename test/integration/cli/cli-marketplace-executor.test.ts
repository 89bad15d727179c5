/** An executor from an index: installed, switched on and used through the real CLI. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { build, stop } from 'esbuild';
import type { CapabilityExecutionResult } from '../../../src/protocol/execution/execution.ts';
import { writeFiles } from '../../support/marketplace-scene.ts';
import { commandLimitMs, User } from './cli-process.ts';

const program = join(import.meta.dirname, '../../fixtures/executors/second-result.mjs');

describe('prowess marketplace: an executor', function () {
	this.timeout(4 * commandLimitMs);

	it('runs nothing before it is switched on, and then what only it can run', async () => {
		const user = new User();
		const index = join(user.root, 'index');
		writeFiles(index, {
			'executors/pipes/executor.yaml':
				'name: pipes\nversion: 1.0.0\nsupportedTypes: [pipeline]\nentryPoint: dist/index.mjs\n',
			'pipeline/build/capability.yaml': 'name: build\ntype: pipeline\nversion: 1.0.0\ndescription: builds\n',
			'pipeline/build/README.md': '# build\n',
			'executors/remote/executor.yaml':
				'name: remote\nversion: 1.0.0\nsupportedTypes: [far]\nentryPoint: index.js\nchannel: loopback\n',
			'executors/remote/index.js': '',
		});
		await build({
			entryPoints: [program],
			outfile: join(index, 'executors/pipes/dist/index.mjs'),
			bundle: true,
			platform: 'node',
			format: 'esm',
			banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
			logLevel: 'silent',
		});
		await stop();
		const done = async (words: readonly string[]) => {
			const { code, stdout, stderr } = await user.runs(words);
			assert.equal(code, 0, stderr);
			return stdout;
		};
		const run = () => user.runs(['capability', 'run', 'build', '--trust', '--approve', 'auto', '--json']);
		await done(['marketplace', 'index', index, '--name', 'ours']);
		assert.match(await done(['marketplace', 'show', 'pipes', '--from', index]), /permissions: +run:pipeline/);
		assert.match(
			await done(['marketplace', 'show', 'remote', '--from', index]),
			/permissions: +run:far, channel:loopback\nchannel: +opens a port on this machine/,
		);
		for (const name of ['pipes', 'build']) {
			assert.match(await done(['marketplace', 'install', name, '--from', index]), /It is disabled/);
		}
		await done(['capability', 'enable', 'build']);
		const refused = await run();
		assert.equal(refused.code, 1);
		const { error } = JSON.parse(refused.stdout) as CapabilityExecutionResult;
		assert.equal(error?.code, 'CAPABILITY_DISABLED');
		assert.match(error?.message ?? '', /executor for capabilities of type "pipeline" is switched off/);
		assert.match(await done(['executor', 'list']), /pipes .*\[disabled\]/);
		await done(['capability', 'enable', 'pipes']);
		const ran = await run();
		assert.equal(ran.code, 0, ran.stderr);
		assert.equal((JSON.parse(ran.stdout) as CapabilityExecutionResult).result, 'first');
		await done(['marketplace', 'remove', 'pipes']);
		assert.match((await run()).stdout, /EXECUTOR_NOT_FOUND/);
	});
});
