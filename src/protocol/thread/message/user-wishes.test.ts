import assert from 'node:assert/strict';
import { rememberWish, switchWish } from './user-wishes.ts';

describe('A wish of the user', () => {
	it('to switch a capability names it, in English and German', () => {
		assert.deepEqual(switchWish('disable the skill greet'), { isEnabled: false, type: undefined, name: 'greet' });
		assert.deepEqual(switchWish('Aktiviere die Fähigkeit skill/greet.'), {
			isEnabled: true,
			type: 'skill',
			name: 'greet',
		});
		assert.equal(switchWish('enable the skill com.example.kit:greet.')?.name, 'com.example.kit:greet');
		assert.equal(switchWish('disable the skill greet and run the tests'), undefined);
		assert.equal(switchWish('how do I disable the skill greet?'), undefined);
		assert.equal(switchWish('disable the linter'), undefined);
	});

	it('to remember something says what, in one line', () => {
		assert.equal(rememberWish('Remember that we use pnpm'), 'we use pnpm');
		assert.equal(rememberWish('Merke dir: wir antworten auf Deutsch.'), 'wir antworten auf Deutsch.');
		assert.equal(rememberWish('Remember: fix the CI'), undefined);
		assert.equal(rememberWish('Note: remove the debug flag'), undefined);
		assert.equal(rememberWish('Merke dir: behebe die CI'), undefined);
		assert.equal(rememberWish('merk dir, dass wir pnpm nutzen'), 'wir pnpm nutzen');
		assert.equal(rememberWish('remember that we use pnpm\nand fix the build'), undefined);
		assert.equal(rememberWish('Remember that Node.js 22.3 is in .nvmrc!'), 'Node.js 22.3 is in .nvmrc!');
		assert.equal(rememberWish('Remember: we use tabs. Reformat a.ts'), undefined);
		assert.equal(rememberWish('Remember that the tests need node 22 and fix the CI'), undefined);
		assert.equal(rememberWish('Merke dir: wir benutzen Tabs. Formatiere src/index.ts'), undefined);
		assert.equal(rememberWish('Do you remember that file?'), undefined);
		assert.equal(rememberWish('remember that we talked about?'), undefined);
	});
});
