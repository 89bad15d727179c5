import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, it } from 'mocha';
import { serverFlags } from '../../host/server-inheritance.ts';
import { createServerOverlay } from './server-environment.ts';

/** Uses 30 MB, and leaves some hundred MB of garbage that is old enough for the collection of the whole heap. */
const GARBAGE = `
	const kept = Array.from({ length: 300_000 }, (_, at) => ({ at, text: 'x' + at }));
	let young = [];
	for (let at = 0; at < 3_000_000; at += 1) {
		young.push({ at, list: [at], text: 'y' + at });
		if (young.length > 60_000) young = [];
	}
	kept.at(-1);
`;

describe('serverEnvironment', () => {
	it('takes away keys and what VS Code tells its children, and keeps what a program needs to run', () => {
		const overlay = createServerOverlay(
			{ PATH: '/bin', LC_ALL: 'C', ANTHROPIC_API_KEY: 'x', VSCODE_IPC_HOOK: 'y', NODE_OPTIONS: '--inspect' },
			undefined,
		);
		assert.deepEqual(Object.keys(overlay).toSorted(), [
			'ANTHROPIC_API_KEY',
			'NODE_OPTIONS',
			'NODE_USE_ENV_PROXY',
			'VSCODE_IPC_HOOK',
		]);
		assert.equal(overlay['ANTHROPIC_API_KEY'], undefined);
	});

	it("uses the user's proxy only where the environment names none", () => {
		assert.equal(createServerOverlay({}, 'http://proxy:1')['HTTPS_PROXY'], 'http://proxy:1');
		assert.equal(createServerOverlay({ https_proxy: 'http://own:2' }, 'http://proxy:1')['HTTPS_PROXY'], undefined);
	});

	it('passes only flags that the Node at hand knows', () => {
		assert.ok(serverFlags('24.15.0', 'vscode').includes('--disable-sigusr1'));
		assert.ok(serverFlags('22.20.0', 'vscode').includes('--disable-sigusr1'));
		assert.ok(!serverFlags('22.12.0', 'vscode').includes('--disable-sigusr1'));
	});

	it('keeps the young generation of the server small', () => {
		assert.ok(serverFlags('24.15.0', 'vscode').includes('--max-semi-space-size=4'));
		assert.ok(serverFlags('24.15.0', 'cli').includes('--max-semi-space-size=2'));
	});

	it('has the server of a window collect garbage well before it would by itself', async () => {
		const flags = serverFlags(process.versions.node, 'vscode');
		const highest = async (given: readonly string[]) => {
			const { stdout } = await promisify(execFile)(process.execPath, [...given, '--trace-gc', '--eval', GARBAGE]);
			return Math.max(...[...stdout.matchAll(/Mark-Compact (\d+\.\d) /g)].map(([, before]) => Number(before)));
		};
		const [bounded, usual] = [await highest(flags), await highest(flags.filter((flag) => !/heap-growing/.test(flag)))];
		assert.ok(bounded < usual * 0.85, `${bounded} MB, and ${usual} MB by itself`);
	});
});
