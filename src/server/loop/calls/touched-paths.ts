/** Finds the paths that the calls of an answer work on, so that the instructions beside them can be loaded. */
import type { ReadCall } from './read-call.ts';

/** Ops whose `path` names one file or folder. */
const ON_ONE_PLACE = ['fs.read', 'fs.list', 'fs.edit', 'fs.write', 'fs.delete', 'editor.diagnostics', 'git.diff'];

export function touchedBy(calls: readonly ReadCall[]): string[] {
	return calls.flatMap((call) => {
		if (call.kind !== 'op' || !ON_ONE_PLACE.includes(call.op)) {
			return [];
		}
		const { path } = call.params as { readonly path?: string };
		return path === undefined || path === '.' ? [] : [path];
	});
}
