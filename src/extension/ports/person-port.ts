/** Tells the person that something waits. The answer itself is given in the chat, at the desk; this port never answers. */
import * as vscode from 'vscode';
import type { PersonPort } from '../../contract/ports/ports.ts';
import { titleInWords } from '../../protocol/text/text.ts';
import type { Attention } from '../notices/attention.ts';

export function createPersonPort(attention: Attention): PersonPort {
	return {
		approve(approval, signal) {
			const title = titleInWords(approval, (template) => vscode.l10n.t(template));
			attention.call(vscode.l10n.t('Prowess asks: {0}', title));
			return untilVoid(signal);
		},
		answer({ question }, signal) {
			attention.call(vscode.l10n.t('Prowess asks: {0}', question));
			return untilVoid(signal);
		},
	};
}

/** Resolves, without an answer, when the question is answered elsewhere or no longer asked. */
function untilVoid(signal: AbortSignal): Promise<undefined> {
	return new Promise((resolve) => {
		if (signal.aborted) {
			resolve(undefined);
		} else {
			signal.addEventListener('abort', () => resolve(undefined), { once: true });
		}
	});
}
