/**
 * A brokered read against the same read as a tool of an MCP server over stdio: how many in a second, what processor time for
 * each, and how long the host's loop is held up. And how often an ordinary command is asked for.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { CapabilityManager } from '../src/execution/runs/capability-manager.ts';
import { createTrustedBase } from '../src/host/compose.ts';
import type { AllowRule } from '../src/trust/gate/policy/rules/allow-rule.ts';
import { brokerRequests } from '../src/protocol/turn/broker.ts';
import { newId } from '../src/protocol/rpc/ids.ts';
import { hostileCommands, judged, offeredRules, ordinaryCommands } from '../test/support/command-table.ts';
import { testHost } from '../test/support/host-ports.ts';
import { linkedPeers } from '../test/support/linked-peers.ts';
import { busiestTurn, type Figure, paired, ratio } from './measure.ts';

const CALLS = 1_000;
const ROUNDS = 5;
const RESOLUTION_MS = 5;
const AT_ONCE = [1, 16, 256] as const;
const MCP_VERSION = '2026-07-28';
/** Below the burst of the frame budget, so that nothing is held back. */
const DISPATCHES = 380;
const READER = 'reader';
/** Says how much processor time its ops took in its own process, in microseconds. */
const reader = `export async function execute({ count, atOnce }, { op, progress }) {
	let left = count;
	const reads = async () => {
		while (left > 0) {
			left -= 1;
			await op('fs.read', { path: 'src/a.ts' });
		}
	};
	progress('reads');
	const before = process.cpuUsage();
	await Promise.all(Array.from({ length: atOnce }, reads));
	const { user, system } = process.cpuUsage(before);
	return user + system;
}
`;

export async function brokerFigures(): Promise<Figure[]> {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'prowess-bench-')));
	const [home, workspace] = [join(folder, 'home'), join(folder, 'workspace')];
	mkdirSync(home, { mode: 0o700 });
	const file = join(workspace, 'src/a.ts');
	const host = testHost({ home, workspace, approvalMode: 'auto', settings: { 'prowess.capabilities.standby': false } });
	host.write('src/a.ts', 'x'.repeat(200));
	const written = 'name: reader\ntype: skill\nversion: 1.0.0\npermissions: [workspace.read]\n';
	host.write(`.prowess/capabilities/skill/${READER}/capability.yaml`, written);
	host.write(`.prowess/capabilities/skill/${READER}/index.mjs`, reader);
	const base = await createTrustedBase(host.ports);
	const { near, far } = linkedPeers();
	const served = base.serveServer(near);
	const mcp = await startMcp(file);
	const [threadId, turnId] = [newId('thr'), newId('trn')];
	base.beginThread(threadId);
	const never = new AbortController().signal;
	const brokered = async () => {
		const asked = { opId: newId('op'), op: 'fs.read', params: { path: 'src/a.ts' }, threadId, turnId };
		const { status } = await far.call(brokerRequests.perform, asked, never);
		if (status !== 'done') {
			throw new Error(`fs.read ended as ${status}`);
		}
	};
	const figures: Figure[] = [];
	try {
		await brokered();
		for (const atOnce of AT_ONCE) {
			const times = await paired(ROUNDS, {
				mcp: () => elapsed(atOnce, mcp.read),
				broker: () => elapsed(atOnce, brokered),
			});
			figures.push({
				goal: 'broker',
				what: `time for a read of 200 B through gate and ledger, ${atOnce} in flight, to an MCP stdio call`,
				measured: `${ratio(times['broker'])} (${perSecond(times['broker']?.value)} / ${perSecond(times['mcp']?.value)})`,
				bar: 'reported',
				met: undefined,
			});
		}
		const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
		const cpu = await paired(ROUNDS, {
			mcp: () => mcp.cpuPerCall(16),
			async executor() {
				delays.enable();
				const used = await cpuOfExecutor(base.capabilities);
				delays.disable();
				return used;
			},
		});
		const us = (value = Number.NaN) => `${value.toFixed(0)} us`;
		figures.push({
			goal: 'broker',
			what: 'CPU of it from an executor, both ends, 16 in flight, to an MCP stdio call',
			measured: `${ratio(cpu['executor'])} (${us(cpu['executor']?.value)} / ${us(cpu['mcp']?.value)})`,
			bar: 'reported',
			met: undefined,
		});
		figures.push(
			loopDelay('an executor that asks without a pause', delays.percentile(99)),
			loopDelay('256 in flight', await delayUnder(brokered)),
			await workOfATurn(brokered),
			...askRates(),
		);
	} finally {
		served.dispose();
		mcp.end();
		await base.close();
		rmSync(folder, { recursive: true, force: true });
	}
	return figures;
}

