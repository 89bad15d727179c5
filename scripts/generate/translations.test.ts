import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../test/support/temp-dir.ts';
import { bundleText, translationsToDo } from './translations.ts';

function repository(german: Readonly<Record<string, string>>): string {
	const root = tempDir('translations');
	const write = (path: string, text: string) => {
		mkdirSync(join(root, path, '..'), { recursive: true });
		writeFileSync(join(root, path), text);
	};
	write('src/extension/greet.ts', "export const greet = () => l10n.t('Good morning');");
	write('package.nls.json', '{"title":"Prowess"}');
	write('package.nls.de.json', '{"title":"Prowess"}');
	const shared = Object.keys(JSON.parse(bundleText(root)) as object).filter((text) => text !== 'Good morning');
	write(
		'l10n/bundle.l10n.de.json',
		JSON.stringify({ ...Object.fromEntries(shared.map((text) => [text, text])), ...german }),
	);
	return root;
}

describe('The translations to do', () => {
	it('are the texts that have no German', () => {
		assert.deepEqual(translationsToDo(repository({})), ['l10n/bundle.l10n.de.json: missing "Good morning"']);
	});

	it('are what the capabilities that come with it say of themselves and of their inputs', () => {
		const root = repository({ 'Good morning': 'Guten Morgen' });
		const folder = join(root, 'capabilities/skill/greet');
		mkdirSync(folder, { recursive: true });
		writeFileSync(
			join(folder, 'capability.yaml'),
			'name: greet\ndescription: Greets somebody\ninputs:\n  - { name: who, description: Whom }\n',
		);
		assert.deepEqual(translationsToDo(root), [
			'l10n/bundle.l10n.de.json: missing "Greets somebody"',
			'l10n/bundle.l10n.de.json: missing "Whom"',
		]);
	});

	it('are the German texts that nobody says', () => {
		const root = repository({ 'Good morning': 'Guten Morgen', 'Good night': 'Gute Nacht' });
		assert.deepEqual(translationsToDo(root), ['l10n/bundle.l10n.de.json: nobody says "Good night"']);
	});

	it('are none when all is said', () => {
		assert.deepEqual(translationsToDo(repository({ 'Good morning': 'Guten Morgen' })), []);
	});
});
