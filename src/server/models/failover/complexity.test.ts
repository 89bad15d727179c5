import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ModelRouting } from '../../../protocol/turn/models.ts';
import { ratePrompt, findPromptRoute } from './complexity.ts';

const prompt = (text: string, more: { readonly attachments?: number; readonly messagesBefore?: number } = {}) => ({
	text,
	attachments: 0,
	messagesBefore: 0,
	...more,
});
const both = ModelRouting.parse({ simple: 'small/m', complex: 'large/m' });

describe('routing by complexity', () => {
	it('refuses bounds that cross, points that are none and names with spaces', () => {
		for (const wrong of [
			{ simpleBelow: 900, complexFrom: 800 },
			{ simpleBelow: -1 },
			{ complexFrom: 1.5 },
			{ complexFrom: 'many' },
			{ simple: 'two words' },
			{ simple: '' },
			{ medium: 'p/m' },
		]) {
			assert.equal(ModelRouting.safeParse(wrong).success, false, JSON.stringify(wrong));
		}
	});

	it('takes no other model where the settings name none for such a prompt', () => {
		const none = ModelRouting.parse({});
		assert.deepEqual(
			[findPromptRoute(prompt('Hi'), none), findPromptRoute(prompt('x'.repeat(10_000)), none)],
			[undefined, undefined],
		);
		assert.equal(findPromptRoute(prompt('x'.repeat(10_000)), ModelRouting.parse({ simple: 'small/m' })), undefined);
	});

	it('takes the models of the settings below the one bound and from the other one on', () => {
		const sizes = [0, 796, 797, 800, 3_196, 3_197].map(
			(chars) => findPromptRoute(prompt('x'.repeat(chars)), both)?.model,
		);
		assert.deepEqual(sizes, ['small/m', 'small/m', undefined, undefined, undefined, 'large/m']);
	});

	it('counts code, attachments and the messages of a long thread', () => {
		assert.equal(ratePrompt(prompt('')), 0);
		assert.equal(ratePrompt(prompt('```\nfunction f\n```')), Math.ceil(18 / 4) + 3 * 30);
		assert.equal(ratePrompt(prompt('Fix src/a.test.ts')), Math.ceil(17 / 4) + 30);
		assert.equal(ratePrompt(prompt('', { attachments: 2 })), 60);
		assert.deepEqual(
			[10, 11, 12].map((messagesBefore) => ratePrompt(prompt('', { messagesBefore }))),
			[0, 15, 30],
		);
	});

	it('reads a long prompt in the time of its length', () => {
		const half = 250_000;
		for (const text of ['a.', 'a-', '\n', ' \n', ' at ', '`']) {
			ratePrompt(prompt(text.repeat(half)));
		}
	});
});
