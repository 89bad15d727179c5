/**
 * Search by ripgrep. Globs and secret names are applied here, not by its options: a glob given to ripgrep would bring
 * ignored files back. Ignore files above the workspace folder have no say; the ones between its root and the scope
 * are applied to the results. Files that are not UTF-8 are named by a pass of their own and searched by our own engine, which reads them as `fs.read`
 * does.
 */
import { withoutByteOrderMark } from '../../../base/text/lenient.ts';
import * as z from '../../../protocol/text/zod.ts';
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import { compileGlob } from '../glob.ts';
import { IgnoreRules } from '../ignore-rules.ts';
import type { JavaScriptSearch } from '../javascript-search.ts';
import { SEARCH_FILE_BYTES } from '../limits.ts';
import { shownLines } from '../matching-line.ts';
import { compareNames } from '../walk.ts';
import { NOT_UTF8 } from './not-utf8.ts';
import { readPattern } from '../pattern.ts';
import { runRipgrep } from './ripgrep-process.ts';
import {
	type FileSearchResult,
	noFilesRead,
	type SearchEngine,
	type SearchScope,
	type TextSearchResult,
	type TextMatch,
	type TextQuery,
} from '../search-engine.ts';
import { belowScope, isSearched } from '../search-job.ts';

const ripgrepFlags: readonly string[] = [
	...['--no-config', '--hidden', '--no-messages', '--sort', 'path', '--iglob', '!.git'],
	...['--no-require-git', '--no-ignore-global', '--no-ignore-exclude', '--no-ignore-dot', '--no-ignore-parent'],
];

const NEWLINE = 0x0a;

const RipgrepText = z.union([z.object({ text: z.string() }), z.object({ bytes: z.base64() })]);
const RipgrepMessage = z.discriminatedUnion('type', [
	z.object({
		type: z.enum(['match', 'context']),
		data: z.object({
			path: RipgrepText,
			lines: RipgrepText,
			line_number: z.int().positive(),
			submatches: z.array(z.object({ start: z.int(), end: z.int() })),
		}),
	}),
	z.object({ type: z.literal('end'), data: z.object({ path: RipgrepText, binary_offset: z.int().nullable() }) }),
	z.object({ type: z.enum(['begin', 'summary']) }),
]);

export class RipgrepSearch implements SearchEngine {
	readonly name = 'ripgrep';
	readonly #program: string;
	readonly #environment: Readonly<Record<string, string>>;
	readonly #own: Pick<JavaScriptSearch, 'textIn'>;

	constructor(
		program: string,
		environment: Readonly<Record<string, string>>,
		/** For files that are not UTF-8. */
		own: Pick<JavaScriptSearch, 'textIn'>,
	) {
		this.#program = program;
		this.#environment = environment;
		this.#own = own;
	}

	async text(scope: SearchScope, query: TextQuery, signal: AbortSignal): Promise<TextSearchResult> {
		const [first, names] = await Promise.all([
			this.#text(scope, query, new Set(), signal),
			this.#notUtf8(scope, query.include, signal),
		]);
		if (names.length === 0) {
			return { ...first, read: noFilesRead };
		}
		const others = await this.#textOfOthers(names, scope, query, signal);
		const isOther = new Set(others === undefined ? [] : names);
		// In a truncated result, matches in files that are not UTF-8 took the place of later files, so the search is
		// repeated without those files.
		const isCutShort = first.truncated && first.matches.some(({ path }) => isOther.has(path));
		const plain = isCutShort ? await this.#text(scope, query, isOther, signal) : first;
		if (others === undefined) {
			return { ...plain, read: { ...noFilesRead, asUtf8: names.length } };
		}
		const matches = [...plain.matches.filter(({ path }) => !isOther.has(path)), ...others.matches].sort(
			compareMatchPaths,
		);
		const truncated = plain.truncated || others.truncated || matchesIn(matches) > query.limit;
		return { matches: pickFirstMatches(matches, query), truncated, read: others.read };
	}

