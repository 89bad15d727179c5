/** Tests the sandbox of executors on this machine, with a capability that attempts to get out. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfinedCommand, probeSandbox } from '../../../src/machine/sandbox/sandbox.ts';
import { spawnConfined } from '../../../src/machine/sandbox/spawn-confined.ts';
import { createTrustedBase } from '../../../src/host/compose.ts';
import { ExecutionScene } from '../../support/execution-scene.ts';
import { testHost } from '../../support/host-ports.ts';
import { processTree, waitUntilGone } from '../../support/processes.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';

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
		const { args } = createConfinedCommand(
			{ runtime: 'node', args: ['x.mjs'] },
			{ readable: ['/a/*'], scratch: '/s', environment: {} },
			undefined,
		);
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
		const node = { runtime: 'other', file: process.execPath, args: ['--eval', script] } as const;
		const within = { readable: [], scratch, environment: {} };
		const { program, args } = createConfinedCommand(node, within, { file: bwrap, filter: undefined });
		const said = execFileSync(program, args, { encoding: 'utf8', env: {} });
		const inUsr = realpathSync(process.execPath).startsWith('/usr/');
		const { beside: seen, wrote } = JSON.parse(said) as { beside: number; wrote: string[] };
		assert.deepEqual(wrote, [join(scratch, 'x')]);
		assert.ok(inUsr || seen === 1, `${seen} files beside the program`);
	});

	it('keep in a program that is not Node, too, which gets no flags of Node', function () {
		const bwrap = bwrapCandidates.find((path) => existsSync(path));
		if (bwrap === undefined) {
			this.skip();
		}
		const home = realpathSync(tempDir('other-runtime'));
		const scratch = join(home, 'scratch');
		const readable = join(home, 'readable');
		const secret = join(home, 'secret.txt');
		for (const folder of [scratch, readable]) mkdirSync(folder);
		writeFileSync(secret, 'canary');
		writeFileSync(join(readable, 'own.txt'), 'its own');
		const script = `cat ${secret}; cat ${readable}/own.txt; echo x > ${scratch}/made; echo x > ${readable}/made; echo $GIVEN; env`;
		const shell = { runtime: 'other', file: '/bin/sh', args: ['-c', script] } as const;
		const within = { readable: [`${readable}/*`], scratch, environment: { GIVEN: 'given' } };
		const { program, args } = createConfinedCommand(shell, within, { file: bwrap, filter: undefined });
		const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env: { LEAKED: 'ours' } });
		assert.match(stdout, /^its owngiven\n/);
		assert.doesNotMatch(stdout, /canary|LEAKED/);
		assert.match(stderr, /secret\.txt/);
		assert.deepEqual([existsSync(join(scratch, 'made')), existsSync(join(readable, 'made'))], [true, false]);
		assert.deepEqual(
			args.filter((each) => /^--(?:permission|allow-|max-old)/.test(each)),
			[],
		);
	});

	it('of the system refuse system calls that reach for the kernel, whatever runs within them', async function () {
		const { bwrap } = await probeSandbox(bwrapCandidates);
		if (bwrap?.filter === undefined) this.skip();
		const script = `grep '^Seccomp:' /proc/self/status; unshare -U true || echo refused; [ ! -e /proc/self/fd/3 ] || echo left`;
		const shell = { runtime: 'other', file: '/bin/sh', args: ['-c', script] } as const;
		const within = { readable: [], scratch: realpathSync(tempDir('scratch')), environment: {} };
		const child = spawnConfined(createConfinedCommand(shell, within, bwrap), { stdio: ['ignore', 'pipe', 'ignore'] });
		let said = '';
		child.stdout?.on('data', (piece: Buffer) => (said += piece.toString('utf8')));
		await once(child, 'close');
		assert.deepEqual(said.split(/\s+/), ['Seccomp:', '2', 'refused', '']);
	});

	it('are not given up for a program that is not Node: without them it does not run', () => {
		const shell = { runtime: 'other', file: '/bin/sh', args: [] } as const;
		assert.throws(() => createConfinedCommand(shell, { readable: [], scratch: '/s', environment: {} }, undefined), {
			code: 'NOT_AVAILABLE_HERE',
		});
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
			await waitFor('its first word', () => scene.progress.length > 0);
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
