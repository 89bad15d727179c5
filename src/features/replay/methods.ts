/**
 * Names of the messages that recordings and replays tell apart. Their schemas, many times the size of all else, are not
 * loaded: params and results are opaque here. The spec compares each name with its declaration in `src/protocol/`.
 */
export const methods = {
	start: 'server/start',
	settings: 'host/settings',
	create: 'thread/create',
	set: 'thread/set',
	open: 'thread/open',
	prompt: 'thread/prompt',
	stop: 'thread/stop',
	update: 'thread/update',
	perform: 'op/perform',
	performForSubTurn: 'subTurn/perform',
	redact: 'op/redact',
	clock: 'tape/clock',
	line: 'tape/line',
	models: 'model/list',
	asked: 'tape/asked',
	heard: 'tape/heard',
} as const;

/** Names of ops asked for by the server. */
export const OP_METHODS: ReadonlySet<string> = new Set([methods.perform, methods.performForSubTurn]);

/** Told by the server while it is recorded, and asked by it in a replay. */
export const TAPE_METHODS: readonly string[] = [
	methods.line,
	'tape/opened',
	'tape/listed',
	methods.asked,
	methods.heard,
];

/** All that a server asks a host, apart from keys. */
export const HOST_METHODS: readonly string[] = [
	...[methods.perform, 'op/askAhead', 'op/outcome', methods.redact, methods.performForSubTurn],
	...['usage/begin', 'usage/grant', 'usage/spent', 'hook/resting', 'hook/compacting'],
	...['judgement/standing', 'judgement/overruled', 'judgement/restored'],
	...TAPE_METHODS,
];

/** Requests of the server for keys, and for the editor's models, whose answers are noted as those of any model. */
export const KEY_METHODS: ReadonlySet<string> = new Set(['credential/get', 'lm/list', 'lm/run']);

/** Requests of the host that make a turn, or choose its model. The others are about endpoints, or only read. */
export function isOfTurn(method: string): boolean {
	return (
		method === methods.start ||
		method === methods.models ||
		method.startsWith('thread/') ||
		method.startsWith('subTurn/')
	);
}

/** Requests of the host whose answers are compared whole. */
export function isComparedAnswer(method: string): boolean {
	return method === methods.open || method.startsWith('subTurn/');
}
