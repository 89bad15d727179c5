/** Prompts as people write them, in English and German: few are interrupted, none is answered wrongly, orders are found. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FAST_PATH_NAMES } from '../../protocol/settings/groups/advanced.ts';
import type { Strategy } from '../../protocol/thread/thread.ts';
import { chooseStrategy, findFastPath, maySchedule } from './decide.ts';

const LETTERS: Readonly<Record<string, Strategy>> = {
	D: 'DIRECT_RESPONSE',
	G: 'GOAL',
	T: 'SCHEDULED_TASK',
	A: 'SUB_AGENT',
	S: 'SCRIPT',
};

function readList(name: string): readonly string[] {
	const path = fileURLToPath(new URL(`../../../test/fixtures/strategies/${name}.txt`, import.meta.url));
	const lines = readFileSync(path, 'utf8').split('\n');
	return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.replaceAll('\\n', '\n'));
}

interface LabelledPrompt {
	readonly label: string;
	readonly text: string;
}

function readLabelled(name: string): readonly LabelledPrompt[] {
	return readList(name).map((line) => ({
		label: line.slice(0, line.indexOf(' ')),
		text: line.slice(line.indexOf(' ') + 1),
	}));
}

/** Every third prompt of a list is held back: nothing was changed because of it. */
function split<T>(list: readonly T[]) {
	return [
		{ name: 'tuned on', part: list.filter((_, at) => at % 3 !== 2) },
		{ name: 'held back', part: list.filter((_, at) => at % 3 === 2) },
	] as const;
}

const ordinary = readList('ordinary');
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
				const missed = wanted.filter(({ text }) => chooseStrategy(text) !== LETTERS[letter]);
				assert.ok(missed.length <= wanted.length * 0.2, missed.map(({ text }) => text).join('\n'));
			}
			const missed = part.filter(({ label, text }) => chooseStrategy(text) !== LETTERS[label]);
			assert.ok(missed.length <= part.length * 0.1, missed.map(({ text }) => text).join('\n'));
		});
	}
});

describe('Prompts that were written later', () => {
	const laterOrdinary = readList('later-ordinary');
	const laterOrders = readLabelled('later-orders');

	it('are interrupted in at most 1 of 200 without an order, and answered by no fast path', () => {
		const wrong = laterOrdinary.filter((text) => chooseStrategy(text) !== 'DIRECT_RESPONSE');
		assert.ok(wrong.length <= Math.ceil(laterOrdinary.length * 0.005), wrong.join('\n'));
		const answered = laterOrdinary.filter((text) => findFastPath(text, { isFirst: true }) !== undefined);
		assert.deepEqual(answered, []);
	});

	it('get their strategy in at least 4 of 5 orders', () => {
		const missed = laterOrders.filter(({ label, text }) => chooseStrategy(text) !== LETTERS[label]);
		assert.ok(missed.length <= laterOrders.length * 0.2, missed.map(({ text }) => text).join('\n'));
	});
});

describe('Prompts that were written last', () => {
	const fresh = readLabelled('fresh');
	const isOrder = ({ label }: LabelledPrompt) => label !== 'D';

	it('are at least 90, interrupt nobody without an order, and are answered by no fast path', () => {
		assert.ok(fresh.length >= 90 && new Set(fresh.map(({ text }) => text)).size === fresh.length);
		const wrong = fresh.filter((each) => !isOrder(each) && chooseStrategy(each.text) !== 'DIRECT_RESPONSE');
		const answered = fresh.filter(({ text }) => findFastPath(text, { isFirst: true }) !== undefined);
		assert.deepEqual([wrong, answered], [[], []]);
	});

	it('get their strategy, and no other one, in at least 4 of 5 orders', () => {
		const judged = fresh
			.filter(isOrder)
			.map(({ label, text }) => ({ text, wanted: LETTERS[label], got: chooseStrategy(text) }));
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
		const judged = mixed.map(({ label, text }) => ({
			text,
			wanted: LETTERS[label] ?? 'DIRECT_RESPONSE',
			got: chooseStrategy(text),
		}));
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
			const offered = maySchedule(prompt) ? ', offered beside the answer' : '';
			assert.equal(`${words[chooseStrategy(prompt)]}${offered}`, now, prompt);
			assert.notEqual(before, now);
		}
	});
});
