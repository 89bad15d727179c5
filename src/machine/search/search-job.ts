/** Single search by our own engine, from start to end; runs in the worker. */
import { isSecretName } from '../paths/names/secret-names.ts';
import { compileGlob } from './glob.ts';
import { decodeForSearch } from './decode-for-search.ts';
import { compileQuery, matchLines } from './match-text.ts';
import type { SearchScope, TextSearchResult, TextMatch, TextQuery } from './search-engine.ts';
import { IGNORED_LOOKED_AT } from './limits.ts';
import { readSearchedFile, walkFiles, walkIgnored } from './walk.ts';

export type SearchJob =
	/** `paths`: these files only, in the order of a walk; else all below the scope. */
	| {
			readonly kind: 'text';
			readonly scope: SearchScope;
			readonly query: TextQuery;
			readonly paths?: readonly string[];
	  }
	| {
			readonly kind: 'files';
			readonly scope: SearchScope;
			readonly pattern: string;
			readonly limit: number;
			/** Among ignored files, too. */
			readonly isIgnoredToo?: boolean;
	  };

export type SearchAnswer =
	| ({ readonly kind: 'text' } & TextSearchResult)
	| { readonly kind: 'files'; readonly paths: string[]; readonly truncated: boolean };

export function runSearchJob(job: SearchJob): SearchAnswer {
	return job.kind === 'text'
		? searchFileTexts(job.scope, job.query, job.paths ?? walkFiles(job.scope))
		: findFiles(job, job.isIgnoredToo === true ? walkIgnored(job.scope, IGNORED_LOOKED_AT) : walkFiles(job.scope));
}

function searchFileTexts(scope: SearchScope, query: TextQuery, paths: Iterable<string>): SearchAnswer {
	const compiled = compileQuery(query);
	const included = query.include === undefined ? () => true : compileGlob(query.include);
	const matches: TextMatch[] = [];
	const encodings: Record<string, number> = {};
	let binary = 0;
	let count = 0;
	const createAnswer = (truncated: boolean): SearchAnswer => {
		return { kind: 'text', matches, truncated, read: { encodings, binary, asUtf8: 0 } };
	};
	for (const path of paths) {
		if (!isSearched(scope, path) || !included(belowScope(scope, path))) {
			continue;
		}
		const bytes = readSearchedFile(scope.root, path);
		if (bytes === undefined) {
			continue;
		}
		const decoded = bytes === 'binary' ? undefined : decodeForSearch(bytes, query.usualEncoding);
		if (decoded === undefined) {
			binary += 1;
			continue;
		}
		const { text, encoding } = decoded;
		if (encoding !== undefined) {
			encodings[encoding] = (encodings[encoding] ?? 0) + 1;
		}
		const left = query.limit - count;
		const found = matchLines(text, compiled, query.namesOnly ? 1 : left + 1, query.context);
		const isTooMuch = found.filter(({ isContext }) => isContext !== true).length > left;
		const kept = isTooMuch ? matchLines(text, compiled, left, query.context) : found;
		matches.push(...kept.map((match) => ({ path, ...match })));
		if (isTooMuch) {
			return createAnswer(true);
		}
		count += found.filter(({ isContext }) => isContext !== true).length;
	}
	return createAnswer(false);
}

function findFiles(
	{ scope, pattern, limit }: Extract<SearchJob, { kind: 'files' }>,
	all: Iterable<string>,
): SearchAnswer {
	const matches = compileGlob(pattern);
	const paths: string[] = [];
	for (const path of all) {
		if (matches(belowScope(scope, path))) {
			if (paths.length >= limit) {
				return { kind: 'files', paths, truncated: true };
			}
			paths.push(path);
		}
	}
	return { kind: 'files', paths, truncated: false };
}

/** A file that holds secrets is searched only when it was named itself: then the gate has asked about it. */
export function isSearched(scope: SearchScope, path: string): boolean {
	return scope.kind === 'file' || !isSecretName(path.split('/'));
}

/** Returns the part of the path that globs are matched against. */
export function belowScope({ segments, kind }: SearchScope, path: string): string {
	return path
		.split('/')
		.slice(kind === 'file' ? -1 : segments.length)
		.join('/');
}
