import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { text, translateText } from '../../../protocol/text/text.ts';
import { limitsInWords, WATCH_LIMITS } from '../watch/watch-limits.ts';
import { sandboxReport } from './sandbox-proof-text.ts';
import { placesFor } from './sandbox-proof.ts';

const german = JSON.parse(
	readFileSync(new URL('../../../../l10n/bundle.l10n.de.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>;

describe('The report of the sandbox', () => {
	it('is whole in the language of the reader', () => {
		const attempts = [{ what: text('reading a file outside'), isKept: true }];
		const environment = { HOME: '/home/none', NVM_DIR: '/usr' };
		const proof = { by: 'bwrap', attempts, ...placesFor(environment, '/none'), limits: limitsInWords(WATCH_LIMITS) };
		const { detail, more } = sandboxReport({ works: true }, proof);
		const untranslated = new Set<string>();
		const said = [detail, ...more].map((each) =>
			translateText(each, (template) => {
				if (/[a-z]{2}/.test(template.replaceAll(/\{\w+\}/g, '')) && !Object.hasOwn(german, template))
					untranslated.add(template);
				return german[template] ?? template;
			}),
		);
		assert.deepEqual([...untranslated], []);
		assert.match(said.join('\n'), /^bwrap; .*Datei außerhalb.*\nschreibbar: der Arbeitsbereich, /);
		assert.match(said.join('\n'), /\/usr \(Versionen von Node\.js\)/);
		assert.match(said.join('\n'), /höchstens: \d+ Prozesse, /);
	});
});
