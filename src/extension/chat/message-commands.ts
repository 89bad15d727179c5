/** Commands that put something of the editor into the message of the chat, and perhaps send it. */
import * as vscode from 'vscode';
import type { WorkspacePort } from '../../contract/ports/ports.ts';
import type { ContextRef } from '../../protocol/thread/context.ts';
import { slashCommands } from '../../protocol/thread/message/slash-commands.ts';
import type { MessageCommandId } from '../editor/command-table.ts';
import { inform } from '../notices/notices.ts';
import { isProblemPlace } from '../editor/code-actions.ts';
import type { ChatView } from './chat-view.ts';
import { problemRefs, selectionOrFileRef, terminalOutput, testFailure } from '../shown/message-refs.ts';

interface MessagePorts {
	readonly workspace: WorkspacePort;
	readonly chat: Pick<ChatView, 'insert' | 'focus'>;
}

const EXPLAIN_PROBLEM =
	'Explain this problem: what it means, why it is here, and what would solve it. Change nothing yet.';

export function createMessageCommands(ports: MessagePorts): {
	readonly [C in MessageCommandId]: (on?: unknown) => Promise<void>;
} {
	const { chat } = ports;
	return {
		'prowess.addSelection': () => insertRefs(ports, shownRefs(ports), '', false),
		'prowess.addTerminal': () => addTerminal(ports, 'all'),
		'prowess.addTerminalSelection': () => addTerminal(ports, 'selection'),
		'prowess.addTestFailure': async (failure) => {
			const ref = testFailure(ports.workspace, failure);
			await (ref === undefined ? chat.focus() : chat.insert({ refs: [ref], text: '', send: false }));
		},
		'prowess.addProblem': (place) => insertRefs(ports, listProblemRefs(ports, place), '', false),
		'prowess.explain': (place) =>
			insertRefs(
				ports,
				listProblemRefs(ports, place),
				isProblemPlace(place) ? EXPLAIN_PROBLEM : findSlashPrompt('explain'),
				true,
			),
		'prowess.fix': (place) => insertRefs(ports, listProblemRefs(ports, place), findSlashPrompt('fix'), true),
		'prowess.reviewChanges': () => chat.insert({ refs: [], text: findSlashPrompt('review'), send: true }),
	};
}

async function insertRefs(
	{ chat }: MessagePorts,
	refs: readonly ContextRef[],
	text: string,
	send: boolean,
): Promise<void> {
	if (refs.length === 0) {
		inform(vscode.l10n.t('Open a file of the workspace first.'));
		return;
	}
	await chat.insert({ refs: [...refs], text, send });
}

async function addTerminal({ chat }: MessagePorts, part: 'selection' | 'all'): Promise<void> {
	const ref = await terminalOutput(part);
	if (ref === undefined) {
		inform(vscode.l10n.t('There is no output in a terminal.'));
		return;
	}
	await chat.insert({ refs: [ref], text: '', send: false });
}

/** Returns a reference to the user's selection, else to the whole file. */
function shownRefs({ workspace }: MessagePorts): ContextRef[] {
	const ref = selectionOrFileRef(workspace);
	return ref === undefined ? [] : [ref];
}

/** Lines and problems that a quick fix is about; without one, what the user has selected. */
function listProblemRefs(ports: MessagePorts, place: unknown): ContextRef[] {
	return isProblemPlace(place) ? problemRefs(ports.workspace, place) : shownRefs(ports);
}

function findSlashPrompt(name: string): string {
	const prompt = slashCommands.find((command) => command.name === name)?.prompt ?? '';
	return prompt.replace('$1', '').trim();
}
