import assert from 'node:assert/strict';
import { isComposingKey } from './composing-key.ts';

describe('A key of an input method', () => {
	it('is known while a word is composed, and by its code where the composition has ended before it', () => {
		assert.equal(isComposingKey({ isComposing: true, keyCode: 13 }), true);
		assert.equal(isComposingKey({ isComposing: false, keyCode: 229 }), true);
		assert.equal(isComposingKey({ isComposing: false, keyCode: 13 }), false);
	});
});
