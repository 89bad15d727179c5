/** The op that searches in files, and its result in words. */
import * as z from '../../../text/zod.ts';
import { defineOp, notForModels } from '../../define-op.ts';
import { nameInList } from '../../../../base/text/one-line.ts';
import { text } from '../../../text/text.ts';

const searchPath = z.string().min(1).max(4096);

const TextFound = z.object({
	matches: z.array(
		z.object({
			path: z.string(),
			line: z.int().positive(),
			/** The whole line; several, where the match spans them. */
			text: z.string(),
			/** Not a match, but near one. */
			isContext: z.literal(true).optional(),
		}),
	),
	truncated: z.boolean(),
	engine: z.enum(['ripgrep', 'javascript']),
	searched: z.object({
		query: z.string(),
		as: z.enum(['pattern', 'text']),
		/** Reason for which the pattern is none, so that it was searched as text. */
		invalid: z.string().optional(),
		caseSensitive: z.boolean(),
		path: z.string(),
		include: z.string().optional(),
		/** No file there matches `include`. */
		isWithoutFiles: z.literal(true).optional(),
		/** First ignored files that match it then. */
		ignored: z.array(z.string()).optional(),
		namesOnly: z.boolean(),
		/** Where nothing was found: how many files were read in which encoding other than UTF-8, and how many were not. */
		read: z
			.object({
				encodings: z.record(z.string(), z.int().positive()),
				binary: z.int().nonnegative(),
				asUtf8: z.int().nonnegative(),
			})
			.optional(),
	}),
});

export const searchText = defineOp({
	params: z.strictObject({
		query: z.string().min(1).max(4000),
		literal: z.boolean().default(false),
		/** The opposite of `literal`, as other agents and older capabilities say it. */
		regex: z.boolean().optional().meta(notForModels),
		caseSensitive: z.boolean().default(false).meta(notForModels),
		path: searchPath.default('.'),
		/** Globs with commas between them; those that begin with `!` are left out. */
		include: z.string().max(1000).optional(),
		/** Lines before and after each match. */
		context: z.int().nonnegative().max(20).default(0),
		namesOnly: z.boolean().default(false),
		limit: z.int().positive().max(2000).default(100).meta(notForModels),
	}),
	result: TextFound,
	risk: 'MONITORED',
	permission: 'workspace.read',
	effect: 'read',
	timeoutMs: 60_000,
	tool: 'Search files for a regular expression, or text if literal; include: globs as *.ts,*.tsx; context: lines.',
	title: ({ query }) => text('Search {query}', { query: JSON.stringify(query) }),
	present: presentFound,
});

function presentFound(r: z.output<typeof TextFound>): string {
	const { searched, matches } = r;
	const invalid =
		searched.invalid === undefined ? [] : [`[searched as text, because it is no pattern: ${searched.invalid}]`];
	const more = r.truncated ? ['[more matches not shown; ask for less]'] : [];
	if (matches.length === 0) {
		return [noMatch(searched), ...invalid, ...more].join('\n');
	}
	if (searched.namesOnly) {
		return [...new Set(matches.map((match) => nameInList(match.path))), ...invalid, ...more].join('\n');
	}
	const hasContext = matches.some(({ isContext }) => isContext === true);
	let next: { path: string; line: number } | undefined;
	const lines = matches.flatMap(({ path: file, line, text, isContext }) => {
		const isApart = hasContext && next !== undefined && (next.path !== file || next.line !== line);
		next = { path: file, line: line + text.split('\n').length };
		const name = nameInList(file);
		return [...(isApart ? ['--'] : []), isContext === true ? `${name}-${line}- ${text}` : `${name}:${line}: ${text}`];
	});
	return [...lines, ...invalid, ...more].join('\n');
}

/** Characters that stand for themselves in a text, and not in a pattern. */
const OF_PATTERNS = /[()[\]{}*+?$\\]/;

function noMatch({
	query,
	as,
	caseSensitive,
	path: place,
	include,
	isWithoutFiles,
	ignored,
	read,
}: z.output<typeof TextFound>['searched']): string {
	const files = include === undefined ? '' : `, files ${include}`;
	if (isWithoutFiles === true) {
		return ignored === undefined
			? `No file in ${place} matches ${include}, so nothing was searched.`
			: `Only ignored files in ${place} match ${include}, such as ${ignored.map(nameInList).join(', ')}; nothing was searched. Name one, or its folder, as path.`;
	}
	const inCase = caseSensitive ? 'in this case' : 'in any case';
	const { binary = 0, asUtf8 = 0, encodings = {} } = read ?? {};
	const binaries = binary === 0 ? 'binary' : `${binary} binary`;
	const others = Object.entries(encodings).map(([encoding, count]) => `${count} in ${encoding.replace('-bare', '')}`);
	return [
		`No match of the ${as} ${JSON.stringify(query)}, ${inCase}, in ${place}${files}. Ignored, ${binaries} and secret files are not searched, nor those above 10 MB.`,
		...(others.length === 0 ? [] : [`Files were searched in their encodings, ${others.join(', ')}.`]),
		...(asUtf8 === 0
			? []
			: [`${asUtf8} that are not UTF-8 were searched as if they were, because of the dialect of this pattern.`]),
		...(as === 'pattern' && OF_PATTERNS.test(query) ? ['To search it as text, set literal.'] : []),
	].join(' ');
}
