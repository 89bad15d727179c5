import { otherFolder } from '../../../protocol/thread/other-folder.ts';
import type { ThreadInfo } from '../../../protocol/thread/thread.ts';

/** Where a thread was begun, when that is not here: what it knows is of that place. */
export function ThreadFolder({ info, folders }: { info: ThreadInfo; folders: readonly string[] }) {
	const name = otherFolder(info, folders);
	return name === undefined ? null : (
		<span class="thread-folder" title={info.workspace ?? ''}>
			{name}
		</span>
	);
}
