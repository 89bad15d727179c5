import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkedInputs } from './checked-inputs.ts';

const manifest = {
	name: 'deploy',
	inputs: [
		{ name: 'key', type: 'string', format: 'secret', required: true } as const,
		{ name: 'file', type: 'string', format: 'file', required: false } as const,
	],
};
const VALUE = 'kept-and-never-shown';
const check = (params: unknown) => checkedInputs(manifest, params, (text) => text.includes(VALUE));

describe('The params of a capability', () => {
	it('hold no value of a secret in the place of its name, and the refusal does not repeat it', () => {
		for (const wrong of [VALUE, `${VALUE}-2`, 'two words', '']) {
			assert.throws(
				() => check({ key: wrong }),
				(error: Error) =>
					error.message.includes('key: expected the name of a stored secret') && !error.message.includes(VALUE),
				wrong,
			);
		}
	});

	it('name a secret and a file as they are given', () => {
		const params = { key: 'github', file: 'src/cart.ts' };
		assert.deepEqual(check(params), params);
	});
});
