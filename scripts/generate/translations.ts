/** Texts of the extension and the webview, and the check that all of them have their German and nothing more. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ERROR_CATALOG } from '../../src/protocol/errors/catalog.ts';
import { NOTICE_TEXTS } from '../../src/protocol/text/notice-texts.ts';

type Strings = Readonly<Record<string, string>>;

/** English is its own translation; translators start from this file. */
export function bundleText(root: string): string {
	return `${JSON.stringify(Object.fromEntries(saidInSources(root).map((text) => [text, text])), undefined, '\t')}\n`;
}

/**
 * Returns the texts without German, which are then shown in English, and the German that no source says. Each is one
 * line, for translators.
 */
export function translationsToDo(root: string): string[] {
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

/**
 * Returns the texts of `l10n.t('…')` in the extension, `t('…')` in the webview, `text('…')` wherever a text for people
 * is made, the texts of errors and of the server's notices, and those with which the capabilities that come with
 * Prowess describe themselves.
 */
function saidInSources(root: string): string[] {
	const said = new Set<string>([...Object.values(NOTICE_TEXTS), ...saidInCapabilities(root)]);
	for (const { user, wayOut } of Object.values(ERROR_CATALOG)) {
		for (const sentence of [user, wayOut ?? []].flat().filter((each) => !/^\{\w+\}$/.test(each))) {
			said.add(sentence);
		}
	}
	for (const [name, folders] of SPEAKERS) {
		const files = globSync(
			folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
			{ cwd: root },
		);
		const spoken = new RegExp(String.raw`\b${name}\(\s*(?:'((?:[^'\\]|\\.)+)'|"((?:[^"\\]|\\.)+)")`, 'g');
		for (const file of files.filter((path) => !path.endsWith('.test.ts'))) {
			for (const [, single, double] of readFileSync(join(root, file), 'utf8').matchAll(spoken)) {
				said.add((single ?? double ?? '').replaceAll(/\\(.)/g, '$1'));
			}
		}
	}
	return [...said].toSorted();
}

/** Their descriptions, and those of their inputs. */
function saidInCapabilities(root: string): string[] {
	return globSync('capabilities/*/*/capability.yaml', { cwd: root }).flatMap((path) => {
		const { description, inputs = [] } = parse(readFileSync(join(root, path), 'utf8')) as Described;
		return [description, ...inputs.flatMap((input) => input.description ?? [])];
	});
}

interface Described {
	readonly description: string;
	readonly inputs?: readonly { readonly description?: string }[];
}

/** The function that takes a text first, and where it is called. */
const SPEAKERS: readonly (readonly [string, readonly string[]])[] = [
	['t', ['src/extension', 'src/webview']],
	[
		'text',
		[
			...['src/machine', 'src/trust', 'src/catalog', 'src/execution', 'src/features', 'src/ops', 'src/host'],
			...['src/contract', 'src/extension', 'src/protocol', 'src/server'],
		],
	],
];
