import assert from 'node:assert/strict';
import { searchCapabilities } from './search-capabilities.ts';

const one = (name: string, description = '', tags: string[] = []) => ({ name, type: 'skill', description, tags });
const found = (query: string, ...all: ReturnType<typeof one>[]) =>
	searchCapabilities(all, query, (each) => each).map(({ name }) => name);

describe('A search for capabilities', () => {
	it('finds nothing where none of its words stands', () => {
		assert.deepEqual(found('spreadsheet', one('pdf', 'Forms')), []);
	});

	it('finds all without words', () => {
		assert.deepEqual(found(' -- ', one('b'), one('a')), ['b', 'a']);
	});

	it('looks at name, description and tags, in any case', () => {
		assert.deepEqual(
			found('PDF', one('other'), one('tagged', '', ['pdf']), one('described', 'Fills pdf forms'), one('pdf')),
			['pdf', 'tagged', 'described'],
		);
	});

	it('puts what has more of its words before what has one of them in its name', () => {
		assert.deepEqual(
			found('fill forms', one('forms'), one('paper', 'Helps to fill in all kinds of forms'), one('fill-up')),
			['paper', 'forms', 'fill-up'],
		);
	});

	it('puts a whole word before a part of one', () => {
		assert.deepEqual(found('test', one('contestant'), one('test-runner')), ['test-runner', 'contestant']);
	});
});