	/** Files that are not UTF-8, binary ones among them. */
	async #notUtf8(scope: SearchScope, include: string | undefined, signal: AbortSignal): Promise<string[]> {
		const isWanted = createPathFilter(scope, include);
		const names: string[] = [];
		const args = [
			...[...ripgrepFlags, '--files-with-matches', '--null', '--text', '--max-filesize', String(SEARCH_FILE_BYTES)],
			`--regexp=${NOT_UTF8}`,
		];
		await this.#run(args, scope, '\0', signal, (record) => {
			const path = normalizeRipgrepPath(record);
			if (isSearched(scope, path) && isWanted(path)) {
				names.push(path);
			}
			return true;
		});
		return names;
	}

	/** Undefined: the pattern is one of ripgrep's own dialect. */
	async #textOfOthers(
		names: readonly string[],
		scope: SearchScope,
		query: TextQuery,
		signal: AbortSignal,
	): Promise<TextSearchResult | undefined> {
		try {
			return await this.#own.textIn(names, scope, query, signal);
		} catch (error) {
			if (isProwessError(error) && error.code === 'INVALID_PARAMS') {
				return undefined;
			}
			throw error;
		}
	}

	async #text(
		scope: SearchScope,
		query: TextQuery,
		passedOver: ReadonlySet<string>,
		signal: AbortSignal,
	): Promise<{ matches: TextMatch[]; truncated: boolean }> {
		const isWanted = createPathFilter(scope, query.include);
		const matches: TextMatch[] = [];
		/**
		 * Matches in the file that is being read, kept apart because ripgrep says only at the end of a file that it is
		 * binary.
		 */
		let current: TextMatch[] = [];
		let count = 0;
		const { source, ignoresCase, spansLines, dotAll } = readPattern(query);
		const args = [
			...[...ripgrepFlags, '--json', '--crlf', '--max-filesize', String(SEARCH_FILE_BYTES)],
			...(spansLines ? ['--multiline'] : []),
			...(dotAll ? ['--multiline-dotall'] : []),
			...(query.context > 0 && !query.namesOnly ? [`--context=${query.context}`] : []),
			ignoresCase ? '--ignore-case' : '--case-sensitive',
			`--regexp=${source}`,
		];
		const end = await this.#run(args, scope, '\n', signal, (record) => {
			// Once there is enough, only the end of the file counts; parsing is what takes the time.
			if (count > query.limit && /^\{"type":"(?:match|context)"/.test(record)) {
				return true;
			}
			const message = RipgrepMessage.parse(JSON.parse(record));
			if (message.type === 'match' || message.type === 'context') {
				const path = normalizeRipgrepPath(decodeRipgrepText(message.data.path));
				const isEnough = query.namesOnly && current.length > 0;
				if (!isEnough && isSearched(scope, path) && isWanted(path) && !passedOver.has(path)) {
					const found = splitMatchLines(message.data).map((each) => ({ path, ...each }));
					const kept = query.namesOnly ? found.slice(0, 1) : found;
					current.push(
						...(message.type === 'match' ? kept : kept.map((each) => ({ ...each, isContext: true as const }))),
					);
					count += message.type === 'match' ? kept.length : 0;
				}
			} else if (message.type === 'end') {
				count -= message.data.binary_offset === null ? 0 : matchesIn(current);
				matches.push(...(message.data.binary_offset === null ? current : []));
				current = [];
			}
			return matchesIn(matches) <= query.limit;
		});
		if (end.exitCode === 2 && end.stderr !== '') {
			const message = `the pattern ${JSON.stringify(query.query)} is not a regular expression: ${end.stderr}`;
			throw new ProwessError('INVALID_PARAMS', message, {
				query: query.query,
				said: text('{pattern} is not a regular expression: {why}', {
					pattern: JSON.stringify(query.query),
					why: end.stderr,
				}),
			});
		}
		return { matches: pickFirstMatches(matches, query), truncated: end.skipped || matchesIn(matches) > query.limit };
	}

	async files(scope: SearchScope, pattern: string, limit: number, signal: AbortSignal): Promise<FileSearchResult> {
		const isWanted = createPathFilter(scope, pattern);
		const paths: string[] = [];
		const end = await this.#run([...ripgrepFlags, '--files', '--null'], scope, '\0', signal, (record) => {
			const path = normalizeRipgrepPath(record);
			if (isWanted(path)) {
				paths.push(path);
			}
			return paths.length <= limit;
		});
		return { paths: paths.slice(0, limit), truncated: end.skipped || paths.length > limit };
	}

	#run(
		args: readonly string[],
		{ root, segments }: SearchScope,
		separator: '\n' | '\0',
		signal: AbortSignal,
		onRecord: (record: string) => boolean,
	) {
		const run = {
			program: this.#program,
			args: [...args, '--', `./${segments.join('/')}`],
			cwd: root,
			env: this.#environment,
			separator,
		};
		return runRipgrep(run, onRecord, signal);
	}
}

