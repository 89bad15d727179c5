import assert from 'node:assert/strict';
import { capitalised } from './capitalised.ts';

describe('a message at the beginning of a sentence', () => {
	for (const kept of [
		'',
		'.env',
		'"src": deleting',
		'src/cart.ts is there',
		'a.ts',
		'fs.write: no',
		'`npm` ran',
		'3 files',
	]) {
		it(`keeps what may be a name: ${kept}`, () => assert.equal(capitalised(kept), kept));
	}

	for (const [text, shown] of [
		['commands are asked', 'Commands are asked'],
		['no.', 'No.'],
		['nobody, so far', 'Nobody, so far'],
		['über alles', 'Über alles'],
	] as const) {
		it(`gets a capital: ${text}`, () => assert.equal(capitalised(text), shown));
	}
});
