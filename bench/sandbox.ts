/**
 * Benchmark of the sandbox's cost for a command; for the superuser also the cost for an ordinary user of the same
 * machine.
 */
import { execFile } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureBubblewrap } from '../scripts/setup/bubblewrap.mjs';
import { type Figure, ms } from './measure.ts';
import { type SandboxCost, sandboxCost } from './sandbox-cost.ts';

const BAR_MS = 15;
const STOP_BAR_MS = 3_000;
/** `nobody`, on every Linux. */
const ORDINARY = 65_534;
const ORDINARY_LIMIT_MS = 120_000;

export async function sandboxFigures(): Promise<Figure[]> {
	const bubblewrap = (await ensureBubblewrap()) ?? '';
	const isSuperuser = process.getuid?.() === 0;
	const cost = await sandboxCost(bubblewrap);
	const own = figureFor(isSuperuser ? 'the superuser' : 'an ordinary user', cost);
	const ordinary = isSuperuser ? [figureFor('an ordinary user', await costForOrdinaryUser(bubblewrap))] : [];
	return [own, ...ordinary, stopFigure(cost)];
}

function stopFigure(cost: SandboxCost | undefined): Figure {
	return {
		goal: 'sandbox',
		what: 'stop of a sandboxed command that ignores SIGTERM, to its end',
		measured: cost === undefined ? 'not measured: no sandbox works here' : ms(cost.deafStop),
		bar: `<= ${STOP_BAR_MS / 1000} s`,
		met: cost === undefined ? undefined : cost.deafStop <= STOP_BAR_MS,
	};
}

function figureFor(user: string, cost: SandboxCost | undefined): Figure {
	const figure = {
		goal: 'sandbox',
		what: `cost of the sandbox per command, above the bare one, for ${user}`,
		bar: `<= ${BAR_MS} ms`,
	};
	if (cost === undefined) {
		return { ...figure, measured: 'not measured: no sandbox works here', met: undefined };
	}
	const { bare, inside } = cost;
	const measured = `${ms(inside - bare)} (${ms(bare)} bare, ${ms(inside)} sandboxed)`;
	return { ...figure, measured, met: inside - bare <= BAR_MS };
}

/** Undefined where such a user cannot read this repository, or has no sandbox. */
async function costForOrdinaryUser(bubblewrap: string): Promise<SandboxCost | undefined> {
	const folder = mkdtempSync(join(tmpdir(), 'prowess-bench-user-'));
	try {
		chownSync(folder, ORDINARY, ORDINARY);
		const program = join(import.meta.dirname, 'sandbox-cost.ts');
		const become = ['--reuid', String(ORDINARY), '--regid', String(ORDINARY), '--clear-groups'];
		const words = [...become, process.execPath, '--no-warnings', program, bubblewrap];
		const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: folder, TMPDIR: folder };
		const { stdout } = await promisify(execFile)('setpriv', words, { env, timeout: ORDINARY_LIMIT_MS });
		return (JSON.parse(stdout) as SandboxCost | null) ?? undefined;
	} catch {
		return undefined;
	} finally {
		rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	}
}
