/** Finds one hunk of a file as the user sees it, apart from the rest of the change. */
import type { ChangeOwner } from '../../protocol/approvals/changes.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { Hunk } from '../../contract/changes.ts';
import { standsForBytes } from '../../machine/paths/reading/read-content.ts';
import { type ComparedChanges, refuseLost } from './compared-changes.ts';
import { splitByHunk } from './hunks.ts';

/** Rejects with FILE_CHANGED where the file has no such hunk any more. */
export async function oneHunk(changes: ComparedChanges, owner: ChangeOwner, path: string, hunk: Hunk) {
	const compared = await changes.one(owner, path);
	if (compared !== undefined) {
		refuseLost(compared.file);
	}
	const parts =
		compared === undefined || standsForBytes(compared.now)
			? undefined
			: splitByHunk(compared.without ?? '', compared.now ?? '', hunk);
	if (compared === undefined || parts === undefined) {
		throw new ProwessError('FILE_CHANGED', `${path} has changed since its changes were looked at`, { path });
	}
	return { ...compared, parts };
}
