import assert from 'node:assert/strict';
import { errorSentence } from './error-sentence.ts';
import { ProwessError } from './errors.ts';

describe('errorSentence', () => {
	it('makes a sentence of a message whose code has no words of its own', () => {
		assert.equal(errorSentence(new ProwessError('NOT_FOUND', 'src/a.ts does not exist')), 'Src/a.ts does not exist.');
		assert.equal(errorSentence(new Error('Is it?')), 'Is it?');
		assert.equal(errorSentence({ code: '__proto__', message: 'what' }), 'What.');
	});

	it('says what a code means to a person', () => {
		const error = new ProwessError('PROVIDER_AUTH', 'local answered 401 to POST /v1/chat/completions');
		assert.equal(errorSentence(error), 'The provider does not accept this key.');
	});
});
