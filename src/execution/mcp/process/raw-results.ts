/**
 * Answers of a server as it sent them, beside the SDK, whose schemas refuse a whole answer for one odd member. The SDK
 * is given each answer in its plainest valid form; who asked gets what the server sent, and reads it member by member.
 */
import type { Transport } from '@modelcontextprotocol/client';
import { AsyncLocalStorage } from 'node:async_hooks';
import { isPlainData, textOrEmpty } from '../../../base/text/lenient.ts';
import { type Text, text } from '../../../protocol/text/text.ts';
import { LIST_PAGES, LISTED_ENTRIES } from '../limits.ts';

type Members = Readonly<Record<string, unknown>>;

/** Lists, by the method that asks for them: the member that holds their entries, and an entry in its plainest form. */
const PLAIN_LISTS: Readonly<Record<string, { readonly member: string; plain(entry: Members): object }>> = {
	'tools/list': { member: 'tools', plain: plainTool },
	'resources/list': { member: 'resources', plain: () => ({ name: '', uri: '' }) },
	'resources/templates/list': { member: 'resourceTemplates', plain: () => ({ name: '', uriTemplate: '' }) },
	'prompts/list': { member: 'prompts', plain: () => ({ name: '' }) },
};
/** Other answers that are read here, in their plainest form. */
const PLAIN_ANSWERS: Readonly<Record<string, object>> = {
	'tools/call': { content: [] },
	'resources/read': { contents: [] },
	'prompts/get': { messages: [] },
};

/** Answers to the requests of one method, in the order in which they came. */
interface RawAnswers {
	readonly method: string;
	/** The answers to `method`; for a list, its entries instead. */
	readonly values: unknown[];
	/** Sentences on what is missing. */
	readonly problems: Text[];
	/** Places in a list that were already asked for. */
	readonly seen: Set<string>;
	pages: number;
}

export class RawResults {
	readonly #collecting = new AsyncLocalStorage<RawAnswers | undefined>();
	readonly #asked = new Map<unknown, { readonly method: string; readonly answers: RawAnswers | undefined }>();

	/** Collects what answers to `method` hold while `work` asks the SDK for them. Rejects as `work` does. */
	async collect(method: string, work: () => Promise<unknown>): Promise<RawAnswers> {
		const answers: RawAnswers = { method, values: [], problems: [], seen: new Set(), pages: 0 };
		await this.#collecting.run(answers, work);
		return answers;
	}

	/** The transport as the SDK is given it: it asks as before, and reads plain answers. */
	around<T extends Transport>(transport: T): T {
		return new Proxy(transport, {
			get: (target, key) => {
				const value: unknown = Reflect.get(target, key, target);
				if (typeof value !== 'function' || key === 'onmessage') return value;
				return (...args: unknown[]) => {
					if (key === 'send') this.#sent(args[0]);
					return Reflect.apply(value, target, args) as unknown;
				};
			},
			set: (target, key, value: unknown) => {
				const isReceiver = key === 'onmessage' && typeof value === 'function';
				// An answer may make the SDK ask on, as for a form: that belongs to the same request.
				const receivePlain = (message: unknown, ...more: unknown[]) =>
					this.#collecting.run(this.#answersTo(message), () => {
						Reflect.apply(value as () => void, target, [this.#plain(message), ...more]);
					});
				return Reflect.set(target, key, isReceiver ? receivePlain : value, target);
			},
		});
	}

	#answersTo(message: unknown): RawAnswers | undefined {
		return isPlainData(message) && !('method' in message) ? this.#asked.get(message['id'])?.answers : undefined;
	}

	#sent(message: unknown): void {
		if (isPlainData(message) && 'id' in message && typeof message['method'] === 'string') {
			this.#asked.set(message['id'], { method: message['method'], answers: this.#collecting.getStore() });
		}
	}

	#plain(message: unknown): unknown {
		if (!isPlainData(message) || 'method' in message) return message;
		const asked = this.#asked.get(message['id']);
		this.#asked.delete(message['id']);
		const { result } = message;
		if (asked === undefined || !isPlainData(result)) return message;
		const { method } = asked;
		const answers = asked.answers?.method === method ? asked.answers : undefined;
		if (method === 'initialize') return { ...message, result: plainGreeting(result) };
		// The server asks for more, or works on: then this is no answer yet.
		const kind = result['resultType'] ?? 'complete';
		if (kind !== 'complete' || isPlainData(result['task'])) return message;
		const list = Object.hasOwn(PLAIN_LISTS, method) ? PLAIN_LISTS[method] : undefined;
		if (list !== undefined) {
			return { ...message, result: plainList(method, result, list, answers) };
		}
		if (!Object.hasOwn(PLAIN_ANSWERS, method)) return message;
		answers?.values.push(result);
		return { ...message, result: { ...FRESH, ...PLAIN_ANSWERS[method] } };
	}
}

/** In the newer revision an answer says that it is whole, and for how long it holds. */
const FRESH = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

