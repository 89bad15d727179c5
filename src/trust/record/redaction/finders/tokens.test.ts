/** Measures how many tokens of each known form are found, and what is taken for a token in code that holds none. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { sampleOf } from '../../../../../test/support/sample-form.ts';
import { pick, seeded } from '../../../../../test/support/seeded.ts';
import { pickOutermost } from '../findings.ts';
import { Redactor } from '../redactor.ts';
import { MARKED_FORMS, NAMED_FORMS } from './token-forms.ts';
import { WordFinder } from './word-finder.ts';
import { type Vocabulary, WordPass } from './word-pass.ts';

const root = join(import.meta.dirname, '../../../../..');
const TIMES = 5;
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Ways to write a value behind a name, as files, code and commands have them. */
const assigned: readonly ((name: string, value: string) => string)[] = [
	(name, value) => `${name.toUpperCase()}_API_KEY=${value}\n`,
	(name, value) => `const ${name}Token = "${value}";`,
	(name, value) => `  ${name}_token: ${value}\n`,
	(name, value) => `"${name}-key": "${value}",`,
	(name, value) => `${name} := \`${value}\``,
	(name, value) => `$config['${name}'] => '${value}'`,
	(name, value) => `<${name}.secret>${value}</${name}.secret>`,
	(name, value) => `export ${name}_ID='${value}' # for the build`,
];
/** Places where a token stands that needs no name. */
const bare: readonly ((token: string) => string)[] = [
	(token) => token,
	(token) => `git clone with ${token} please`,
	(token) => `{"a":"first\\n${token}\\nlast"}`,
	(token) => `curl 'https://example.org/?t=${token}&x=1'`,
	(token) => `token="${token}"; next()`,
];

const rowsOf = (table: string) =>
	table
		.trim()
		.split('\n')
		.map((line) => line.split(/ {2,}/));

interface Sample {
	readonly family: string;
	readonly secret: string;
	readonly text: string;
}

function markedSamples(): Sample[] {
	const random = seeded(11);
	return rowsOf(MARKED_FORMS).flatMap(([family = '', marks = '', rest = '', , before = '']) =>
		marks.split(' ').flatMap((mark) =>
			Array.from({ length: TIMES }, () => {
				const token = `${sampleOf(before, random)}${mark}${sampleOf(rest, random)}`;
				const secret = mark.endsWith('=') ? token.slice(mark.length) : token;
				return { family, secret, text: pick(random, bare)(token) };
			}),
		),
	);
}

function namedSamples(): Sample[] {
	const random = seeded(12);
	return rowsOf(NAMED_FORMS).flatMap(([family = '', names = '', values = '']) =>
		names.split(' ').flatMap((name) =>
			values.split(' ').flatMap((value) =>
				Array.from({ length: TIMES }, () => {
					const secret = sampleOf(value === 'U' ? UUID : value, random);
					return { family, secret, text: pick(random, assigned)(name, secret) };
				}),
			),
		),
	);
}

function missedOf(samples: readonly Sample[]): Sample[] {
	const redactor = new Redactor();
	return samples.filter(({ secret, text }) => redactor.redact(text).includes(secret));
}

function codeBelow(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile() && /(?<!\.test)\.(?:[cm]?[jt]sx?|json|md|css|html|ya?ml)$/.test(entry.name))
		.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

