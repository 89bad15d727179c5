/**
 * Log of the server for its developers; entries appear in the host's log. Never holds text that a user or a model
 * wrote.
 */
import type { Peer } from '../../protocol/rpc/peer.ts';
import { serverNotifications } from '../../protocol/server.ts';

type Facts = Readonly<Record<string, unknown>>;

export interface Log {
	debug(message: string, facts?: Facts): void;
	info(message: string, facts?: Facts): void;
	warn(message: string, facts?: Facts): void;
	error(message: string, facts?: Facts): void;
}

export function hostLog(host: Peer): Log {
	const at = (level: keyof Log) => (message: string, facts?: Facts) =>
		host.notify(serverNotifications.log, { level, message, ...(facts === undefined ? {} : { facts: { ...facts } }) });
	return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
