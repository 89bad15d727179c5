import assert from 'node:assert/strict';
import { parseManifest } from './read-manifest.ts';

const head = 'name: a\ntype: skill\nversion: "1"\n';
const read = (text: string) => parseManifest(text, 'capability.yaml');

describe('capability.yaml', () => {
	for (const [what, text, about] of [
		['a key twice', `${head}name: b\n`, /:4: .*unique/i],
		['a tag of its own', `${head}description: !!js/function 'x'\n`, /:4: .*tag/i],
		['a name that is a path', head.replace('a', '../x'), /:1: name: /],
		['a permission nobody knows', `${head}permissions:\n  - workspace.read\n  - root\n`, /:6: permissions\.1/],
		['no version', 'name: a\ntype: skill\n', /version/],
		['text that is no mapping', 'just text', /capability\.yaml:1/],
		['a tab where YAML wants spaces', `${head}inputs:\n\t- name: x\n`, /:5: /],
		['a level nobody knows', `${head}level: ROOT\n`, /:4: level/],
	] as const) {
		it(`is refused with ${what}, with its line`, () => {
			assert.throws(
				() => read(text),
				(error: Error) => about.test(error.message) && 'code' in error && error.code === 'INVALID_CAPABILITY_CONFIG',
			);
		});
	}

	it('is refused when its aliases multiply', () => {
		const bomb = `a: &a [1,1]\n${'bcdefghij'
			.split('')
			.map((each, at) => `${each}: &${each} [*${'abcdefghi'[at]},*${'abcdefghi'[at]},*${'abcdefghi'[at]}]`)
			.join('\n')}\n${head}`;
		assert.throws(() => read(bomb), { code: 'INVALID_CAPABILITY_CONFIG' });
	});

	it('is read with what it leaves out filled in', () => {
		assert.deepEqual(read(head), {
			name: 'a',
			type: 'skill',
			version: '1',
			description: '',
			inputs: [],
			permissions: [],
			level: 'CONTROLLED',
		});
	});
});
