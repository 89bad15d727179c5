/** What keeps executors in, tried on this machine: a capability that attempts to get out. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { confined, probeSandbox } from '../../src/capability-host/processes/sandbox.ts';
import { createTrustedBase } from '../../src/capability-host/compose.ts';
import { ExecutionScene } from '../support/execution-scene.ts';
import { testHost } from '../support/host-ports.ts';
import { processTree, waitUntilGone } from '../support/processes.ts';
import { tempDir } from '../support/temp-dir.ts';
import { waitFor } from '../support/wait-for.ts';

const never = new AbortController().signal;
const bwrapCandidates = [process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap'];

const attempts = `
import { readFileSync, writeFileSync, readdirSync } from 'node:fs';
const tried = async (what) => { try { return String(await what()).slice(0, 60) } catch (error) { return error.code ?? error.message } };
export default async function (params) {
	return {
		read: await tried(() => readFileSync(params.secret, 'utf8')),
		list: await tried(() => readdirSync(params.workspace)),
		write: await tried(() => writeFileSync(params.workspace + '/made.txt', 'x')),
		spawn: await tried(async () => (await import('node:child_process')).execFileSync('/bin/true')),
		worker: await tried(async () => new (await import('node:worker_threads')).Worker('0', { eval: true })),
		sqlite: await tried(async () => new (await import('node:sqlite')).DatabaseSync(params.workspace + '/made.db')),
		own: await tried(() => writeFileSync(process.env.HOME + '/own.txt', 'x')),
	};
}`;

describe('The walls around an executor', function () {
	this.timeout(30_000);

	it('keep a capability from the files, processes and databases of the user', async () => {
		const { ports, workspace, write } = testHost({ approvalMode: 'auto' });
		write('secret.txt', 'canary');
		write('.prowess/capabilities/skill/out/capability.yaml', 'name: out\ntype: skill\nversion: 1.0.0\n');
		write('.prowess/capabilities/skill/out/index.mjs', attempts);
		const base = await createTrustedBase(ports);
		try {
			const { sandbox } = await base.capabilities.sandbox();
			assert.notEqual(sandbox, 'none');
			const { result, error } = await base.capabilities.run(
				{
					capability: { name: 'out' },
					params: { secret: join(workspace, 'secret.txt'), workspace },
					caller: { kind: 'user', threadId: null },
				},
				never,
			);
			assert.equal(error, undefined);
			const { own, ...others } = result as Record<string, string>;
			assert.equal(own, 'undefined');
			for (const [what, said] of Object.entries(others)) {
				assert.match(said, /^ERR_|^ENOENT|^EROFS/, `${what}: ${said}`);
			}
			assert.equal(existsSync(join(workspace, 'made.txt')) || existsSync(join(workspace, 'made.db')), false);
		} finally {
			await base.close();
		}
	});

	it('name no folder by a bare star, and give none of the rights that open the others', () => {
		const { args } = confined(['x.mjs'], { readable: ['/a/*'], scratch: '/s', environment: {} }, undefined);
		assert.deepEqual(
			args.filter((each) => /allow-(?:worker|child|addons|wasi|net)|=\*$|[^/]\*$/.test(each)),
			[],
		);
	});

	it('are claimed only when they held: a sandbox that lets through is none', async () => {
		const { sandbox, bwrap } = await probeSandbox([process.execPath]);
		assert.deepEqual([sandbox, bwrap], ['permission', undefined]);
	});

	it('of the system hold by themselves: nothing is written but in its folder, and nothing seen beside the program', async function () {
		const bwrap = bwrapCandidates.find((path) => existsSync(path));
		if (bwrap === undefined) {
			this.skip();
		}
		const scratch = realpathSync(tempDir('scratch'));
		const write = (path: string) => `write: () => fs.writeFileSync(${JSON.stringify(path)}, 'x')`;
		const beside = `fs.readdirSync(require('node:path').dirname(process.execPath)).length`;
		const tries = ['/tmp/x', '/x', '/dev/shm/x', '/usr/x', join(scratch, 'x')].map(
			(path) => `{ path: ${JSON.stringify(path)}, ${write(path)} }`,
		);
		const script = `const fs = require('node:fs'); fs.writeSync(1, JSON.stringify({ beside: ${beside}, wrote: [${tries.join()}].filter(({ write }) => { try { write(); return true } catch { return false } }).map(({ path }) => path) }))`;
		const { program, args } = confined(['--eval', script], { readable: [], scratch, environment: {} }, bwrap);
		const withoutFlags = args.filter((each) => !/^--(?:permission|(?:allow|disable|no|max)-.*)$/.test(each));
		const said = execFileSync(program, withoutFlags, { encoding: 'utf8', env: {} });
		const inUsr = realpathSync(process.execPath).startsWith('/usr/');
		const { beside: seen, wrote } = JSON.parse(said) as { beside: number; wrote: string[] };
		assert.deepEqual(wrote, [join(scratch, 'x')]);
		assert.ok(inUsr || seen === 1, `${seen} files beside the program`);
	});

	it('are those of the system where bubblewrap works', async function () {
		if (!bwrapCandidates.some((path) => existsSync(path))) {
			this.skip();
		}
		const state = await probeSandbox(bwrapCandidates);
		assert.equal(state.sandbox, 'bwrap');
		const scene = new ExecutionScene({ executor: 'ignores-cancel', sandbox: state });
		try {
			const id = await scene.start();
			await waitFor('its first word', () => scene.progress.length > 0, 15_000);
			const inside = processTree(process.pid).filter(({ commandLine }) => commandLine.includes('ignores-cancel'));
			assert.ok(inside.length >= 2, 'bwrap, and the program in it');
			await scene.manager.stop(id);
			await waitUntilGone(inside.map(({ pid }) => pid));
			assert.equal(scene.manager.status(id), 'stopped');
		} finally {
			await scene.close();
		}
	});
});
