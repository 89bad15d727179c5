/** Contexts of ours, which the `when` clauses in package.json read. */
import * as vscode from 'vscode';
import type { LogPort } from '../../contract/ports/ports.ts';
import { inBackground } from './signals.ts';

type ContextName = 'chatFocused' | 'hasThread' | 'isRunning' | 'needsModel' | `did.${string}`;

export function setContext(log: LogPort, name: ContextName, value: boolean): void {
	inBackground(log, 'context', vscode.commands.executeCommand('setContext', `prowess.${name}`, value));
}
