/**
 * Finds errors that would be shown in English only. The message of an error is for models and the log. Where the catalogue
 * shows a user no more than that message, the place that makes the error says it in a text that can be translated.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CATALOG } from '../../src/protocol/errors/catalog.ts';
import { isErrorCode } from '../../src/protocol/errors/errors.ts';
import { listTemplateNames } from '../../src/protocol/text/text.ts';

/**
 * Whose errors stay English: models and programs that call ops with wrong arguments, authors of packages and scripts, users
 * of the command line, and our own processes among each other. A folder ends with a slash.
 */
const READ_BY_OTHERS: readonly string[] = [
	'src/cli/',
	// Arguments of a call
	'src/features/agents/sub-agents.ts',
	'src/trust/broker/steps.ts',
	'src/machine/http/request-headers.ts',
	'src/machine/plist/plist-value.ts',
	'src/machine/search/glob.ts',
	'src/machine/shell/find-program.ts',
	'src/features/models/',
	'src/ops/',
	'src/extension/ports/editor-port.ts',
	'src/server/sub-turn/',
	// Errors that the author of a package, an executor or a script can mend
	'src/catalog/capability-files.ts',
	'src/catalog/marketplace/build-index.ts',
	'src/machine/secrets/signing-key.ts',
	'src/execution/runs/run/',
	'src/execution/processes/workers/worker-process.ts',
	'src/features/script/',
	// Jobs that programs make, several at once or by a schedule; a person adds one prompt at a time
	'src/contract/check-jobs.ts',
	'src/features/work/job-store.ts',
	// Users of the command line, who alone have jobs of a team
	'src/team/',
	// Our processes among each other
	'src/features/background/',
	'src/trust/broker/person/ask-person.ts',
	'src/machine/threads/',
	'src/trust/record/ledger/anchor-place.ts',
	'src/server/compose.ts',
	'src/server/models/failover/',
	'src/server/threads/',
];

/** `file:line: code`, sorted by file. */
export function untranslatedErrors(root: string): string[] {
	return globSync('src/**/*.{ts,tsx}', { cwd: root })
		.filter((file) => !file.endsWith('.test.ts') && !READ_BY_OTHERS.some((place) => file.startsWith(place)))
		.toSorted()
		.flatMap((file) =>
			untranslatedIn(readFileSync(join(root, file), 'utf8')).map(({ line, code }) => `${file}:${line}: ${code}`),
		);
}

/** `code` of each error in a source whose user would read its message. A code that is no literal was judged elsewhere. */
export function untranslatedIn(source: string): { readonly line: number; readonly code: string }[] {
	return [...source.matchAll(/new ProwessError\(/g)].flatMap(({ index, 0: start }) => {
		const [code = '', message = '', facts = ''] = argumentsAt(source, index + start.length);
		const name = code.replaceAll("'", '');
		// Facts that were made before cannot be seen here.
		const isOpaque = facts.includes('...') || (facts !== '' && !facts.startsWith('{'));
		if (!isErrorCode(name) || SAID_IN_WORDS.test(message) || isOpaque || !showsMessage(name, facts)) {
			return [];
		}
		return [{ line: source.slice(0, index).split('\n').length, code: name }];
	});
}

/** Messages that are made for people: by the editor's own translation, or out of texts. */
const SAID_IN_WORDS = /l10n\.t\(|InWords\(/;

function showsMessage(code: keyof typeof ERROR_CATALOG, facts: string): boolean {
	const texts = [ERROR_CATALOG[code].user].flat();
	const isKnown = (name: string) => name === 'message' || new RegExp(String.raw`\b${name}\b`).test(facts);
	const shown = texts.find((each) => listTemplateNames(each).every(isKnown)) ?? texts.at(-1) ?? '';
	return listTemplateNames(shown).includes('message');
}

/** Arguments of a call whose first one starts at `start`, as they are written. */
function argumentsAt(source: string, start: number): string[] {
	const found: string[] = [];
	const open: string[] = [];
	let from = start;
	for (let at = start; at < source.length; at += 1) {
		const letter = source.charAt(at);
		if (open.at(-1) === '`' && letter !== '`') {
			if (letter === '\\') at += 1;
			else if (source.startsWith('${', at)) open.push(source.charAt(++at));
		} else if (letter === '`') {
			if (open.at(-1) === '`') open.pop();
			else open.push(letter);
		} else if (letter === "'" || letter === '"') {
			do at += source.charAt(at + 1) === '\\' ? 2 : 1;
			while (at < source.length && source.charAt(at) !== letter);
		} else if ('([{'.includes(letter)) {
			open.push(letter);
		} else if (open.length === 0 && (letter === ',' || letter === ')')) {
			found.push(source.slice(from, at).trim());
			from = at + 1;
			if (letter === ')') break;
		} else if (')]}'.includes(letter)) {
			open.pop();
		}
	}
	return found.filter((each) => each !== '');
}
