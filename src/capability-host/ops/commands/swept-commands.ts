/** Files that a command changes by itself: found by a look before and after it, kept for undo, and named in its result. */
import type { CommandState } from '../../../protocol/ops/definitions/shell.ts';
import type { Caller } from '../../contract/caller.ts';
import type { OpDeps } from '../op-deps.ts';
import { CHANGES_LISTED } from '../limits.ts';

type SweptDeps = Pick<OpDeps, 'sweeps' | 'beforeImages' | 'paths'>;

/** Also of a command that fails or is stopped, the changes are kept. */
export async function withChangesKept(
	{ sweeps, beforeImages, paths }: SweptDeps,
	caller: Caller,
	run: () => Promise<CommandState>,
): Promise<CommandState> {
	const after = await sweeps?.before();
	if (after === undefined) {
		return await run();
	}
	const keep = async (): Promise<Pick<CommandState, 'changed' | 'changedBeyond'>> => {
		const { changes, uncovered } = await after();
		const files = changes.map((change) => ({ ...change, path: paths.resolve(change.absolutePath).path }));
		await beforeImages.swept({ caller, files });
		const changed = files.slice(0, CHANGES_LISTED).map(({ path, before, after: left }) => ({
			path,
			kind:
				before === undefined ? ('created' as const) : left === undefined ? ('deleted' as const) : ('modified' as const),
		}));
		const beyond = files.length - changed.length + uncovered;
		return changed.length === 0 ? {} : { changed, ...(beyond === 0 ? {} : { changedBeyond: beyond }) };
	};
	try {
		const state = await run();
		return { ...state, ...(await keep()) };
	} catch (error) {
		await keep();
		throw error;
	}
}