/** Microseconds of processor time of both ends, for one op of a running capability: as the product runs it, from the first op on. */
async function cpuOfExecutor(capabilities: CapabilityManager): Promise<number> {
	let before: NodeJS.CpuUsage | undefined;
	const listening = capabilities.onDidProgress(() => (before = process.cpuUsage()));
	try {
		const wanted = { capability: { name: READER }, params: { count: DISPATCHES, atOnce: 16 } };
		const caller = { kind: 'user', threadId: null } as const;
		const { success, result, error } = await capabilities.run({ ...wanted, caller }, new AbortController().signal);
		const { user, system } = process.cpuUsage(before);
		if (!success) {
			throw new Error(`${READER}: ${error?.message}`);
		}
		return (user + system + Number(result)) / DISPATCHES;
	} finally {
		listening.dispose();
	}
}

const perSecond = (ms = Number.NaN) => `${Math.round(1_000 / ms)}/s`;

/** Milliseconds for one call while `atOnce` of them run. */
async function elapsed(atOnce: number, call: () => Promise<void>): Promise<number> {
	const started = performance.now();
	await flood(atOnce, call);
	return (performance.now() - started) / CALLS;
}

async function flood(atOnce: number, call: () => Promise<void>): Promise<void> {
	let left = CALLS;
	await Promise.all(
		Array.from({ length: atOnce }, async () => {
			while (left > 0) {
				left -= 1;
				await call();
			}
		}),
	);
}

/** In nanoseconds, the 99th percentile. */
async function delayUnder(call: () => Promise<void>): Promise<number> {
	const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
	delays.enable();
	for (let round = 0; round < ROUNDS; round += 1) {
		await flood(256, call);
	}
	delays.disable();
	return delays.percentile(99);
}

async function workOfATurn(call: () => Promise<void>): Promise<Figure> {
	const longest = await busiestTurn(async () => {
		for (let round = 0; round < ROUNDS; round += 1) {
			await flood(256, call);
		}
	});
	return {
		goal: 'broker',
		what: 'most processor time that the host took in one turn of its loop, with 256 in flight',
		measured: `${longest.toFixed(0)} ms`,
		bar: '<= 50 ms',
		met: longest <= 50,
	};
}

function loopDelay(under: string, nanoseconds: number): Figure {
	const p99 = nanoseconds / 1e6 - RESOLUTION_MS;
	return {
		goal: 'broker',
		what: `99th percentile of the host's loop delay with ${under}`,
		measured: `${p99.toFixed(0)} ms`,
		bar: '<= 50 ms',
		met: p99 <= 50,
	};
}

function askRates(): Figure[] {
	const rate = (which: string, asked: number, of: number): Figure => ({
		goal: 'asks',
		what: `of ${of} ${which}`,
		measured: `${Math.round((100 * asked) / of)} %`,
		bar: 'reported',
		met: undefined,
	});
	const ordinary = (which: string, isSandboxed: boolean, rules: readonly AllowRule[] = []) =>
		rate(which, judged(ordinaryCommands, { level: 'ask', isSandboxed, rules }).asked, ordinaryCommands.length);
	const hostile = judged(hostileCommands, { level: 'edit', isSandboxed: true }).passed;
	return [
		ordinary('ordinary commands are asked for in the sandbox, as it comes', true),
		ordinary('ordinary commands are asked for in the sandbox, with the rules that are offered', true, offeredRules()),
		ordinary('ordinary commands are asked for without a sandbox, as it comes', false),
		rate('hostile commands pass at the level Edit freely', hostile, hostileCommands.length),
	];
}

interface Mcp {
	read(): Promise<void>;
	/** Microseconds of processor time of both ends. */
	cpuPerCall(atOnce: number): Promise<number>;
	end(): void;
}

async function startMcp(file: string): Promise<Mcp> {
	const child = spawn(process.execPath, [join(import.meta.dirname, 'mcp-reader.mjs'), file], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const pending = new Map<number, (result: unknown) => void>();
	let lastId = 0;
	let rest = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		const lines = (rest + text).split('\n');
		rest = lines.pop() ?? '';
		for (const line of lines) {
			const { id, result } = JSON.parse(line) as { id: number; result: unknown };
			pending.get(id)?.(result);
			pending.delete(id);
		}
	});
	const call = (method: string, params: unknown): Promise<unknown> =>
		new Promise((resolve) => {
			lastId += 1;
			pending.set(lastId, resolve);
			child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })}\n`);
		});
	const read = async () => {
		await call('tools/call', { name: 'read_file', arguments: { path: 'src/a.ts' } });
	};
	const cpu = async () => {
		const own = process.cpuUsage();
		const theirs = (await call('bench/cpu', {})) as NodeJS.CpuUsage;
		return own.user + own.system + theirs.user + theirs.system;
	};
	await call('initialize', {
		protocolVersion: MCP_VERSION,
		capabilities: {},
		clientInfo: { name: 'bench', version: '1' },
	});
	return {
		read,
		async cpuPerCall(atOnce) {
			const before = await cpu();
			await flood(atOnce, read);
			return ((await cpu()) - before) / CALLS;
		},
		end: () => void child.kill(),
	};
}
