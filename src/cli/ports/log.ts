/** The log of the CLI: standard error. Errors always, since nobody would look for them; everything else with `--verbose`. */
import type { LogPort } from '../../contract/ports/ports.ts';
import type { Terminal } from '../terminal/terminal.ts';

type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export function createLog(terminal: Terminal, isVerbose: boolean): LogPort {
	const createLevelLog = (level: LogLevel) => (message: string, facts?: Readonly<Record<string, unknown>>) => {
		if (isVerbose || level === 'error') {
			const shown = facts === undefined || Object.keys(facts).length === 0 ? '' : ` ${JSON.stringify(facts)}`;
			terminal.err(`[${level}] ${message}${shown}\n`);
		}
	};
	return {
		debug: createLevelLog('debug'),
		info: createLevelLog('info'),
		warn: createLevelLog('warn'),
		error: createLevelLog('error'),
	};
}
