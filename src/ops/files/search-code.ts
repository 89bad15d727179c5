/** search.code, over one folder or, for `.`, all folders of the workspace. */
import type { OpImplementation } from '../../contract/ops/op-implementation.ts';
import type { FileDeps } from './file-deps.ts';
import { locateScope, shownPath } from './search.ts';
import { createFileTarget } from '../../trust/gate/targets.ts';

export function searchCodeOp(deps: Pick<FileDeps, 'paths' | 'codeIndex'>): OpImplementation<'search.code'> {
	return {
		async prepare({ query, path, limit }, { signal }) {
			const places = await locateScope(deps, path, signal);
			return {
				targets: places.map((place) => ({ ...createFileTarget(place, 'read'), isProtected: false })),
				detail: { kind: 'text', text: `Find code about ${JSON.stringify(query)} in ${path}` },
				async run(context) {
					const found = await Promise.all(
						places.map(async (place) => {
							const { realRoot: root, usualEncoding, segments, kind } = place;
							const within = segments.length === 0 ? '' : `${segments.join('/')}${kind === 'folder' ? '/' : ''}`;
							const asked = { query, within, count: limit, threadId: context.caller.threadId };
							const answer = await deps.codeIndex.find({ root, usualEncoding }, asked, context.signal);
							return {
								...answer,
								places: answer.places.map((each) => ({ ...each, path: shownPath(deps, place, each.path) })),
							};
						}),
					);
					const most = Math.max(0, ...found.map(({ places: list }) => list.length));
					// Takes the folders in turn: the best place of each comes before the second best of any.
					const inTurn = Array.from({ length: most }, (_, at) =>
						found.flatMap(({ places: list }) => list[at] ?? []),
					).flat();
					return {
						places: inTurn.slice(0, limit),
						files: found.reduce((sum, { files }) => sum + files, 0),
						indexed: found.reduce((sum, { indexed }) => sum + indexed, 0),
						isFull: found.some(({ isFull }) => isFull),
						...(found.some(({ problem }) => problem !== undefined) && { isLocal: true }),
					};
				},
			};
		},
	};
}
