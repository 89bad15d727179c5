/** Our log: the *Prowess* channel of the Output panel. The channel is made at activation; VS Code opens its file lazily. */
import type * as vscode from 'vscode';
import type { LogPort } from '../../contract/ports/ports.ts';

type LogChannelLevel = 'debug' | 'info' | 'warn' | 'error';

export function createLogPort(channel: vscode.LogOutputChannel): LogPort {
	const createLogMethod = (level: LogChannelLevel): LogPort[LogChannelLevel] => {
		return (message, facts) => {
			const rest = facts === undefined || Object.keys(facts).length === 0 ? '' : ` ${JSON.stringify(facts)}`;
			channel[level](`${message}${rest}`);
		};
	};
	return {
		debug: createLogMethod('debug'),
		info: createLogMethod('info'),
		warn: createLogMethod('warn'),
		error: createLogMethod('error'),
	};
}
