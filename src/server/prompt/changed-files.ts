/** Files that are not as the model left them: told with the next message, each state of a file once. */
import { escapeHidden } from '../../base/text/hidden-characters.ts';
import type { OpResult } from '../../protocol/ops.ts';
import { attachmentsOf } from '../history/kept/user-message.ts';
import type { ModelMessage } from '../models/model-port.ts';
import { type Asker, perform } from './perform.ts';
import { section } from './section.ts';

type Changed = OpResult<'workspace.changes'>['files'][number];

const WORDS: { readonly [W in Changed['what']]: string } = {
	undone: 'Your change was taken back: it is as it was before.',
	changed: 'It was changed since you wrote it: read it again before you edit it.',
	removed: 'It is gone.',
};

/** To put after the user's text; empty when there are none, as in a thread that has written nothing. */
export async function readChangedFiles(
	before: readonly ModelMessage[],
	asker: Asker,
	signal: AbortSignal,
): Promise<string> {
	if (
		!before.some((message) => message.role === 'tool' || (message.role === 'user' && message.leftOut !== undefined))
	) {
		return '';
	}
	const read = await perform('workspace.changes', {}, asker, signal);
	if (!read.ok) {
		return '';
	}
	const told = new Set(before.flatMap(toldIn));
	const lines = read.result.files.map(lineOf).filter((line) => !told.has(line));
	return lines.length === 0 ? '' : `\n\n${section('changed-files', 'since="you wrote them"', lines.join('\n'))}`;
}

function lineOf({ path, what, now }: Changed): string {
	return `- ${escapeHidden(path)} (${now}): ${WORDS[what]}`;
}

function toldIn(message: ModelMessage): readonly string[] {
	const attached = message.role === 'user' ? attachmentsOf(message) : '';
	const [, lines = ''] = /<changed-files [^>]*>\n([\s\S]*?)\n<\/changed-files>/.exec(attached) ?? [];
	return lines.split('\n');
}
