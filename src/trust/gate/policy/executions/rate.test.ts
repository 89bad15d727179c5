import assert from 'node:assert/strict';
import { readSettings } from '../../../../protocol/settings/read-settings.ts';
import { RATE_WINDOW_MS } from '../limits.ts';
import { limitPerHour, Rate } from './rate.ts';

const minute = 60_000;

function rateWith(recorded: (limit: number, now: number) => number[] = () => []) {
	const clock = { monotonic: 1_000_000_000, wall: 1_000_000_000 };
	const ledger = {
		intentTimes: (_op: string, _since: number, limit: number) => Promise.resolve(recorded(limit, clock.wall)),
	};
	const rate = new Rate(ledger, { monotonicMs: () => clock.monotonic, wallMs: () => clock.wall });
	const exceeded = async (limit = 20) => {
		const entered = await rate.enter('x', limit);
		if ('exceeded' in entered) return entered.exceeded;
		entered.place.leave();
		return undefined;
	};
	const limitOf = async (limit = 20) => (await exceeded(limit))?.limit;
	const begin = async () => {
		const entered = await rate.enter('x', 0);
		assert.ok('place' in entered);
		entered.place.begin();
	};
	return { rate, clock, exceeded, limitOf, begin };
}

describe('Rate', () => {
	it('refuses the 21st effect within 60 minutes', async () => {
		const { begin, limitOf } = rateWith();
		for (let n = 0; n < 20; n++) {
			assert.equal(await limitOf(), undefined);
			await begin();
		}
		assert.equal(await limitOf(), 20);
	});

	it('gives a place to no more attempts at once than may begin, and takes back what is left', async () => {
		const { rate, begin, limitOf } = rateWith();
		for (let n = 0; n < 17; n++) await begin();
		const entered = await Promise.all(Array.from({ length: 10 }, () => rate.enter('x', 20)));
		const places = entered.flatMap((each) => ('place' in each ? [each.place] : []));
		assert.equal(places.length, 3);
		assert.equal(await limitOf(), 20);
		places[0]?.begin();
		places[0]?.leave();
		assert.equal(await limitOf(), 20);
		places[1]?.leave();
		places[1]?.leave();
		assert.equal(await limitOf(), undefined);
		const again = await Promise.all([rate.enter('x', 20), rate.enter('x', 20)]);
		assert.deepEqual(
			again.map((each) => 'place' in each),
			[true, false],
		);
	});

	it('says of attempts that have not begun that they hold the window', async () => {
		const { rate, exceeded } = rateWith();
		await Promise.all([rate.enter('x', 2), rate.enter('x', 2)]);
		assert.equal((await exceeded(2))?.waitMs, RATE_WINDOW_MS);
	});

	it('slides: there is no fresh allowance at the full hour', async () => {
		const { begin, clock, limitOf } = rateWith();
		for (let n = 0; n < 20; n++) await begin();
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
		const { begin, clock, limitOf } = rateWith();
		for (let n = 0; n < 20; n++) await begin();
		clock.wall += 10 * RATE_WINDOW_MS;
		assert.equal(await limitOf(), 20);
	});

	it('says when the next is possible, by the later of memory and ledger', async () => {
		const { begin, exceeded, clock } = rateWith((_limit, now) => [now - minute, now - 50 * minute]);
		await begin();
		clock.monotonic += 20 * minute;
		await begin();
		const found = await exceeded(2);
		assert.equal(found?.waitMs, 40 * minute);
		assert.equal(found.nextAt.getTime(), clock.wall + 40 * minute);
	});

	it('waits no longer than the window when the ledger has rows of the future', async () => {
		const { exceeded } = rateWith((limit, now) => Array<number>(limit).fill(now + 9 * RATE_WINDOW_MS));
		assert.equal((await exceeded(1))?.waitMs, RATE_WINDOW_MS);
	});

	it('only counts where there is no limit', async () => {
		const { rate, begin, limitOf } = rateWith((limit, now) => Array<number>(limit).fill(now));
		assert.equal(await limitOf(0), undefined);
		await begin();
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
