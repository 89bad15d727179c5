/** Prompts as people write them, in English and German: few are interrupted, none is answered wrongly, orders are found. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FAST_PATH_NAMES } from '../../protocol/settings/groups/advanced.ts';
import type { Strategy } from '../../protocol/thread/thread.ts';
import { findStrategy, type LabelledPrompt, readLabelled, readOrdinary } from '../../../test/support/prompt-corpus.ts';
import { chooseStrategy, findFastPath, mayPlan, maySchedule } from './decide.ts';
import { withoutGoalWish } from './goal-command.ts';

/** Every third prompt of a list is held back: nothing was changed because of it. */
function split<T>(list: readonly T[]) {
	return [
		{ name: 'tuned on', part: list.filter((_, at) => at % 3 !== 2) },
		{ name: 'held back', part: list.filter((_, at) => at % 3 === 2) },
	] as const;
}

const ordinary = readOrdinary('ordinary');
const orders = readLabelled('orders');
const mixed = readLabelled('prompts');

/** These name something that a fast path looks for first; where it does not exist, the path leaves the prompt to the model. */
const LOOKED_FOR = new Set([
	'show process.env',
	'show origin/main',
	'Zeige mir foo.bar()',
	'show this.state',
	'Zeig mir process.env',
	'show me foo.bar()',
	'run the skill tests',
]);

/**
 * Number of different patterns that a decision executes. V8 compiles a pattern when it is first executed, and all of `test`,
 * `match`, `replace` and `split` go through a replaced `exec`.
 */
function countPatterns(text: string): number {
	const seen = new Set<string>();
	const { exec } = RegExp.prototype;
	RegExp.prototype.exec = function (this: RegExp, searched: string) {
		seen.add(`${this.source} ${this.flags}`);
		return exec.call(this, searched);
	};
	try {
		findFastPath(text, { isFirst: true });
		chooseStrategy(text);
		mayPlan(text);
		maySchedule(text);
	} finally {
		RegExp.prototype.exec = exec;
	}
	return seen.size;
}

describe('Ordinary prompts', () => {
	it('are at least 400, in both languages', () => {
		assert.ok(ordinary.length >= 400 && new Set(ordinary).size === ordinary.length);
	});

	for (const { name, part } of split(ordinary)) {
		it(`are interrupted in at most 1 of 200 (${name})`, () => {
			const wrong = part.filter((text) => chooseStrategy(text) !== 'DIRECT_RESPONSE');
			assert.ok(wrong.length <= Math.ceil(part.length * 0.005), wrong.join('\n'));
		});

		it(`are answered by no fast path (${name})`, () => {
			const answered = part.filter((text) => findFastPath(text, { isFirst: true }) !== undefined);
			assert.deepEqual(
				answered.filter((text) => !LOOKED_FOR.has(text)),
				[],
			);
		});
	}

	it('have few patterns compiled for their decision', () => {
		const counts = ordinary.map(countPatterns).toSorted((one, other) => one - other);
		assert.equal(counts[counts.length >> 1], 0);
		assert.ok((counts.at(-1) ?? 0) <= 24, String(counts.at(-1)));
	});

	it('are never offered a goal', () => {
		assert.deepEqual(ordinary.filter(mayPlan), []);
	});

	it('are rarely offered a schedule', () => {
		const offered = ordinary.filter(maySchedule);
		assert.ok(offered.length / ordinary.length <= 0.05, offered.join('\n'));
		for (const text of ['Every 5 minutes I get logged out of the app', 'Set the cache to expire every 10 minutes']) {
			assert.equal(maySchedule(text), false, text);
		}
		assert.equal(maySchedule('Run the cleanup every hour'), true);
	});
});

