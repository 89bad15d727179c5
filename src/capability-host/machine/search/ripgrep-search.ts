/**
 * Search by ripgrep. Globs and secret names are applied here, not by its options: a glob given to ripgrep would bring
 * ignored files back. Ignore files above the workspace folder have no say; the ones between its root and the scope
 * are applied to the results.
 */
import * as z from '../../../protocol/zod.ts';
import { ProwessError } from '../../../protocol/errors.ts';
import { compileGlob } from './glob.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { SEARCH_FILE_BYTES } from './limits.ts';
import { shownLine } from './matching-line.ts';
import { runRipgrep } from './ripgrep-process.ts';
import type { SearchEngine, SearchScope, TextMatch, TextQuery } from './search-engine.ts';
import { belowScope, isSearched } from './search-job.ts';

const common: readonly string[] = [
	...['--no-config', '--hidden', '--no-messages', '--sort', 'path', '--iglob', '!.git'],
	...['--no-require-git', '--no-ignore-global', '--no-ignore-exclude', '--no-ignore-dot', '--no-ignore-parent'],
];

const Text = z.union([z.object({ text: z.string() }), z.object({ bytes: z.base64() })]);
const Message = z.discriminatedUnion('type', [
	z.object({
		type: z.literal('match'),
		data: z.object({
			path: Text,
			lines: Text,
			line_number: z.int().positive(),
			submatches: z.array(z.object({ start: z.int() })),
		}),
	}),
	z.object({ type: z.literal('end'), data: z.object({ path: Text, binary_offset: z.int().nullable() }) }),
	z.object({ type: z.enum(['begin', 'summary', 'context']) }),
]);

export class RipgrepSearch implements SearchEngine {
	readonly name = 'ripgrep';
	readonly #program: string;
	readonly #environment: Readonly<Record<string, string>>;

	constructor(program: string, environment: Readonly<Record<string, string>>) {
		this.#program = program;
		this.#environment = environment;
	}

	async text(
		scope: SearchScope,
		query: TextQuery,
		signal: AbortSignal,
	): Promise<{ matches: TextMatch[]; truncated: boolean }> {
		const isWanted = wanted(scope, query.include);
		const matches: TextMatch[] = [];
		/** Of the file that is being read: whether it is binary is said at its end. */
		let current: TextMatch[] = [];
		const args = [
			...[...common, '--json', '--crlf', '--max-filesize', String(SEARCH_FILE_BYTES)],
			...(query.regex ? [] : ['--fixed-strings']),
			query.caseSensitive ? '--case-sensitive' : '--ignore-case',
			`--regexp=${query.query}`,
		];
		const end = await this.#run(args, scope, '\n', signal, (record) => {
			// Once there is enough, only the end of the file counts; parsing is what takes the time.
			if (matches.length + current.length > query.limit && record.startsWith('{"type":"match"')) {
				return true;
			}
			const message = Message.parse(JSON.parse(record));
			if (message.type === 'match') {
				const path = relative(decode(message.data.path));
				if (isSearched(scope, path) && isWanted(path)) {
					const start = message.data.submatches[0]?.start ?? 0;
					current.push({ path, line: message.data.line_number, text: lineText(decode(message.data.lines), start) });
				}
			} else if (message.type === 'end') {
				matches.push(...(message.data.binary_offset === null ? current : []));
				current = [];
			}
			return matches.length <= query.limit;
		});
		if (end.exitCode === 2 && end.stderr !== '') {
			const message = `the pattern ${JSON.stringify(query.query)} is not a regular expression: ${end.stderr}`;
			throw new ProwessError('INVALID_PARAMS', message, { query: query.query });
		}
		return { matches: matches.slice(0, query.limit), truncated: end.skipped || matches.length > query.limit };
	}

	async files(
		scope: SearchScope,
		pattern: string,
		limit: number,
		signal: AbortSignal,
	): Promise<{ paths: string[]; truncated: boolean }> {
		const isWanted = wanted(scope, pattern);
		const paths: string[] = [];
		const end = await this.#run([...common, '--files', '--null'], scope, '\0', signal, (record) => {
			const path = relative(record);
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

function wanted(scope: SearchScope, glob: string | undefined): (path: string) => boolean {
	const matches = glob === undefined ? () => true : compileGlob(glob);
	const rules = scope.segments.length === 0 || scope.kind === 'file' ? undefined : new IgnoreRules(scope.root, scope);
	return (path) => matches(belowScope(scope, path)) && !(rules?.ignores(path.split('/'), false) ?? false);
}

function decode(text: z.infer<typeof Text>): string {
	return 'text' in text ? text.text : Buffer.from(text.bytes, 'base64').toString('utf8');
}

function relative(path: string): string {
	return path.replaceAll('\\', process.platform === 'win32' ? '/' : '\\').replace(/^(?:\.\/)+/, '');
}

/** Its offsets count bytes. */
function lineText(line: string, byteOffset: number): string {
	const text = line.replace(/^\uFEFF/, '');
	return shownLine(text, Buffer.from(text).subarray(0, byteOffset).toString('utf8').length);
}
