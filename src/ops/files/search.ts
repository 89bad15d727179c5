/** fs.find and search.text, over one folder or, for `.`, all folders of the workspace. */
import { join } from 'node:path';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import type { OpParams, OpResult } from '../../protocol/op-table/ops.ts';
import { markFile } from '../../machine/paths/reading/read-file.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';
import { splitGlobs } from '../../machine/search/glob.ts';
import {
	type FilesRead,
	noFilesRead,
	type SearchEngine,
	type SearchScope,
	type TextQuery,
} from '../../machine/search/search-engine.ts';
import type { OpImplementation, OpImplementations } from '../../contract/ops/op-implementation.ts';
import type { OpTarget } from '../../contract/ops/target.ts';
import type { FileDeps } from './file-deps.ts';
import { createPathNotFound } from './not-found.ts';
import { createFileTarget } from '../../trust/gate/targets.ts';

/** Ignored files that are named where no other matches. */
const IGNORED_NAMED = 3;

type SearchDeps = Pick<FileDeps, 'paths' | 'search'>;

export function searchOps(deps: SearchDeps): Pick<OpImplementations, 'fs.find' | 'search.text'> {
	return { 'fs.find': findOp(deps), 'search.text': textOp(deps) };
}

function findOp(deps: SearchDeps): OpImplementation<'fs.find'> {
	return {
		async prepare({ pattern, path, limit, marks: isMarked = false }, { signal }) {
			const places = await locateScope(deps, path, signal);
			return {
				targets: places.map((place) => toSearchTarget(place, false)),
				detail: { kind: 'text', text: `Find files that match ${pattern} in ${path}` },
				async run(context) {
					const engine = await deps.search.engine(context.signal);
					const paths: string[] = [];
					const marks: string[] = [];
					let truncated = false;
					for (const place of places) {
						const found = await engine.files(
							toSearchScope(place),
							globsBelow(place, pattern),
							limit - paths.length,
							context.signal,
						);
						paths.push(...found.paths.map((below) => shownPath(deps, place, below)));
						if (isMarked) {
							const markBelow = (below: string) => markFile(join(place.realRoot, ...below.split('/')));
							marks.push(...(await Promise.all(found.paths.map(markBelow))));
						}
						truncated ||= found.truncated;
						if (truncated) {
							break;
						}
					}
					const ignored = paths.length === 0 ? await findIgnored(deps, places, pattern, context.signal) : {};
					return { paths, truncated, ...(isMarked ? { marks } : {}), ...ignored };
				},
			};
		},
	};
}

function textOp(deps: SearchDeps): OpImplementation<'search.text'> {
	return {
		async prepare(params, { signal }) {
			const { path, query } = params;
			const places = await locateScope(deps, path, signal);
			return {
				targets: places.map((place) => toSearchTarget(place, true)),
				detail: { kind: 'text', text: `Search ${JSON.stringify(query)} in ${path}` },
				run: (context) => searchPlaces(deps, places, params, context.signal),
			};
		},
	};
}

async function searchPlaces(
	deps: SearchDeps,
	places: readonly Located[],
	{ path, limit, regex, ...rest }: OpParams<'search.text'>,
	signal: AbortSignal,
): Promise<OpResult<'search.text'>> {
	const matches: OpResult<'search.text'>['matches'] = [];
	const asked = { ...rest, literal: rest.literal || regex === false };
	const { query, literal, caseSensitive, include, namesOnly } = asked;
	let engine = (await deps.search.engine(signal)).name;
	let invalid: string | undefined;
	let found = 0;
	let truncated = false;
	let read = noFilesRead;
	for (const place of places) {
		const { usualEncoding } = place;
		const wanted = { ...asked, usualEncoding, include: globsBelow(place, include), limit: limit - found };
		const answer = await searchAsMeant(deps, toSearchScope(place), wanted, signal);
		const hidden = await findHidden(deps, place, answer.matches);
		const seen = answer.matches.filter((match) => !hidden.has(match.path));
		matches.push(...seen.map((match) => ({ ...match, path: shownPath(deps, place, match.path) })));
		({ engine, invalid } = answer);
		read = addFilesRead(read, answer.read);
		truncated ||= answer.truncated;
		found = matches.filter(({ isContext }) => isContext !== true).length;
		if (truncated) {
			break;
		}
	}
	const isWithoutFiles =
		matches.length === 0 && include !== undefined && !(await hasFiles(deps, places, include, signal));
	const searched = {
		query,
		as: literal || invalid !== undefined ? ('text' as const) : ('pattern' as const),
		...(invalid === undefined ? {} : { invalid }),
		caseSensitive,
		path,
		...(include === undefined ? {} : { include }),
		...(isWithoutFiles ? { isWithoutFiles, ...(await findIgnored(deps, places, include, signal)) } : {}),
		namesOnly,
		...(matches.length === 0 ? { read } : {}),
	};
	return { matches, truncated, engine, searched };
}

