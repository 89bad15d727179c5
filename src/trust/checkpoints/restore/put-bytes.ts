/** Undo of a change that replaced a file of bytes, which no text stands for. */
import type { ChangeOwner } from '../../../protocol/approvals/changes.ts';
import type { OpOutcome } from '../../../protocol/turn/broker.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { newId, type ThreadId } from '../../../protocol/rpc/ids.ts';
import type { PerformForUser } from '../../../contract/ops/perform-op.ts';
import { parseFileState } from './file-content.ts';
import { PlannedFiles } from './planned-files.ts';
import { putContent } from './put-content.ts';

type PutBytesDeps = ConstructorParameters<typeof PlannedFiles>[0] &
	Parameters<typeof putContent>[0] & { readonly performForUser: PerformForUser };

interface BytesBefore {
	readonly owner: ChangeOwner;
	readonly threadId: ThreadId | null;
	readonly absolutePath: string;
	/** Stands for them. */
	readonly mark: string;
}

/** Gives the file the bytes that its image has. */
export async function putBytes(
	deps: PutBytesDeps,
	{ owner, threadId, absolutePath, mark }: BytesBefore,
	signal: AbortSignal,
): Promise<OpOutcome> {
	const files = new PlannedFiles(deps);
	const images = await deps.stored.call('imagesSince', { threadId: owner, turnId: '' });
	const image = images.find(
		(each) => each.absolutePath === absolutePath && mark.endsWith(parseFileState(each.before).hash),
	);
	const bytes = image === undefined ? undefined : await files.blob(parseFileState(image.before).hash);
	const now = await files.now(absolutePath);
	if (image === undefined || bytes === undefined || typeof now !== 'object') {
		throw new ProwessError('STORE_UNAVAILABLE', `what ${absolutePath} held before is not kept any more`, {
			path: absolutePath,
		});
	}
	const onChanging = () => Promise.resolve();
	const work = putContent(deps, { to: { state: image.before, bytes }, newFolder: null, onChanging });
	const call = { opId: newId('op'), params: { path: absolutePath, from: now.state, to: image.before } };
	return await deps.performForUser(work, call, threadId, signal);
}
