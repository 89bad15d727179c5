/** Makes the text in the active terminal a reference that goes into a message. */
import * as vscode from 'vscode';
import { type ContextRef, MAX_PASTED_CHARS } from '../../protocol/thread/context.ts';

const TERMINAL = 'workbench.action.terminal';
const TERMINAL_LABEL_CHARS = 200;

/**
 * `part`: what is selected in it, or all of it; of much its end. The editor lends a terminal's text only by the clipboard,
 * which has its own text again afterwards. Undefined: there is no terminal, or nothing in it.
 */
export async function terminalOutput(part: 'selection' | 'all'): Promise<ContextRef | undefined> {
	const terminal = vscode.window.activeTerminal;
	if (terminal === undefined) {
		return undefined;
	}
	const text = (await copyTerminalText(part)).trim();
	return text === ''
		? undefined
		: { kind: 'terminal', name: terminal.name.slice(0, TERMINAL_LABEL_CHARS), text: text.slice(-MAX_PASTED_CHARS) };
}

async function copyTerminalText(part: 'selection' | 'all'): Promise<string> {
	const { clipboard } = vscode.env;
	const before = await clipboard.readText();
	try {
		// Clears the clipboard first, so that its old text is not taken for the terminal's when nothing can be copied.
		await clipboard.writeText('');
		if (part === 'all') {
			await vscode.commands.executeCommand(`${TERMINAL}.selectAll`);
		}
		await vscode.commands.executeCommand(`${TERMINAL}.copySelection`);
		if (part === 'all') {
			await vscode.commands.executeCommand(`${TERMINAL}.clearSelection`);
		}
		return await clipboard.readText();
	} finally {
		await clipboard.writeText(before);
	}
}
