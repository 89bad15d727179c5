/** Host and executor killed without a word, at each step of an op that a capability asks for. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTrustedBase } from '../../../src/host/compose.ts';
import { testHost } from '../../support/host-ports.ts';
import { runningProcesses, waitUntilGone } from '../../support/processes.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { CapabilityOrder } from './capability-host-program.ts';
import { specProgram } from '../../support/programs.ts';

const manifest = 'name: writer\ntype: skill\nversion: 1.0.0\npermissions: [workspace.read, workspace.write]\n';
const skill = `
export async function execute(params, { host, progress }) {
	if (params.waits) await new Promise(() => {});
	progress('here');
	if (params.spin) for (;;);
	await host.fs.write({ path: 'made.txt', content: 'made' });
	return 'written';
}`;
const never = new AbortController().signal;

/** Killed as soon as it has started, it must not be further than that by then. */
const waits = (dieAt: CapabilityOrder['dieAt']) => (dieAt === 'started' ? { waits: true } : {});

function order(victim: CapabilityOrder['victim'], dieAt: CapabilityOrder['dieAt'], params: unknown = waits(dieAt)) {
	const files = { 'capability.yaml': manifest, 'index.mjs': skill };
	const { home, workspace } = testHost({
		files: Object.fromEntries(
			Object.entries(files).map(([name, text]) => [`.prowess/capabilities/skill/writer/${name}`, text]),
		),
	});
	return { home, workspace, victim, dieAt, params } satisfies CapabilityOrder;
}

async function runHost(given: CapabilityOrder): Promise<{ pid: number; result: string | undefined }> {
	const program = specProgram(join(import.meta.dirname, 'capability-host-program.ts'));
	const child = spawn(process.execPath, [program, JSON.stringify(given)], { stdio: ['ignore', 'pipe', 'inherit'] });
	let output = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
	await new Promise((resolve) => child.once('close', resolve));
	return { pid: Number(/pid (\d+)/.exec(output)?.[1] ?? 0), result: /result (.*)/.exec(output)?.[1] };
}

/** Starts a new host on the same home and returns what it finds. */
async function afterwards({ home, workspace }: CapabilityOrder) {
	const { ports } = testHost({ home, workspace });
	const base = await createTrustedBase(ports);
	try {
		const { ok } = await base.ledger.verify(never);
		const rows = (await base.ledger.query({ limit: 100 })).reverse();
		assert.deepEqual(base.capabilities.list(), []);
		await base.capabilities.sandbox();
		assert.deepEqual(readdirSync(join(home, 'scratch')), []);
		return {
			ok,
			rows: rows.map(({ kind, op, status }) => `${kind} ${op} ${status ?? ''}`.trim()),
			ids: rows.map(({ opId }) => opId),
		};
	} finally {
		await base.close();
	}
}

describe('A capability whose host or process is killed', function () {
	this.timeout(30_000);

	/** Within bubblewrap the others end after the first: its death ends the next, and that one the rest. */
	const goneWith = (home: string) => {
		const left = () => runningProcesses().filter(({ commandLine }) => commandLine.includes(home));
		return waitFor('the end of its other processes', () => left().length === 0);
	};

	for (const dieAt of ['started', 'progress', 'question', 'answered'] as const) {
		it(`leaves no process, a ledger that is whole, and nothing done again: host, ${dieAt}`, async () => {
			const given = order('host', dieAt);
			const { pid, result } = await runHost(given);
			assert.equal(result, undefined);
			await waitUntilGone([pid]);
			await goneWith(given.home);
			const { ok, rows } = await afterwards(given);
			assert.ok(ok);
			assert.equal(rows.filter((row) => row.startsWith('outcome capability.run')).length, 0);
			assert.ok(rows.filter((row) => row === 'intent fs.write').length <= 1);
			// Without an intent there was no effect.
			if (!rows.includes('intent fs.write')) assert.equal(existsSync(join(given.workspace, 'made.txt')), false);
		});

		it(`has one result, and the host goes on: executor, ${dieAt}`, async () => {
			const given = order('executor', dieAt);
			const { result } = await runHost(given);
			const { success, error } = JSON.parse(result ?? '') as { success: boolean; error: { code: string } };
			assert.deepEqual([success, error?.code], [false, 'PROCESS_CRASHED']);
			const { ok, rows } = await afterwards(given);
			assert.ok(ok);
			assert.equal(rows.filter((row) => row.startsWith('outcome capability.run')).length, 1);
			const begun = rows.filter((row) => row === 'intent fs.write').length;
			const ends = rows.filter((row) => row.startsWith('outcome fs.write')).length;
			assert.ok(ends >= begun && ends <= 1, rows.join('\n'));
			if (begun === 0) assert.equal(existsSync(join(given.workspace, 'made.txt')), false);
		});
	}

	it('leaves no process behind that does not listen: a spinning one, whose host is killed (R-04)', async () => {
		const given = order('host', 'progress', { spin: true });
		const { pid } = await runHost(given);
		assert.notEqual(pid, 0);
		await waitUntilGone([pid]);
		await goneWith(given.home);
	});

	it('leaves no process that stood by for the next, nor its folder', async () => {
		const given = order('host', 'standby');
		const { pid, result } = await runHost(given);
		assert.notEqual(pid, 0);
		assert.match(result ?? '', /"success":true/);
		await waitUntilGone([pid]);
		await goneWith(given.home);
		// The next host sweeps the folder of the standby process.
		await afterwards(given);
	});

	it('is done, asked and recorded when nobody is killed', async () => {
		const given = order('host', 'never');
		const { result } = await runHost(given);
		assert.equal((JSON.parse(result ?? '') as { result: string }).result, 'written');
		assert.equal(readFileSync(join(given.workspace, 'made.txt'), 'utf8'), 'made');
		const { ok, rows } = await afterwards(given);
		assert.ok(ok);
		assert.deepEqual(rows, [
			'intent capability.run',
			'intent fs.write',
			'outcome fs.write done',
			'outcome capability.run done',
		]);
	});
});