function plainList(
	method: string,
	result: Members,
	{ member, plain }: (typeof PLAIN_LISTS)[string] & object,
	answers: RawAnswers | undefined,
): object {
	const entries: unknown = result[member];
	const list: readonly unknown[] = Array.isArray(entries) ? entries : [];
	const problems: Text[] = Array.isArray(entries) ? [] : [text('Its answer to {method} holds no list.', { method })];
	const next = nextPlace(method, result['nextCursor'], answers, problems);
	const room = LISTED_ENTRIES - (answers?.values.length ?? 0);
	if (list.length > room || (room === list.length && next !== undefined)) {
		problems.push(
			text('Its list {method} has more than {n} entries; the rest is left out.', { method, n: LISTED_ENTRIES }),
		);
	}
	const kept = list.slice(0, room);
	answers?.values.push(...kept);
	answers?.problems.push(...problems);
	return {
		...FRESH,
		[member]: kept.map((entry) => plain(isPlainData(entry) ? entry : {})),
		...(next === undefined || list.length >= room ? {} : { nextCursor: next }),
	};
}

/** The place at which a list goes on; undefined: it ends here, whatever the server says. */
function nextPlace(
	method: string,
	next: unknown,
	answers: RawAnswers | undefined,
	problems: Text[],
): string | undefined {
	if (next === undefined || next === null || next === '') return undefined;
	if (typeof next !== 'string') {
		problems.push(text('Its list {method} has a cursor that is not text; the rest is left out.', { method }));
		return undefined;
	}
	if (answers === undefined) return next;
	answers.pages += 1;
	if (answers.seen.has(next)) {
		problems.push(text('Its list {method} goes round in circles; it was read once.', { method }));
		return undefined;
	}
	if (answers.pages >= LIST_PAGES) {
		problems.push(text('Its list {method} has more than {n} pages; the rest is left out.', { method, n: LIST_PAGES }));
		return undefined;
	}
	answers.seen.add(next);
	return next;
}

/** Headers of a call over HTTP come from the properties of its input, so the SDK keeps those that can be read. */
function plainTool({ name, inputSchema }: Members): object {
	const properties = isPlainData(inputSchema) && isShallow(inputSchema) ? inputSchema['properties'] : undefined;
	const kept = isPlainData(properties)
		? { properties: Object.fromEntries(Object.entries(properties).filter(([, each]) => isPlainData(each))) }
		: {};
	return { name: typeof name === 'string' ? name : '', inputSchema: { type: 'object', ...kept } };
}

function plainGreeting(result: Members): object {
	const { capabilities, serverInfo, instructions, ...rest } = result;
	const { name, version } = isPlainData(serverInfo) ? serverInfo : { name: undefined, version: undefined };
	return {
		...rest,
		capabilities: Object.fromEntries(
			Object.entries(isPlainData(capabilities) ? capabilities : {}).flatMap(([key, value]) =>
				isPlainData(value) ? [[key, withBooleans(value)]] : value === true ? [[key, {}]] : [],
			),
		),
		serverInfo: { name: textOrEmpty(name), version: textOrEmpty(version) },
		...(typeof instructions === 'string' ? { instructions } : {}),
	};
}

/** `{"listChanged": "yes"}` says no more than nothing. */
function withBooleans(members: Members): object {
	return Object.fromEntries(
		Object.entries(members).filter(([, value]) => typeof value === 'boolean' || isPlainData(value)),
	);
}

/** Deepest nesting of what is read as a tree by functions that call themselves. */
const MAX_DEPTH = 60;

/** True when data is nested so little that every reader of it gets to its end. */
export function isShallow(value: unknown): boolean {
	let level: readonly unknown[] = [value];
	for (let depth = 0; level.length > 0; depth += 1) {
		if (depth > MAX_DEPTH) return false;
		level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
	}
	return true;
}

/**
 * A line of a server's output in the form of a message, where an answer is of another: then who waits for it hears of
 * it, instead of waiting to the end. The line itself where it needs no other form.
 */
export function toAnswer(line: unknown): unknown {
	if (!isPlainData(line) || 'method' in line || !('id' in line) || isFormed(line)) return line;
	const { result, error } = line;
	if (error !== undefined && error !== null) {
		const { code, message, ...more } = isPlainData(error) ? error : { code: undefined, message: error };
		const said = typeof message === 'string' ? message : (JSON.stringify(message) ?? 'no reason');
		return {
			jsonrpc: '2.0',
			id: line['id'],
			error: { ...more, code: Number.isInteger(code) ? code : -32_603, message: said },
		};
	}
	if (!('result' in line)) return line;
	const { _meta: about, ...members } = isPlainData(result) ? result : { content: result, _meta: undefined };
	return { jsonrpc: '2.0', id: line['id'], result: { ...members, ...(isPlainData(about) ? { _meta: about } : {}) } };
}

function isFormed({ jsonrpc, id: _id, ...said }: Members): boolean {
	const [[member, value] = [], ...others] = Object.entries(said);
	if (jsonrpc !== '2.0' || others.length > 0 || !isPlainData(value)) return false;
	return member === 'result'
		? value['_meta'] === undefined || isPlainData(value['_meta'])
		: member === 'error' && Number.isInteger(value['code']) && typeof value['message'] === 'string';
}
