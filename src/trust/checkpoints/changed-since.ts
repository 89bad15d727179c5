/** Tells what became of a file since a thread wrote it. */
import type { OpResult } from '../../protocol/op-table/ops.ts';
import { sha256 } from '../record/store/chain/canonical-json.ts';
import { type LastWritten, REMOVED } from '../record/store/checkpoint-store.ts';

export type ChangedSince = OpResult<'workspace.changes'>['files'][number];

/** Characters of a hash that stand for a text, since a write. */
const SHOWN = 12;

/** `text` undefined: there is no such file now. Undefined: it is as it was left. */
export function changedSince(
	{ path, beforeHash, afterHash, at }: LastWritten,
	text: string | undefined,
): ChangedSince | undefined {
	const now = text === undefined ? REMOVED : sha256(text);
	if (now === afterHash) {
		return undefined;
	}
	const isUndone = now === (beforeHash ?? REMOVED);
	const what = isUndone ? 'undone' : text === undefined ? 'removed' : 'changed';
	// The same text after another write is another change.
	return { path, what, now: sha256(`${at} ${now}`).slice(0, SHOWN) };
}
