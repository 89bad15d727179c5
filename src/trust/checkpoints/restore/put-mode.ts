/** Gives a file that was undone the permissions that it had before: whoever replaces a file often loses them. */
import type { ChangeOwner } from '../../../protocol/approvals/changes.ts';
import { newId, ThreadId } from '../../../protocol/rpc/ids.ts';
import type { PerformForUser } from '../../../contract/ops/perform-op.ts';
import { sha256 } from '../../record/store/chain/canonical-json.ts';
import type { ChangedFile } from '../../record/store/checkpoint-store.ts';
import { NO_FILE_STATE } from '../../record/store/image-rows.ts';
import { createFileContent, parseFileState } from './file-content.ts';
import { PlannedFiles } from './planned-files.ts';
import { putContent } from './put-content.ts';

type PutModeDeps = ConstructorParameters<typeof PlannedFiles>[0] &
	Parameters<typeof putContent>[0] & { readonly performForUser: PerformForUser };

/** Does nothing where somebody else has changed the permissions since, or no image of a turn tells what they were. */
export async function putMode(
	deps: PutModeDeps,
	owner: ChangeOwner,
	{ absolutePath, before }: ChangedFile,
	signal: AbortSignal,
): Promise<void> {
	const images = (await deps.stored.call('imagesSince', { threadId: owner, turnId: '' })).filter(
		(image) => image.absolutePath === absolutePath,
	);
	const hash = before === null ? undefined : sha256(before);
	const first = images.find((image) => image.before !== NO_FILE_STATE && parseFileState(image.before).hash === hash);
	const now = await new PlannedFiles(deps).now(absolutePath);
	if (first === undefined || typeof now !== 'object' || now.bytes === undefined) {
		return;
	}
	const left = images.at(-1)?.after ?? NO_FILE_STATE;
	const { permissions } = parseFileState(first.before);
	const isOfOwner =
		left === NO_FILE_STATE || parseFileState(left).permissions === parseFileState(now.state).permissions;
	const to = createFileContent(now.bytes, permissions);
	if (isOfOwner && to.state !== now.state) {
		const work = putContent(deps, { to, newFolder: null, onChanging: () => Promise.resolve() });
		const call = { opId: newId('op'), params: { path: absolutePath, from: now.state, to: to.state } };
		await deps.performForUser(work, call, ThreadId.safeParse(owner).data ?? null, signal);
	}
}
