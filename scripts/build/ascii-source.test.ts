import assert from 'node:assert/strict';
import { runInThisContext } from 'node:vm';
import { describe, it } from 'mocha';
import { asciiSource } from './ascii-source.ts';

const evaluated = (source: string) => runInThisContext(source) as RegExp;

describe('A source in ASCII', () => {
	it('finds what the one with other characters finds', () => {
		const text = 'wie spät … 😀 “so” ✖ \\\\ä';
		for (const source of ['/[äöü…]/gu', '/😀|[“”]/gu', '/\\\\…|\\\\\\\\ä/g', '/✖ /giu', '/(?:spät|[😀-😂])/gu']) {
			const ascii = asciiSource(source);
			assert.match(ascii, /^[\0-\x7F]*$/);
			assert.deepEqual(text.match(evaluated(ascii)), text.match(evaluated(source)), source);
		}
	});

	it('stays as it is where it is one already', () => {
		assert.equal(asciiSource('/a\\u00e4/'), '/a\\u00e4/');
	});

	it('is none where a backslash would be taken for another one', () => {
		assert.throws(() => asciiSource('/\\…/'), /a backslash before/);
	});
});