describe('Orders', () => {
	it('are at least 200, in both languages', () => {
		assert.ok(orders.length >= 200);
	});

	for (const { name, part } of split(orders)) {
		it(`get their strategy in at least 4 of 5 (${name})`, () => {
			for (const letter of ['T', 'A', 'S', 'G']) {
				const wanted = part.filter(({ label }) => label === letter);
				const missed = wanted.filter((each) => findStrategy(each.text) !== each.wanted);
				assert.ok(missed.length <= wanted.length * 0.2, missed.map(({ text }) => text).join('\n'));
			}
			const missed = part.filter(({ text, wanted }) => findStrategy(text) !== wanted);
			assert.ok(missed.length <= part.length * 0.1, missed.map(({ text }) => text).join('\n'));
		});
	}
});

describe('Prompts that were written later', () => {
	const laterOrdinary = readOrdinary('later-ordinary');
	const laterOrders = readLabelled('later-orders');

	it('are interrupted in at most 1 of 200 without an order, and answered by no fast path', () => {
		const wrong = laterOrdinary.filter((text) => findStrategy(text) !== 'DIRECT_RESPONSE');
		assert.ok(wrong.length <= Math.ceil(laterOrdinary.length * 0.005), wrong.join('\n'));
		const answered = laterOrdinary.filter((text) => findFastPath(text, { isFirst: true }) !== undefined);
		assert.deepEqual(answered, []);
	});

	it('get their strategy in at least 4 of 5 orders', () => {
		const missed = laterOrders.filter(({ text, wanted }) => findStrategy(text) !== wanted);
		assert.ok(missed.length <= laterOrders.length * 0.2, missed.map(({ text }) => text).join('\n'));
	});
});

describe('Prompts that were written last', () => {
	const fresh = readLabelled('fresh');
	const isOrder = ({ label }: LabelledPrompt) => label !== 'D';

	it('are at least 90, interrupt nobody without an order, and are answered by no fast path', () => {
		assert.ok(fresh.length >= 90 && new Set(fresh.map(({ text }) => text)).size === fresh.length);
		const wrong = fresh.filter((each) => !isOrder(each) && findStrategy(each.text) !== 'DIRECT_RESPONSE');
		const answered = fresh.filter(({ text }) => findFastPath(text, { isFirst: true }) !== undefined);
		assert.deepEqual([wrong, answered], [[], []]);
	});

	it('get their strategy, and no other one, in at least 4 of 5 orders', () => {
		const judged = fresh.filter(isOrder).map(({ text, wanted }) => ({ text, wanted, got: findStrategy(text) }));
		const missed = judged.filter(({ wanted, got }) => got !== wanted);
		assert.deepEqual(
			missed.filter(({ got }) => got !== 'DIRECT_RESPONSE'),
			[],
		);
		assert.ok(missed.length <= judged.length * 0.2, missed.map(({ text }) => text).join('\n'));
	});
});

describe('The older list of prompts, which has many cases in doubt', () => {
	it('is never interrupted without an order, and most orders are found', () => {
		const judged = mixed.map(({ text, wanted }) => ({ text, wanted, got: findStrategy(text) }));
		const interrupted = judged.filter(({ wanted, got }) => got !== wanted && got !== 'DIRECT_RESPONSE');
		assert.deepEqual(interrupted, []);
		const wanted = judged.filter((each) => each.wanted !== 'DIRECT_RESPONSE');
		const missed = wanted.filter(({ wanted: strategy, got }) => got !== strategy);
		assert.ok(missed.length <= wanted.length * 0.2, missed.map(({ text }) => text).join('\n'));
	});

	it('gets the expected fast paths, and none by mistake', () => {
		const judged = mixed.map(({ label, text }) => ({
			text,
			wanted: label.startsWith('f:') && label !== 'f:-' ? label.slice(2) : undefined,
			got: findFastPath(text, { isFirst: true })?.path.name,
		}));
		assert.deepEqual(
			judged.filter(({ wanted, got }) => got !== undefined && got !== wanted),
			[],
		);
		assert.ok(judged.filter(({ wanted, got }) => got !== wanted).length <= 12);
	});
});