describe('The forms of tokens', () => {
	it('are found at least 99 times in a hundred where the token has a mark', () => {
		const samples = markedSamples();
		const missed = missedOf(samples);
		assert.ok(samples.length > 1_000, `${samples.length} samples`);
		assert.ok(missed.length <= samples.length / 100, JSON.stringify(missed.slice(0, 20), undefined, 1));
	});

	it('are found at least 99 times in a hundred where only the name of the service tells', () => {
		const samples = namedSamples();
		const missed = missedOf(samples);
		assert.ok(samples.length > 500, `${samples.length} samples`);
		assert.ok(missed.length <= samples.length / 100, JSON.stringify(missed.slice(0, 20), undefined, 1));
	});

	it('are seen at most once in a megabyte of code that contains no secret', function () {
		this.timeout(30_000);
		const redactor = new Redactor();
		const packages = ['zod', 'yaml', 'marked', 'semver', 'diff', 'ws', 'vscode-jsonrpc', '@types/node', 'highlight.js'];
		const folders = ['src', 'docs', 'scripts', 'bench', ...packages.map((name) => `node_modules/${name}`)];
		let chars = 0;
		const alarms = folders.flatMap((folder) =>
			codeBelow(join(root, folder)).flatMap((text) => {
				chars += text.length;
				return pickOutermost(redactor.find(text)).map(({ start, end }) => text.slice(Math.max(0, start - 40), end));
			}),
		);
		assert.ok(chars > 8_000_000, `${chars} characters`);
		assert.ok(alarms.length <= chars / 1_000_000, `${alarms.length} in ${chars}: ${JSON.stringify(alarms)}`);
	});

	it('are not seen in what only begins like a token, is part of a longer word, or is an example', () => {
		const redactor = new Redactor();
		for (const text of [
			'sk-learn and task-based-scheduling-of-everything',
			`AKIA${'IOSFODNN7'}EXAMPLE`,
			`ghp_${'x'.repeat(36)}`,
			`linear = "${'a'.repeat(32)}"`,
			'const jiraTicketNumberOfBoard = readTheNextTicketOfIt;',
			`${'0123456789abcdef'.repeat(2)}01234567 is a commit`,
		]) {
			assert.equal(redactor.redact(text), text);
		}
	});
});

describe('WordFinder', () => {
	it('finds what a search for each word finds', () => {
		const word = fc.stringMatching(/^[ab.]{1,4}$/);
		fc.assert(
			fc.property(
				fc.uniqueArray(word, { minLength: 1, maxLength: 12 }),
				fc.stringMatching(/^[abAB.x]{0,60}$/),
				(words, text) => {
					const found: [number, number][] = [];
					new WordFinder(words).find(text, (index, end) => found.push([end, index]));
					const expected = words.flatMap((each, index) =>
						Array.from({ length: text.length }, (_, start) => start)
							.filter((start) => text.toLowerCase().startsWith(each, start))
							.map((start): [number, number] => [start + each.length, index]),
					);
					const inOrder = (places: [number, number][]) => places.map(String).toSorted();
					assert.deepEqual(inOrder(found), inOrder(expected));
				},
			),
		);
	});

	it('knows words of any script, in both cases', () => {
		const found: number[] = [];
		new WordFinder(['пароль', 'şifre']).find('ПАРОЛЬ şifre Şifre', (_, end) => found.push(end));
		assert.deepEqual(found, [6, 12, 18]);
	});
});

describe('A pass for several vocabularies', () => {
	/** Tells where its words stand, as secrets. */
	const telling = (family: string, words: readonly string[], ignoresCase: boolean): Vocabulary => ({
		words,
		ignoresCase,
		begin: (_, { secrets }) => ({
			tell: (word, end) => secrets.push({ family, start: end - (words[word]?.length ?? 0), end }),
			finish: () => secrets.push({ family: `end of ${family}`, start: 0, end: 0 }),
		}),
	});

	it('tells each its own words, and cases apart where a vocabulary does', () => {
		const pass = new WordPass([telling('mark', ['AKIA'], false), telling('label', ['akia', 'key'], true)]);
		assert.deepEqual(
			pass.read('akia AKIA').secrets.map(({ family, end }) => `${family} ${end}`),
			['label 4', 'mark 9', 'label 9', 'end of mark 0', 'end of label 0'],
		);
	});

	it('begins no vocabulary whose words do not stand in the text', () => {
		assert.deepEqual(new WordPass([telling('mark', ['AKIA'], false)]).read('akia').secrets, []);
	});
});
