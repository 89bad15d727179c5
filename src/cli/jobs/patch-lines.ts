/** Count of the lines that a patch changes. */
import type { PromptResult } from '../../protocol/jobs.ts';

/** Lines that follow in a hunk, before and after the change; one line where a count is left out. */
const HUNK_HEAD = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Lines that a patch adds and removes. Within a hunk a line is content, also one like `--- a/file`: SQL begins comments so. */
export function countPatchLines(patch: string): Pick<PromptResult, 'added' | 'removed'> {
	const counts = { added: 0, removed: 0 };
	let [before, after] = [0, 0];
	for (const line of patch.split('\n')) {
		if (before + after === 0) {
			const [head, left = '1', right = '1'] = HUNK_HEAD.exec(line) ?? [];
			if (head !== undefined) [before, after] = [Number(left), Number(right)];
		} else if (line.startsWith('+')) {
			counts.added += 1;
			after -= 1;
		} else if (line.startsWith('-')) {
			counts.removed += 1;
			before -= 1;
		} else if (!line.startsWith('\\')) {
			before -= 1;
			after -= 1;
		}
	}
	return counts;
}
