/**
 * Benchmark of the cost that a quota adds to each request to a model: the host's sums over a month, and the message
 * that asks for them.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LatestTimes } from '../src/features/quota/latest-times.ts';
import { Quotas } from '../src/features/quota/quotas.ts';
import { usageMigrations } from '../src/features/quota/usage-migrations.ts';
import { UsageStore } from '../src/features/quota/usage-store.ts';
import { openMigratedDatabase } from '../src/store/open-database.ts';
import { testHost } from '../test/support/host-ports.ts';
import { type Figure, median, ms, processorTime } from './measure.ts';

const MINUTES = 30 * 24 * 60;
const ROUNDS = 200;
const BAR_MS = 15;
const CALLS = 100_000;
const CALLS_BAR_MS = 100;

export async function quotaFigures(): Promise<Figure[]> {
	const home = mkdtempSync(join(tmpdir(), 'prowess-bench-quotas-'));
	const { db } = openMigratedDatabase(join(home, 'usage.db'), usageMigrations);
	const store = new UsageStore(db, Date.now());
	db.transaction('process', () => {
		for (let minute = 0; minute < MINUTES; minute += 1) {
			const used = { model: 'p/m', inputTokens: 1, outputTokens: 1, cost: 0.000_001 };
			store.count(used, { threads: [], spenders: [] }, Date.now() - minute * 60_000);
		}
	});
	db.dispose();
	const settings = {
		'prowess.quotas.tokensPerHour': 1_000_000,
		'prowess.quotas.dollarsPerDay': 100,
		'prowess.quotas.dollarsPerMonth': 100,
	};
	const quotas = new Quotas({ home, ...testHost({ home, settings }).ports });
	const echo = fork('-', { execArgv: ['--eval', 'process.on("message", (m) => process.send(m))'] });
	try {
		const { invocation } = quotas.begin();
		const sums: number[] = [];
		const messages: number[] = [];
		for (let round = 0; round < ROUNDS; round += 1) {
			const from = performance.now();
			quotas.grant(invocation);
			sums.push(performance.now() - from);
			const sent = performance.now();
			echo.send({ invocation });
			await once(echo, 'message');
			messages.push(performance.now() - sent);
		}
		const [sum, message] = [median(sums), median(messages)];
		return [
			{
				goal: 'quotas',
				what: `grant of a request with three quotas set, over ${MINUTES} minutes with usage, and one message there and back`,
				measured: `${(sum + message).toFixed(2)} ms (${sum.toFixed(2)} ms / ${message.toFixed(2)} ms)`,
				bar: `<= ${BAR_MS} ms`,
				met: sum + message <= BAR_MS,
			},
			latestTimes(),
		];
	} finally {
		echo.kill();
		quotas.close();
		rmSync(home, { recursive: true, force: true });
	}
}

/** Looking at all of them each time would take some 20 s. */
function latestTimes(): Figure {
	const times = new LatestTimes(60_000);
	const took = processorTime(() => {
		for (let call = 0; call < CALLS; call += 1) times.add(call / 2);
	});
	return {
		goal: 'quotas',
		what: `processor time to count ${CALLS} calls of one minute as they come`,
		measured: ms(took),
		bar: `<= ${CALLS_BAR_MS} ms`,
		met: took <= CALLS_BAR_MS,
	};
}
