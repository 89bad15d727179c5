/** Permission level that counts for a thread on the command line: its own, or the one that `--approve` gives if that is wider. */
import type { ApprovalMode } from '../../capability-host/contract/ports/ports.ts';
import type { TrustedBase } from '../../capability-host/trusted-base.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import { isWider, LEVEL_WORDS, narrower, type PermissionLevel } from '../../protocol/approvals/permission-level.ts';
import { inEnglish } from '../../protocol/text/text.ts';

/** Where nobody is asked, nothing runs without a question either. */
export async function levelOfThread(
	{ levels }: Pick<TrustedBase, 'levels'>,
	threadId: ThreadId,
	mode: ApprovalMode,
	signal: AbortSignal,
): Promise<PermissionLevel> {
	const { level, widest } = await levels.of(threadId, signal);
	if (mode === 'never') {
		return narrower(level, 'ask');
	}
	const started = narrower(mode, widest);
	return isWider(started, level) ? started : level;
}

export function levelName(level: PermissionLevel): string {
	return inEnglish(LEVEL_WORDS[level].name);
}
