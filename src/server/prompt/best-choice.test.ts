import assert from 'node:assert/strict';
import { seeded } from '../../../test/support/seeded.ts';
import { bestChoice, type ChoiceForm } from './best-choice.ts';

const STEPS = 50_000;

/** All choices there are, one after the other. */
function bruteForce(items: readonly (readonly ChoiceForm[])[], room: number): number {
	const [first, ...rest] = items;
	if (first === undefined) return 0;
	return Math.max(
		bruteForce(rest, room),
		...first.filter(({ weight }) => weight <= room).map(({ weight, value }) => value + bruteForce(rest, room - weight)),
	);
}

function worthOf(items: readonly (readonly ChoiceForm[])[], forms: readonly number[]) {
	const taken = forms.flatMap((form, item) => items[item]?.[form] ?? []);
	return {
		weight: taken.reduce((sum, { weight }) => sum + weight, 0),
		value: taken.reduce((sum, { value }) => sum + value, 0),
	};
}

describe('The best choice', () => {
	const random = seeded(20261124);
	const whole = (most: number) => 1 + Math.floor(random() * most);
	const item = (mostWeight: number): ChoiceForm[] => {
		const short = { weight: whole(mostWeight), value: whole(50) / 7 };
		const more = { weight: short.weight + whole(mostWeight), value: short.value + whole(50) / 7 };
		return random() < 0.3 ? [short] : [short, more];
	};

	it('takes nothing where nothing fits, and nothing of nothing', () => {
		assert.deepEqual(bestChoice([], 10, STEPS), { forms: [], value: 0, bound: 0, isBest: true });
		assert.deepEqual(bestChoice([[{ weight: 11, value: 1 }]], 10, STEPS).forms, [-1]);
		assert.deepEqual(bestChoice([[{ weight: 1, value: 1 }]], 0, STEPS).forms, [-1]);
	});

	it('is as good as the best of all choices that there are, in 2,000 small cases', () => {
		for (let n = 0; n < 2_000; n += 1) {
			const items = Array.from({ length: whole(9) }, () => item(20));
			const room = whole(120);
			const { forms, value, bound, isBest } = bestChoice(items, room, STEPS);
			const worth = worthOf(items, forms);
			assert.ok(isBest && worth.weight <= room);
			assert.ok(Math.abs(worth.value - value) < 1e-6 && bound === value);
			assert.ok(Math.abs(value - bruteForce(items, room)) < 1e-6, JSON.stringify({ items, room, value }));
		}
	});

	it('is no other one beside hundreds of items that are worth little for their weight', () => {
		for (let n = 0; n < 100; n += 1) {
			const items = Array.from({ length: whole(9) }, () => item(20));
			const room = whole(120);
			const dull = Array.from({ length: 600 }, () => [{ weight: 121 + whole(100), value: 0.001 }]);
			const { value, isBest } = bestChoice([...dull, ...items], room, STEPS);
			assert.ok(isBest && Math.abs(value - bruteForce(items, room)) < 1e-6, JSON.stringify({ items, room, value }));
		}
	});

	it('is within 1 % of what any could be worth among 5,000, also where it is cut off, and says so', () => {
		for (const steps of [50, STEPS]) {
			const items = Array.from({ length: 5_000 }, () => item(300));
			const { forms, value, bound, isBest } = bestChoice(items, 2_560, steps);
			assert.ok(worthOf(items, forms).weight <= 2_560);
			assert.ok(value >= bound * 0.99, `${value} of ${bound}`);
			assert.equal(isBest, bound === value);
		}
	});

	it('is found among 5,000 of which each may be in it, and one in ten is worth ten times as much', () => {
		for (const room of [1_500, 2_560, 20_000, 400_000]) {
			const items = Array.from({ length: 5_000 }, () => {
				const short = { weight: 15 + whole(25), value: whole(50) / 70 };
				const more = (whole(50) / 7) * (random() < 0.1 ? 10 : 1);
				return [short, { weight: short.weight + whole(300), value: short.value + more }];
			});
			const { forms, value, bound } = bestChoice(items, room, 5_000);
			const worth = worthOf(items, forms);
			assert.ok(worth.weight <= room && Math.abs(worth.value - value) < 1e-6);
			assert.ok(value >= bound * 0.99, `${value} of ${bound}`);
		}
		const alike = Array.from({ length: 5_000 }, () => [{ weight: 7, value: 1 }]);
		const { value, bound, isBest } = bestChoice(alike, 2_560, 5_000);
		assert.deepEqual([value, isBest], [365, false]);
		assert.ok(value >= bound * 0.99);
	});

	it('is the same for the same items', () => {
		const items = Array.from({ length: 300 }, () => item(100));
		assert.deepEqual(bestChoice(items, 1_500, STEPS), bestChoice(items, 1_500, STEPS));
	});
});
