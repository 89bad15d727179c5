/** Our log: the *Prowess* channel of the Output panel. The channel is made at activation; VS Code opens its file lazily. */
import type * as vscode from 'vscode';
import type { LogPort } from '../../contract/ports/ports.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';

export function createLogPort(channel: vscode.LogOutputChannel): LogPort {
	const at = (level: Level): LogPort[Level] => {
		return (message, facts) => {
			const rest = facts === undefined || Object.keys(facts).length === 0 ? '' : ` ${JSON.stringify(facts)}`;
			channel[level](`${message}${rest}`);
		};
	};
	return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