function createPathFilter(scope: SearchScope, glob: string | undefined): (path: string) => boolean {
	const matches = glob === undefined ? () => true : compileGlob(glob);
	const rules = scope.segments.length === 0 || scope.kind === 'file' ? undefined : new IgnoreRules(scope.root, scope);
	return (path) => matches(belowScope(scope, path)) && !(rules?.ignores(path.split('/'), false) ?? false);
}

/** Compares matches by path, in the order of a walk. Matches in the same file keep their order. */
function compareMatchPaths(a: TextMatch, b: TextMatch): number {
	const left = a.path.split('/');
	const right = b.path.split('/');
	const at = left.findIndex((name, index) => name !== right[index]);
	return a.path === b.path ? 0 : compareNames(left[at] ?? '', right[at] ?? '');
}

function decodeRipgrepText(text: z.infer<typeof RipgrepText>): string {
	return 'text' in text ? text.text : Buffer.from(text.bytes, 'base64').toString('utf8');
}

function normalizeRipgrepPath(path: string): string {
	return path.replaceAll('\\', process.platform === 'win32' ? '/' : '\\').replace(/^(?:\.\/)+/, '');
}

function matchesIn(found: readonly TextMatch[]): number {
	return found.filter(({ isContext }) => isContext !== true).length;
}

/** Returns the first matches up to the limit, with the lines around them and no others. */
function pickFirstMatches(found: readonly TextMatch[], { limit, context }: TextQuery): TextMatch[] {
	if (matchesIn(found) <= limit) {
		return [...found];
	}
	let count = 0;
	const beyond = found.findIndex((each) => each.isContext !== true && ++count > limit);
	const last = found.slice(0, beyond).findLast(({ isContext }) => isContext !== true);
	return found.slice(0, beyond).filter(({ path, line, isContext }, index) => {
		const isAfterLast = last !== undefined && index > found.indexOf(last);
		const end = (last?.line ?? 0) + (last?.text.split('\n').length ?? 1) - 1;
		return isContext !== true || !isAfterLast || (path === last?.path && line <= end + context);
	});
}

type RipgrepLines = Extract<z.infer<typeof RipgrepMessage>, { readonly type: 'match' | 'context' }>['data'];

/** Returns the lines of a record, which holds several when matches touch. Offsets in the record count bytes. */
function splitMatchLines({ lines, line_number: first, submatches }: RipgrepLines): Pick<TextMatch, 'line' | 'text'>[] {
	const bytes = Buffer.from('text' in lines ? lines.text : Buffer.from(lines.bytes, 'base64'));
	const found: Pick<TextMatch, 'line' | 'text'>[] = [];
	let shownTo = 0;
	for (const { start, end } of submatches.length === 0 ? [{ start: 0, end: bytes.length }] : submatches) {
		const from = bytes.subarray(0, start).lastIndexOf(NEWLINE) + 1;
		if (from >= shownTo) {
			const newline = bytes.indexOf(NEWLINE, Math.max(start, end - 1));
			const to = newline === -1 ? bytes.length : newline;
			const before = bytes.subarray(0, from).toString('utf8').split('\n').length - 1;
			found.push({ line: first + before, text: lineText(bytes.subarray(from, to).toString('utf8'), start - from) });
			shownTo = to + 1;
		}
	}
	return found;
}

function lineText(line: string, byteOffset: number): string {
	const text = withoutByteOrderMark(line);
	return shownLines(text, Buffer.from(text).subarray(0, byteOffset).toString('utf8').length);
}
