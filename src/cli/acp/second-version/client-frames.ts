/** Frames of a client, from version 2 to version 1, which refuses values that neither takes. Pure. */
import { SECOND_VERSION } from './marks.ts';

export interface AnswerError {
	readonly code: number;
	readonly message: string;
	readonly data?: unknown;
}

type JsonFields = Readonly<Record<string, unknown>>;

type FirstVersionFrame = { readonly method: string; readonly params: unknown } | { readonly refused: AnswerError };

/** Methods of version 2 that are served; the greeting apart. */
const REQUESTS: Readonly<Record<string, (params: JsonFields) => FirstVersionFrame>> = {
	'session/new': (params) => openWithServers('session/new', params),
	'session/resume': resumeOrLoad,
	'session/list': (params) => ({ method: 'session/list', params }),
	'session/close': (params) => ({ method: 'session/close', params }),
	'session/delete': (params) => ({ method: 'session/delete', params }),
	'session/set_config_option': ({ type, ...params }) => ({
		method: 'session/set_config_option',
		params: type === 'boolean' ? { type, ...params } : params,
	}),
	'session/prompt': (params) => ({ method: 'session/prompt', params }),
	'session/cancel': (params) => ({ method: 'session/cancel', params }),
	'$/cancel_request': (params) => ({ method: '$/cancel_request', params }),
};

export function toFirstVersion(method: string, params: unknown): FirstVersionFrame {
	const translate = Object.hasOwn(REQUESTS, method) ? REQUESTS[method] : undefined;
	if (translate === undefined) {
		return { refused: { code: -32_601, message: 'Method not found', data: { method: method.slice(0, 100) } } };
	}
	return isFields(params) ? translate(params) : { method, params };
}

/** The greeting of a client whose version is 2 or later. */
export function greetingToFirstVersion(params: JsonFields): FirstVersionFrame {
	const { info, capabilities } = params;
	const isNamed = isFields(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string';
	if (!isNamed && params['protocolVersion'] === 2) {
		return refuseInvalidParams({ info: null }, 'info has the name and the version of the client');
	}
	const elicitation = isFields(capabilities) ? capabilities['elicitation'] : undefined;
	return {
		method: 'initialize',
		params: {
			protocolVersion: 1,
			...(isNamed && { clientInfo: info }),
			clientCapabilities: {
				session: { notices: {}, compaction: {} },
				...(isFields(elicitation) && { elicitation }),
				_meta: { [SECOND_VERSION]: true },
			},
		},
	};
}

export function isFields(value: unknown): value is JsonFields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function resumeOrLoad({ replayFrom, ...params }: JsonFields): FirstVersionFrame {
	if (replayFrom === undefined || replayFrom === null) {
		return openWithServers('session/resume', params);
	}
	return isFields(replayFrom) && replayFrom['type'] === 'start'
		? openWithServers('session/load', params)
		: refuseInvalidParams({ replayFrom: null }, 'a thread is replayed from its start, or not at all');
}

function openWithServers(method: string, { mcpServers, ...params }: JsonFields): FirstVersionFrame {
	const servers: unknown[] = [];
	for (const server of Array.isArray(mcpServers) ? (mcpServers as unknown[]) : []) {
		const { type, ...rest } = isFields(server) ? server : {};
		if (type === 'stdio') {
			servers.push({ ...rest, args: rest['args'] ?? [], env: rest['env'] ?? [] });
		} else if (type === 'http') {
			servers.push({ ...rest, type, headers: rest['headers'] ?? [] });
		} else {
			return refuseInvalidParams({ mcpServers: servers.length }, 'an MCP server is reached over stdio or http');
		}
	}
	return { method, params: { ...params, mcpServers: servers } };
}

function refuseInvalidParams(data: JsonFields, why: string): FirstVersionFrame {
	return { refused: { code: -32_602, message: `Invalid params: ${why}`, data } };
}
