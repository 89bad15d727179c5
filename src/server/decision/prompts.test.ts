/** The list of prompts in English and German: what is chosen for them, as a matrix, and how long the choice takes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Strategy } from '../../protocol/thread/thread.ts';
import { chooseStrategy, findFastPath } from './decide.ts';

const LETTERS: Readonly<Record<string, Strategy>> = {
	D: 'DIRECT_RESPONSE',
	G: 'GOAL',
	T: 'SCHEDULED_TASK',
	A: 'SUB_AGENT',
	S: 'SCRIPT',
};

interface Prompt {
	readonly text: string;
	readonly strategy: Strategy;
	/** Undefined: none is to answer. */
	readonly path: string | undefined;
	/** True when the prompt is only for checking: the choice was not tuned on it. */
	readonly isHeldBack: boolean;
}

const list = fileURLToPath(new URL('../../../test/fixtures/strategies/prompts.txt', import.meta.url));
const prompts: readonly Prompt[] = readFileSync(list, 'utf8')
	.split('\n')
	.filter((line) => line !== '' && !line.startsWith('#'))
	.map((line, index) => {
		const [, kind = '', rest = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
		const path = kind.startsWith('f:') && kind !== 'f:-' ? kind.slice(2) : undefined;
		const strategy = LETTERS[kind] ?? 'DIRECT_RESPONSE';
		return { text: rest.replaceAll('\\n', '\n'), strategy, path, isHeldBack: index % 3 === 2 };
	});

describe('The list of prompts', () => {
	it('has 500, a third of them held back', () => {
		assert.equal(prompts.length, 500);
		assert.equal(prompts.filter(({ isHeldBack }) => isHeldBack).length, 166);
	});

	/** Rows: what is expected; columns: what was chosen, both as DIRECT_RESPONSE, GOAL, SCHEDULED_TASK, SUB_AGENT, SCRIPT. */
	for (const { isHeldBack, matrix } of [
		{ isHeldBack: false, matrix: ['177 0 0 0 0', '1 36 0 0 0', '0 0 62 0 0', '1 0 0 19 0', '1 0 0 0 37'] },
		{ isHeldBack: true, matrix: ['86 1 1 0 0', '1 17 1 0 0', '4 0 21 0 0', '2 0 0 14 0', '5 0 0 0 13'] },
	]) {
		const part = prompts.filter((each) => each.isHeldBack === isHeldBack);
		const name = isHeldBack ? 'held back' : 'tuned on';

		it(`leads to the expected strategies (${name})`, () => {
			const wrong = part.filter(({ text, strategy }) => chooseStrategy(text) !== strategy);
			assert.deepEqual(matrixOf(part), matrix, sayWrong(wrong));
			const interrupted = wrong.filter(({ strategy }) => strategy === 'DIRECT_RESPONSE');
			assert.ok(wrong.length / part.length <= 0.1, `${wrong.length} of ${part.length} are wrong`);
			// To be interrupted costs more than an answer without a strategy.
			assert.ok(interrupted.length / part.length <= 0.02, interrupted.map(({ text }) => text).join('\n'));
		});

		it(`leads to the expected fast paths (${name})`, () => {
			const wrong = part.filter(({ text, path }) => findFastPath(text, { isFirst: true })?.path.name !== path);
			const answered = wrong.filter(({ path }) => path === undefined).map(({ text }) => text);
			assert.deepEqual(answered, []);
			assert.ok(wrong.length <= 12, wrong.map(({ text, path }) => `${path}: ${text}`).join('\n'));
		});
	}
});

function matrixOf(part: readonly Prompt[]): string[] {
	const names = Object.values(LETTERS);
	return names.map((row) => {
		const chosen = part.filter(({ strategy }) => strategy === row).map(({ text }) => chooseStrategy(text));
		return names.map((column) => chosen.filter((each) => each === column).length).join(' ');
	});
}

function sayWrong(wrong: readonly Prompt[]): string {
	return wrong.map(({ text, strategy }) => `${strategy} → ${chooseStrategy(text)}: ${text}`).join('\n');
}
