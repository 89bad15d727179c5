/** One search by our own engine, from start to end; runs in the worker. */
import { isSecretName } from '../paths/names/secret-names.ts';
import { compileGlob } from './glob.ts';
import { compileQuery, decodeForSearch, matchLines } from './match-text.ts';
import type { SearchScope, TextMatch, TextQuery } from './search-engine.ts';
import { readBelow, walk } from './walk.ts';

export type SearchJob =
	| { readonly kind: 'text'; readonly scope: SearchScope; readonly query: TextQuery }
	| { readonly kind: 'files'; readonly scope: SearchScope; readonly pattern: string; readonly limit: number };

export type SearchAnswer =
	| { readonly kind: 'text'; readonly matches: TextMatch[]; readonly truncated: boolean }
	| { readonly kind: 'files'; readonly paths: string[]; readonly truncated: boolean };

export function runSearchJob(job: SearchJob): SearchAnswer {
	return job.kind === 'text' ? searchText(job.scope, job.query) : findFiles(job.scope, job.pattern, job.limit);
}

function searchText(scope: SearchScope, query: TextQuery): SearchAnswer {
	const compiled = compileQuery(query);
	const included = query.include === undefined ? () => true : compileGlob(query.include);
	const matches: TextMatch[] = [];
	let count = 0;
	for (const path of walk(scope)) {
		if (!isSearched(scope, path) || !included(belowScope(scope, path))) {
			continue;
		}
		const bytes = readBelow(scope.root, path);
		const text = bytes === undefined ? undefined : decodeForSearch(bytes);
		if (text === undefined) {
			continue;
		}
		const left = query.limit - count;
		const found = matchLines(text, compiled, query.namesOnly ? 1 : left + 1, query.context);
		const isTooMuch = found.filter(({ isContext }) => isContext !== true).length > left;
		const kept = isTooMuch ? matchLines(text, compiled, left, query.context) : found;
		matches.push(...kept.map((match) => ({ path, ...match })));
		if (isTooMuch) {
			return { kind: 'text', matches, truncated: true };
		}
		count += found.filter(({ isContext }) => isContext !== true).length;
	}
	return { kind: 'text', matches, truncated: false };
}

function findFiles(scope: SearchScope, pattern: string, limit: number): SearchAnswer {
	const matches = compileGlob(pattern);
	const paths: string[] = [];
	for (const path of walk(scope)) {
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

/** What globs are matched against. */
export function belowScope({ segments, kind }: SearchScope, path: string): string {
	return path
		.split('/')
		.slice(kind === 'file' ? -1 : segments.length)
		.join('/');
}