describe('Prompts of several steps or of large work', () => {
	const lists = [orders, mixed, readLabelled('later-orders'), readLabelled('fresh')];
	const goals = lists.flat().filter(({ label }) => label === 'G');

	it('are offered a goal in at least 4 of 5, and interrupt nobody', () => {
		assert.ok(goals.length >= 100, String(goals.length));
		assert.deepEqual(
			goals.filter(({ text }) => chooseStrategy(text) !== 'DIRECT_RESPONSE'),
			[],
		);
		const missed = goals.filter(({ text }) => !mayPlan(text));
		assert.ok(missed.length <= goals.length * 0.2, missed.map(({ text }) => text).join('\n'));
	});

	it('are a goal at once where the user asks for one or for a plan, at the beginning or the end', () => {
		for (const [text, rest] of [
			['Make a goal of this: rewrite the whole backend in Go', 'rewrite the whole backend in Go'],
			['Rewrite the whole backend in Go. Please make a plan first.', 'Rewrite the whole backend in Go.'],
			['Fix the login, but plan it first', 'Fix the login,'],
			['Can you plan this first?\nFix the login', 'Fix the login'],
			['Mach daraus ein Ziel: alle Tests reparieren', 'alle Tests reparieren'],
			['Stelle alles auf ESM um. Bitte plane das zuerst!', 'Stelle alles auf ESM um.'],
			['When src/api changes, update the docs. Make a plan first.', 'When src/api changes, update the docs.'],
			['make a goal of this', ''],
			[`Make a goal of this:\n${'Look at the log. '.repeat(100)}`, 'Look at the log. '.repeat(100).trim()],
		] as const) {
			assert.equal(withoutGoalWish(text), rest, text);
			assert.equal(chooseStrategy(text), 'GOAL', text);
		}
	});

	it('are none where the words of a goal or a plan mean something else', () => {
		for (const text of [
			'Should I make a goal of this?',
			'Did you plan it first?',
			'Users should make a goal of this page their favorite',
			'The plan this first customer has is wrong',
			'Make a plan first-class in the API',
			'Why does the button say "make it a goal"?',
			'The button says: make it a goal',
		]) {
			assert.equal(withoutGoalWish(text), undefined, text);
		}
	});
});

describe('Each fast path', () => {
	const own = readLabelled('fast-paths');
	for (const name of FAST_PATH_NAMES) {
		it(`answers at least ten prompts of its own: ${name}`, () => {
			const prompts = own.filter(({ label }) => label === name);
			assert.ok(prompts.length >= 10, String(prompts.length));
			const missed = prompts.filter(({ text }) => findFastPath(text, { isFirst: true })?.path.name !== name);
			assert.deepEqual(missed, []);
		});
	}
});

describe('The table of prompts whose choice has changed', () => {
	it('says of each in docs/strategies.md what is chosen now', () => {
		const page = readFileSync(fileURLToPath(new URL('../../../docs/strategies.md', import.meta.url)), 'utf8');
		const [, table = ''] = page.split('| Message | Before | Now |');
		const rows = [...table.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].filter(([, text]) => text !== '---');
		const words: Readonly<Record<Strategy, string>> = {
			DIRECT_RESPONSE: 'direct',
			GOAL: 'a plan',
			SCHEDULED_TASK: 'a schedule with a condition',
			SUB_AGENT: 'a sub-agent',
			SCRIPT: 'a script',
			GOAL_STEP: '',
		};
		assert.ok(rows.length >= 10, String(rows.length));
		for (const [, text = '', before, now] of rows) {
			const prompt = text.replace('(a list of three orders)', '\n- Add a test\n- Run the tests\n- Commit it');
			const isOffered = maySchedule(prompt) || mayPlan(prompt);
			assert.equal(`${words[chooseStrategy(prompt)]}${isOffered ? ', offered beside the answer' : ''}`, now, prompt);
			assert.notEqual(before, now);
		}
	});
});