/** Files that are secret by another name; one that was named itself is not: the gate has asked about it. */
async function findHidden(
	{ paths }: Pick<SearchDeps, 'paths'>,
	{ kind, realRoot }: Located,
	matches: readonly { readonly path: string }[],
): Promise<ReadonlySet<string>> {
	const found = kind === 'file' ? [] : [...new Set(matches.map(({ path }) => path))];
	const secret = await Promise.all(
		found.map(async (path) => ((await paths.isSecretByOtherName(realRoot, join(realRoot, path))) ? [path] : [])),
	);
	return new Set(secret.flat());
}

function addFilesRead(a: FilesRead, b: FilesRead): FilesRead {
	const encodings = { ...a.encodings };
	for (const [encoding, files] of Object.entries(b.encodings)) {
		encodings[encoding] = (encodings[encoding] ?? 0) + files;
	}
	return { encodings, binary: a.binary + b.binary, asUtf8: a.asUtf8 + b.asUtf8 };
}

type EngineAnswer = Awaited<ReturnType<SearchEngine['text']>> & {
	readonly engine: SearchEngine['name'];
	readonly invalid: string | undefined;
};

/** A pattern that one dialect refuses may be one of the other; what is none at all is text. */
async function searchAsMeant(
	{ search }: Pick<FileDeps, 'search'>,
	scope: SearchScope,
	query: TextQuery,
	signal: AbortSignal,
): Promise<EngineAnswer> {
	const chosen = await search.engine(signal);
	let invalid: string | undefined;
	for (const engine of query.literal ? [chosen] : [chosen, search.ownEngine]) {
		try {
			return { ...(await engine.text(scope, query, signal)), engine: engine.name, invalid: undefined };
		} catch (error) {
			if (!isProwessError(error) || error.code !== 'INVALID_PARAMS' || error.facts['query'] === undefined) {
				throw error;
			}
			invalid ??= error.message.split('\n').at(-1) ?? '';
		}
	}
	return { ...(await chosen.text(scope, { ...query, literal: true }, signal)), engine: chosen.name, invalid };
}

async function hasFiles(
	{ search }: Pick<FileDeps, 'search'>,
	places: readonly Located[],
	include: string,
	signal: AbortSignal,
): Promise<boolean> {
	const engine = await search.engine(signal);
	for (const place of places) {
		const { paths } = await engine.files(toSearchScope(place), globsBelow(place, include), 1, signal);
		if (paths.length > 0) {
			return true;
		}
	}
	return false;
}

/** The first ignored files that match, where no other does. */
async function findIgnored(
	deps: SearchDeps,
	places: readonly Located[],
	globs: string,
	signal: AbortSignal,
): Promise<{ readonly ignored?: string[] }> {
	const found: string[] = [];
	for (const place of places) {
		const limit = IGNORED_NAMED - found.length;
		const paths =
			limit === 0 || place.kind === 'file'
				? []
				: await deps.search.ownEngine.ignoredFiles(toSearchScope(place), globsBelow(place, globs), limit, signal);
		found.push(...paths.map((below) => shownPath(deps, place, below)));
	}
	return found.length === 0 ? {} : { ignored: found };
}

/** Globs are about paths below the place; an absolute one that lies in it is cut to that. */
function globsBelow(place: Located, globs: string): string;
function globsBelow(place: Located, globs: string | undefined): string | undefined;
function globsBelow({ absolutePath, realPath }: Located, globs: string | undefined): string | undefined {
	const roots = [absolutePath, realPath].map((root) => `${root.replaceAll('\\', '/').replace(/\/$/, '')}/`);
	return globs === undefined
		? undefined
		: splitGlobs(globs)
				.map((glob) => {
					const start = glob.startsWith('!') ? '!' : '';
					const bare = glob.slice(start.length);
					const root = roots.find((each) => bare.startsWith(each));
					// With a slash before it: what was absolute is not the name of a file at any depth.
					return root === undefined ? glob : `${start}./${bare.slice(root.length)}`;
				})
				.join(',');
}

/** A search of one file asks if its name says that it holds secrets; a search of a folder leaves such files out. */
function toSearchTarget(place: Located, readsContent: boolean): OpTarget {
	const target = createFileTarget(place, 'read');
	return { ...target, isSecret: readsContent && place.kind === 'file' && place.isSecret, isProtected: false };
}

function toSearchScope({ realRoot, segments, kind }: Located): SearchScope {
	return { root: realRoot, segments, kind: kind === 'file' ? 'file' : 'folder' };
}

/** For `.`, all folders of the workspace. Rejects unless each is a file or a folder. */
export async function locateScope(
	{ paths }: Pick<FileDeps, 'paths'>,
	path: string,
	signal: AbortSignal,
): Promise<Located[]> {
	const places = await Promise.all(paths.resolveScope(path).map((asked) => paths.locate(asked)));
	for (const place of places) {
		if (place.kind === 'missing') {
			throw await createPathNotFound(paths, place, signal);
		}
		if (place.kind === 'other') {
			throw new ProwessError('NOT_A_FILE', `${place.path} is neither a file nor a folder`, { path: place.path });
		}
	}
	return places;
}

/** With the name of its folder where there are several. `below`: the folder's root. */
export function shownPath({ paths }: Pick<FileDeps, 'paths'>, { folder }: Located, below: string): string {
	return paths.folders.length > 1 ? `${folder.name}/${below}` : below;
}
