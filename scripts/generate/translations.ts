/** What the extension and the webview say, and whether all of it has its German and nothing more. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_SENTENCES } from '../../src/protocol/error-sentence.ts';
import { NOTICE_TEXTS } from '../../src/protocol/notice-texts.ts';

type Strings = Readonly<Record<string, string>>;

/** English is its own translation; translators start from this file. */
export function bundleText(root: string): string {
	return `${JSON.stringify(Object.fromEntries(saidInSources(root).map((text) => [text, text])), undefined, '\t')}\n`;
}

export function missingTranslations(root: string): string[] {
	const read = (path: string): Strings => JSON.parse(readFileSync(join(root, path), 'utf8')) as Strings;
	return [
		...compare('package.nls.de.json', Object.keys(read('package.nls.json')), Object.keys(read('package.nls.de.json'))),
		...compare('l10n/bundle.l10n.de.json', saidInSources(root), Object.keys(read('l10n/bundle.l10n.de.json'))),
	];
}

function compare(file: string, wanted: readonly string[], there: readonly string[]): string[] {
	return [
		...wanted.filter((key) => !there.includes(key)).map((key) => `${file}: missing ${JSON.stringify(key)}`),
		...there.filter((key) => !wanted.includes(key)).map((key) => `${file}: nobody says ${JSON.stringify(key)}`),
	];
}

/** What `l10n.t('…')` says in the extension and `t('…')` in the webview, and what both say of errors and the server of turns. */
function saidInSources(root: string): string[] {
	const said = new Set<string>([...Object.values(ERROR_SENTENCES), ...Object.values(NOTICE_TEXTS)]);
	const files = globSync(['src/extension/**/*.ts', 'src/webview/**/*.{ts,tsx}'], { cwd: root });
	for (const file of files.filter((path) => !path.endsWith('.test.ts'))) {
		const source = readFileSync(join(root, file), 'utf8');
		for (const [, single, double] of source.matchAll(/\bt\(\s*(?:'((?:[^'\\]|\\.)+)'|"((?:[^"\\]|\\.)+)")/g)) {
			said.add((single ?? double ?? '').replaceAll(/\\(.)/g, '$1'));
		}
	}
	return [...said].toSorted();
}
