import assert from 'node:assert/strict';
import { seeded } from '../../../test/support/seeded.ts';
import { bestChoice, type ChoiceForm } from './best-choice.ts';
import { closedChoice, type Needs } from './closed-choice.ts';

const STEPS = 50_000;

/** Returns the value of the best of all choices that leave out no needed item. */
function bruteForce(
	items: readonly (readonly ChoiceForm[])[],
	needs: Needs,
	room: number,
	chosen: number[] = [],
): number {
	const item = chosen.length;
	if (item === items.length) {
		const isClosed = [...needs].every(
			([each, needed]) => chosen[each] === -1 || needed.every((other) => chosen[other] !== -1),
		);
		const value = items.reduce((sum, forms, at) => sum + (forms[chosen[at] ?? -1]?.value ?? 0), 0);
		return isClosed ? value : -Infinity;
	}
	return Math.max(
		...[-1, ...(items[item] ?? []).keys()].map((form) => {
			const left = room - (items[item]?.[form]?.weight ?? 0);
			return left < 0 ? -Infinity : bruteForce(items, needs, left, [...chosen, form]);
		}),
	);
}

/** With what the needed ones need. */
function closed(given: ReadonlyMap<number, readonly number[]>): Needs {
	const allOf = (item: number, seen = new Set<number>()): Set<number> => {
		for (const each of given.get(item) ?? []) {
			if (!seen.has(each)) allOf(each, seen.add(each));
		}
		return seen;
	};
	return new Map([...given.keys()].map((item) => [item, [...allOf(item)].filter((each) => each !== item)]));
}

describe('The best choice where some need others', () => {
	const random = seeded(20261127);
	const whole = (most: number) => 1 + Math.floor(random() * most);
	const item = (mostWeight: number): ChoiceForm[] => {
		const short = { weight: whole(mostWeight), value: whole(50) / 7 };
		const more = { weight: short.weight + whole(mostWeight), value: short.value + whole(50) / 7 };
		return random() < 0.3 ? [short] : [short, more];
	};

	it('takes what one needs with it, also where that is worth little for its weight', () => {
		const items = [[{ weight: 5, value: 100 }], [{ weight: 5, value: 1 }], [{ weight: 4, value: 50 }]];
		assert.deepEqual(closedChoice(items, new Map([[0, [1]]]), 10, STEPS).forms, [0, 0, -1]);
		assert.deepEqual(closedChoice(items, new Map([[0, [1]]]), 9, STEPS).forms, [-1, 0, 0]);
	});

	it('is the same as without needs where none has any', () => {
		const items = Array.from({ length: 200 }, () => item(100));
		assert.deepEqual(closedChoice(items, new Map(), 1_500, STEPS), bestChoice(items, 1_500, STEPS));
	});

	it('is as good as the best of all choices that there are, in 1,000 small cases, circles among them', () => {
		for (let n = 0; n < 1_000; n += 1) {
			const items = Array.from({ length: whole(7) }, () => item(20));
			const given = new Map<number, number[]>();
			for (let at = whole(6); at > 0; at -= 1) {
				const [from, to] = [whole(items.length) - 1, whole(items.length) - 1];
				if (from !== to) given.set(from, [...(given.get(from) ?? []), to]);
			}
			const needs = closed(given);
			const room = whole(120);
			const { forms, value, isBest } = closedChoice(items, needs, room, STEPS);
			const weight = forms.reduce((sum, form, at) => sum + (items[at]?.[form]?.weight ?? 0), 0);
			const isClosed = [...needs].every(
				([each, needed]) => forms[each] === -1 || needed.every((other) => forms[other] !== -1),
			);
			assert.ok(isBest && weight <= room && isClosed, JSON.stringify({ items, needs: [...needs], room, forms }));
			assert.ok(
				Math.abs(value - bruteForce(items, needs, room)) < 1e-6,
				JSON.stringify({ items, needs: [...needs], room, value }),
			);
		}
	});

	it('says how much more any could be worth, where hundreds need the same one', () => {
		const items = Array.from({ length: 400 }, () => item(300));
		const needs = new Map(Array.from({ length: 399 }, (_, at) => [at + 1, [0]]));
		const { forms, value, bound, isBest } = closedChoice(items, needs, 2_560, STEPS);
		assert.notEqual(forms[0], -1);
		assert.ok(value <= bound && (isBest || value >= bound * 0.9), `${value} of ${bound}`);
	});
});
