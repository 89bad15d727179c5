import assert from 'node:assert/strict';
import { typedName } from './typed-values.ts';

describe('A name that is typed', () => {
	const read = (typed: string, type?: string) =>
		typedName(
			{ operands: [typed], values: type === undefined ? {} : { type }, lists: {}, switches: new Set() },
			'capability show',
		);

	it('may have its type before it, as it is listed', () => {
		assert.deepEqual(read('power/words'), { type: 'power', name: 'words' });
		assert.deepEqual(read('skill/kit:go'), { type: 'skill', name: 'kit:go' });
		assert.deepEqual(read('power/words', 'power'), { type: 'power', name: 'words' });
		assert.throws(() => read('power/words', 'skill'), /"power\/words" is no skill; leave --type out/);
	});

	it('is one with a version, or with an index that has a slash', () => {
		assert.deepEqual(read('words@owner/repo'), { type: undefined, name: 'words@owner/repo' });
		assert.deepEqual(read('power/words@owner/repo'), { type: 'power', name: 'words@owner/repo' });
		assert.deepEqual(read('words', 'power'), { type: 'power', name: 'words' });
	});

	it('is left as it is where it is a path', () => {
		for (const path of ['./words', '../words', '/words', 'a/b/c', 'a\\b', '.']) {
			assert.deepEqual(read(path), { type: undefined, name: path });
		}
	});
});
