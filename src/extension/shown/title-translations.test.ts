import assert from 'node:assert/strict';
import { createTitleTranslator } from './title-translations.ts';

const german = {
	'Run {command}': 'Ausführen: {command}',
	'Run the script {name}': 'Skript {name} ausführen',
	'Move {from} to {to}': '{from} nach {to} verschieben',
	'Ask: {question}': 'Frage: {question}',
	'Read git status': 'Git-Status lesen',
	'{method} {url}': '{method} an {url}',
};

describe('A title of the ledger', () => {
	it('stays as it was recorded where nothing translates it', () => {
		for (const title of ['POST https://x.test', 'Something else', 'Runs away', 'run npm', '']) {
			assert.equal(createTitleTranslator(german)(title), title);
		}
		assert.equal(createTitleTranslator(undefined)('Run npm test'), 'Run npm test');
	});

	it('is shown in the language of the reader, with the longest template that fits', () => {
		const translate = createTitleTranslator(german);
		for (const [title, shown] of [
			['Run npm test', 'Ausführen: npm test'],
			['Run the script clean', 'Skript clean ausführen'],
			['Move a.ts to b.ts', 'a.ts nach b.ts verschieben'],
			['Ask: Which (one)?', 'Frage: Which (one)?'],
			['Read git status', 'Git-Status lesen'],
			['Run {command} $& \\1\nline', 'Ausführen: {command} $& \\1\nline'],
		] as const) {
			assert.equal(translate(title), shown);
		}
	});

	it('is read in a moment, however hostile it is', () => {
		const hostile = `Move ${' to'.repeat(20_000)}`;
		assert.match(createTitleTranslator(german)(hostile), / verschieben$/);
	});
});
