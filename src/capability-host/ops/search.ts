/** fs.find and search.text, over one folder or, for `.`, all folders of the workspace. */
import { ProwessError } from '../../protocol/errors.ts';
import type { Located } from '../machine/paths/workspace-paths.ts';
import type { SearchScope } from '../machine/search/search-engine.ts';
import type { OpImplementation, OpImplementations } from '../contract/op-implementation.ts';
import type { Target } from '../contract/target.ts';
import { notFound } from './not-found.ts';
import type { OpDeps } from './op-deps.ts';
import { fileTarget } from '../gate/targets/file-target.ts';

export function searchOps(deps: OpDeps): Pick<OpImplementations, 'fs.find' | 'search.text'> {
	return { 'fs.find': findOp(deps), 'search.text': textOp(deps) };
}

function findOp(deps: OpDeps): OpImplementation<'fs.find'> {
	return {
		async prepare({ pattern, path, limit }, { signal }) {
			const places = await locateScope(deps, path, signal);
			return {
				targets: places.map((place) => targetOf(place, false)),
				detail: { kind: 'text', text: `Find files that match ${pattern} in ${path}` },
				async run(context) {
					const engine = await deps.search.engine(context.signal);
					const paths: string[] = [];
					let truncated = false;
					for (const place of places) {
						const found = await engine.files(scopeOf(place), pattern, limit - paths.length, context.signal);
						paths.push(...found.paths.map((below) => shownPath(deps, place, below)));
						truncated ||= found.truncated;
						if (truncated) {
							break;
						}
					}
					return { paths, truncated };
				},
			};
		},
	};
}

function textOp(deps: OpDeps): OpImplementation<'search.text'> {
	return {
		async prepare({ path, query, regex, caseSensitive, include, limit }, { signal }) {
			if (/[\r\n]/.test(query)) {
				throw new ProwessError('INVALID_PARAMS', 'the query spans lines: search for one line of it', { query });
			}
			const places = await locateScope(deps, path, signal);
			return {
				targets: places.map((place) => targetOf(place, true)),
				detail: { kind: 'text', text: `Search ${JSON.stringify(query)} in ${path}` },
				async run(context) {
					const engine = await deps.search.engine(context.signal);
					const matches: { path: string; line: number; text: string }[] = [];
					let truncated = false;
					for (const place of places) {
						const wanted = { query, regex, caseSensitive, include, limit: limit - matches.length };
						const found = await engine.text(scopeOf(place), wanted, context.signal);
						matches.push(...found.matches.map((match) => ({ ...match, path: shownPath(deps, place, match.path) })));
						truncated ||= found.truncated;
						if (truncated) {
							break;
						}
					}
					return { matches, truncated, engine: engine.name };
				},
			};
		},
	};
}

async function locateScope({ paths }: OpDeps, path: string, signal: AbortSignal): Promise<Located[]> {
	const places = await Promise.all(paths.resolveScope(path).map((asked) => paths.locate(asked)));
	for (const place of places) {
		if (place.kind === 'missing') {
			throw await notFound(paths, place, signal);
		}
		if (place.kind === 'other') {
			throw new ProwessError('NOT_A_FILE', `${place.path} is neither a file nor a folder`, { path: place.path });
		}
	}
	return places;
}

/** Only a file that is named itself can be judged by its name; in folders, files that hold secrets are left out. */
function targetOf(place: Located, readsContent: boolean): Target {
	const target = fileTarget(place, 'read');
	return { ...target, isSecret: readsContent && place.kind === 'file' && place.isSecret, isProtected: false };
}

function scopeOf({ realRoot, segments, kind }: Located): SearchScope {
	return { root: realRoot, segments, kind: kind === 'file' ? 'file' : 'folder' };
}

function shownPath({ paths }: OpDeps, { folder }: Located, below: string): string {
	return paths.folders.length > 1 ? `${folder.name}/${below}` : below;
}
