/**
 * Log of the server for its developers; entries appear in the host's log. Never holds text that a user or a model
 * wrote.
 */
import type { Peer } from '../../protocol/rpc/peer.ts';
import { serverNotifications } from '../../protocol/server.ts';

type LogFacts = Readonly<Record<string, unknown>>;

export interface Log {
	debug(message: string, facts?: LogFacts): void;
	info(message: string, facts?: LogFacts): void;
	warn(message: string, facts?: LogFacts): void;
	error(message: string, facts?: LogFacts): void;
}

export function hostLog(host: Peer): Log {
	const createLogMethod = (level: keyof Log) => (message: string, facts?: LogFacts) =>
		host.notify(serverNotifications.log, { level, message, ...(facts === undefined ? {} : { facts: { ...facts } }) });
	return {
		debug: createLogMethod('debug'),
		info: createLogMethod('info'),
		warn: createLogMethod('warn'),
		error: createLogMethod('error'),
	};
}
