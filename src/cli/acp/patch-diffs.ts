/** Diffs of a call as the protocol has them: of each hunk of our patch its old and its new lines. Pure. */
import type { ToolCallContent } from '@agentclientprotocol/sdk';
import type { FileDiff } from '../../protocol/ops/definitions/files/files.ts';
import { WHOLE_PATCH } from './second-version/marks.ts';

/** Most hunks of one file that an editor is shown. */
const MAX_HUNKS = 50;

export function patchDiffs(
	{ path, patch, created }: Pick<FileDiff, 'path' | 'patch' | 'created'>,
	absolutePath: string,
	isWhole = false,
): ToolCallContent[] {
	if (isWhole) {
		const header = `diff --git a/${path} b/${path}\n${created ? 'new file mode 100644\n' : ''}`;
		const _meta = { [WHOLE_PATCH]: header + patch };
		return [{ type: 'diff', path: absolutePath, oldText: created ? null : '', newText: '', _meta }];
	}
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
