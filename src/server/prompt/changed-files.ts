/** Files that are not as the model left them: told with the next message, each state of a file once. */
import { escapeHidden } from '../../base/text/hidden-characters.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import { readAttachments } from '../history/messages.ts';
import type { ModelMessage } from '../models/model-port.ts';
import { type HostOpAsker, requestHostOp } from '../host/request-op.ts';
import { formatSection } from './notes.ts';

type Changed = OpResult<'workspace.changes'>['files'][number];

const CHANGE_WORDS: { readonly [W in Changed['what']]: string } = {
	undone: 'Your change was taken back: it is as it was before.',
	changed: 'It was changed since you wrote it: read it again before you edit it.',
	removed: 'It is gone.',
};

/** To put after the user's text; empty when there are none, as in a thread that has written nothing. */
export async function readChangedFiles(
	before: readonly ModelMessage[],
	asker: HostOpAsker,
	signal: AbortSignal,
): Promise<string> {
	if (
		!before.some((message) => message.role === 'tool' || (message.role === 'user' && message.leftOut !== undefined))
	) {
		return '';
	}
	const read = await requestHostOp('workspace.changes', {}, asker, signal);
	if (!read.ok) {
		return '';
	}
	const told = new Set(before.flatMap(readToldChanges));
	const lines = read.result.files.map(formatChangedFile).filter((line) => !told.has(line));
	return lines.length === 0 ? '' : `\n\n${formatSection('changed-files', 'since="you wrote them"', lines.join('\n'))}`;
}

function formatChangedFile({ path, what, now }: Changed): string {
	return `- ${escapeHidden(path)} (${now}): ${CHANGE_WORDS[what]}`;
}

function readToldChanges(message: ModelMessage): readonly string[] {
	const attached = message.role === 'user' ? readAttachments(message) : '';
	const [, lines = ''] = /<changed-files [^>]*>\n([\s\S]*?)\n<\/changed-files>/.exec(attached) ?? [];
	return lines.split('\n');
}
