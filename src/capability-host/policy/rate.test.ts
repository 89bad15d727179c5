import assert from 'node:assert/strict';
import { readSettings } from '../../protocol/settings.ts';
import { RATE_WINDOW_MS } from './limits.ts';
import { limitPerHour, Rate } from './rate.ts';

const minute = 60_000;

function rateWith(recorded: (limit: number, now: number) => number[] = () => []) {
	const clock = { monotonic: 1_000_000_000, wall: 1_000_000_000 };
	const ledger = {
		intentTimes: (_op: string, _since: number, limit: number) => Promise.resolve(recorded(limit, clock.wall)),
	};
	const rate = new Rate(ledger, { monotonicMs: () => clock.monotonic, wallMs: () => clock.wall });
	const limitOf = async (limit = 20) => (await rate.exceeded('x', limit))?.limit;
	return { rate, clock, limitOf };
}

describe('Rate', () => {
	it('refuses the 21st effect within 60 minutes', async () => {
		const { rate, limitOf } = rateWith();
		for (let n = 0; n < 20; n++) {
			assert.equal(await limitOf(), undefined);
			rate.note('x');
		}
		assert.equal(await limitOf(), 20);
	});

	it('slides: there is no fresh allowance at the full hour', async () => {
		const { rate, clock, limitOf } = rateWith();
		for (let n = 0; n < 20; n++) rate.note('x');
		clock.monotonic += RATE_WINDOW_MS - 1;
		assert.equal(await limitOf(), 20);
		clock.monotonic += 2;
		assert.equal(await limitOf(), undefined);
	});

	it('counts what the ledger knows of other hosts and earlier ones', async () => {
		assert.equal(await rateWith((limit, now) => Array<number>(limit).fill(now - minute)).limitOf(), 20);
		assert.equal(await rateWith((limit, now) => Array<number>(limit - 1).fill(now - minute)).limitOf(), undefined);
	});

	it('gives nothing back when the wall clock jumps', async () => {
		const { rate, clock, limitOf } = rateWith();
		for (let n = 0; n < 20; n++) rate.note('x');
		clock.wall += 10 * RATE_WINDOW_MS;
		assert.equal(await limitOf(), 20);
	});

	it('says when the next is possible, by the later of memory and ledger', async () => {
		const { rate, clock } = rateWith((_limit, now) => [now - minute, now - 50 * minute]);
		rate.note('x');
		clock.monotonic += 20 * minute;
		rate.note('x');
		const exceeded = await rate.exceeded('x', 2);
		assert.equal(exceeded?.waitMs, 40 * minute);
		assert.equal(exceeded.nextAt.getTime(), clock.wall + 40 * minute);
	});

	it('waits no longer than the window when the ledger has rows of the future', async () => {
		const { rate } = rateWith((limit, now) => Array<number>(limit).fill(now + 9 * RATE_WINDOW_MS));
		assert.equal((await rate.exceeded('x', 1))?.waitMs, RATE_WINDOW_MS);
	});

	it('only counts where there is no limit', async () => {
		const { rate, limitOf } = rateWith((limit, now) => Array<number>(limit).fill(now));
		assert.equal(await limitOf(0), undefined);
		rate.note('x');
		assert.equal(rate.count('x'), 1);
	});

	it('is the fixed 20 for PRIVILEGED, and what the user set for CONTROLLED and RESTRICTED', () => {
		const { settings } = readSettings((name) =>
			name === 'prowess.approvals.perHour.controlled'
				? 100
				: name === 'prowess.approvals.perHour.restricted'
					? 30
					: undefined,
		);
		const of = (all: typeof settings) =>
			(['SAFE', 'MONITORED', 'CONTROLLED', 'RESTRICTED', 'PRIVILEGED'] as const).map((risk) => limitPerHour(risk, all));
		assert.deepEqual(of(settings), [0, 0, 100, 30, 20]);
		assert.deepEqual(of(readSettings(() => undefined).settings), [0, 0, 0, 0, 20]);
	});
});
