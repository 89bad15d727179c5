/** Diffs of a call as the protocol has them: of each hunk of our patch its old and its new lines. Pure. */
import type { ToolCallContent } from '@agentclientprotocol/sdk';
import type { FileDiff } from '../../protocol/ops/definitions/files/files.ts';

/** Most hunks of one file that an editor is shown. */
const MAX_HUNKS = 50;

export function patchDiffs(
	{ patch, created }: Pick<FileDiff, 'patch' | 'created'>,
	absolutePath: string,
): ToolCallContent[] {
	const hunks: { old: string[]; now: string[] }[] = [];
	for (const line of patch.split('\n')) {
		if (line.startsWith('@@')) {
			hunks.push({ old: [], now: [] });
			continue;
		}
		const hunk = hunks.at(-1);
		const [sign, text] = [line.charAt(0), line.slice(1)];
		if (hunk === undefined) {
			continue;
		}
		if (sign === '-' || sign === ' ') hunk.old.push(text);
		if (sign === '+' || sign === ' ') hunk.now.push(text);
	}
	return hunks.slice(0, MAX_HUNKS).map(({ old, now }) => ({
		type: 'diff',
		path: absolutePath,
		oldText: created ? null : old.join('\n'),
		newText: now.join('\n'),
	}));
}
