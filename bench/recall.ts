/**
 * Measures the share of secrets found among other people's rule sets. Their rules are not ours to keep here:
 * `PROWESS_RECALL_TABLES` names files of them, separated by commas. Each line of such a file is the form of a secret as
 * a pattern, or names of a label, separated by commas, two blanks, and the form of its value.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pickOutermost } from '../src/trust/record/redaction/findings.ts';
import { Redactor } from '../src/trust/record/redaction/redactor.ts';
import { sampleOf } from '../test/support/sample-form.ts';
import { pick, seeded } from '../test/support/seeded.ts';
import type { Figure } from './measure.ts';

const TIMES = 20;
const BAR = 0.95;
const CODE_CHARS = 40_000_000;
const MAX_FILE_CHARS = 2_000_000;
/**
 * Number of a secret's last characters that must not show: a secret counts as found when the redacted text lacks them.
 */
const SHOWN = 10;

const assigned: readonly ((name: string, value: string) => string)[] = [
	(name, value) => `${name}_TOKEN=${value}`,
	(name, value) => `var ${name}Key string = "${value}"`,
	(name, value) => `"${name}-secret": "${value}"`,
	(name, value) => `${name}_api_key: '${value}'`,
	(name, value) => `$${name}Token .= "${value}"`,
	(name, value) => `System.setProperty("${name.toUpperCase()}_TOKEN", "${value}")`,
	(name, value) => `${name}_TOKEN ::= "${value}"`,
];
const bare: readonly ((token: string) => string)[] = [
	(token) => token,
	(token) => `const key = "${token}";`,
	(token) => `{"a":"first\\n${token}\\nlast"}`,
	(token) => `curl -H 'X-Key: ${token}' https://a.test`,
];

export function recallFigures(): Promise<Figure[]> {
	const redactor = new Redactor();
	const tables = (process.env['PROWESS_RECALL_TABLES'] ?? '').split(',').filter((file) => file !== '');
	const none: Figure = {
		goal: 'recall',
		what: "secrets found of other people's forms",
		measured: 'not measured: PROWESS_RECALL_TABLES names no file',
		bar: `>= ${100 * BAR} %`,
		met: undefined,
	};
	return Promise.resolve([
		ordinaryLines(redactor),
		...(tables.length === 0 ? [none] : tables.map((file) => recall(redactor, file))),
		alarms(redactor),
	]);
}

function recall(redactor: Redactor, file: string): Figure {
	const random = seeded(77);
	const name = (names: string) => pick(random, names.split(','));
	const forms = readFileSync(file, 'utf8').trim().split('\n');
	const found = forms.map((form) => {
		const [first = '', value] = form.split(/ {2,}/);
		const isFound = Array.from({ length: TIMES }, () => {
			const secret = sampleOf(value ?? first, random);
			const text = value === undefined ? pick(random, bare)(secret) : pick(random, assigned)(name(first), secret);
			return !redactor.redact(text).includes(secret.slice(-SHOWN));
		});
		return isFound.filter(Boolean).length;
	});
	const share = found.reduce((sum, count) => sum + count, 0) / (forms.length * TIMES);
	return {
		goal: 'recall',
		what: `secrets found of ${forms.length * TIMES} by chance, of the ${forms.length} forms in ${basename(file)}`,
		measured: `${(100 * share).toFixed(1)} % (all of ${found.filter((count) => count === TIMES).length} forms)`,
		bar: `>= ${100 * BAR} %`,
		met: share >= BAR,
	};
}

/** Lines of shells, settings, programs and vendors, in which the form of the secret stands between ⟦ and ⟧. */
function ordinaryLines(redactor: Redactor): Figure {
	const random = seeded(78);
	const folder = join(import.meta.dirname, '../test/fixtures/redaction');
	const files = ['vendor-formats.txt', 'more-vendor-formats.txt', 'everyday-forms.txt', 'more-everyday-forms.txt'];
	const lines = files
		.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
		.filter((line) => line.includes('⟦'));
	const found = lines.flatMap((line) => {
		const [before = '', form = '', after = ''] = line
			.replaceAll('\\n', '\n')
			.replaceAll('\\t', '\t')
			.replaceAll('§', 'KEY')
			.split(/[⟦⟧]/u);
		return Array.from({ length: TIMES }, () => {
			const secret = form
				.split('\n')
				.map((each) => sampleOf(each, random))
				.join('\n');
			return !redactor.redact(before + secret + after).includes(secret.slice(-SHOWN));
		});
	});
	const share = found.filter(Boolean).length / found.length;
	return {
		goal: 'recall',
		what: `secrets found of ${found.length} by chance, in our own ${lines.length} lines of shells, settings, programs and vendors`,
		measured: `${(100 * share).toFixed(1)} %`,
		bar: `>= ${100 * BAR} %`,
		met: share >= BAR,
	};
}

/** In the packages that this project is built with. */
function alarms(redactor: Redactor): Figure {
	let chars = 0;
	let count = 0;
	for (const file of codeBelow(join(import.meta.dirname, '../node_modules'))) {
		const text = readFileSync(file, 'utf8');
		if (text.length <= MAX_FILE_CHARS && chars < CODE_CHARS) {
			chars += text.length;
			count += pickOutermost(redactor.find(text)).length;
		}
	}
	const rate = count / (chars / 1_000_000);
	return {
		goal: 'recall',
		what: `what is taken for a secret in ${Math.round(chars / 1_000_000)} MB of packages, examples of keys included`,
		measured: `${rate.toFixed(2)} in 1 MB (${count})`,
		bar: '<= 1 in 1 MB',
		met: rate <= 1,
	};
}

function codeBelow(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true, recursive: true })
		.filter(
			(entry) => entry.isFile() && /(?<!\.(?:test|min))\.(?:[cm]?[jt]sx?|json|md|css|html|ya?ml)$/.test(entry.name),
		)
		.map((entry) => join(entry.parentPath, entry.name))
		.sort();
}
