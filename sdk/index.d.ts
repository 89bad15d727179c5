/** What a capability of Prowess is written against. What it means is in the README of this package. */
import type { Ops } from './ops.js';

export type { Ops };
export type OpName = keyof Ops;
export type OpParams<N extends OpName> = Ops[N]['params'];
export type OpResult<N extends OpName> = Ops[N]['result'];

type Topic<N extends string> = N extends `${infer T}.${string}` ? T : never;
type Verb<N extends string, T extends string> = N extends `${T}.${infer V}` ? V : never;
type OpOf<T extends string, V extends string> = Extract<OpName, `${T}.${V}`>;
/** An op whose params may all be left out is called with `{}`. */
type Perform<N extends OpName> = (params: OpParams<N>, more?: OpListener) => Promise<OpResult<N>>;

export interface OpListener {
	/** Hears what the op says while it runs, in whole lines: the words of a model, the output of a command. The result stays the same. */
	readonly onOutput?: (text: string) => void;
}

/** `host.fs.read({ path })` is `op('fs.read', { path })`. */
export type Host = {
	readonly [T in Topic<OpName>]: { readonly [V in Verb<OpName, T>]: Perform<OpOf<T, V>> };
};

/** With what an op rejects that was refused, or failed. */
export interface OpFailure extends Error {
	readonly name: 'OpFailure';
	/** As `NOT_FOUND` or `DENIED_BY_USER`: check this, not the message. */
	readonly code: string;
	readonly facts: Readonly<Record<string, unknown>>;
}

export interface BatchCall {
	readonly op: string;
	readonly params?: unknown;
	/** Neighbours with the same one run side by side. */
	readonly parallelGroup?: string;
}

/** The param of an op that may stand alone as the first argument, see `TopicVerb`. */
interface FirstParam {
	'fs.read': 'path';
	'fs.list': 'path';
	'fs.write': 'path';
	'sql.query': 'sql';
	'llm.oneshot': 'prompt';
	'llm.chat': 'messages';
	'shell.run': 'argv';
	'plist.parse': 'path';
	'llm.resolveTools': 'tools';
	'services.call': 'name';
	'services.listProviders': 'name';
	'cookie.resolve': 'url';
	'cookie.get': 'url';
	'cookie.clear': 'url';
	'http.sessionClose': 'session';
}

/** `fs.read('a.txt', { lines: [1, 9] })`, or all in one object: `fs.read({ path: 'a.txt' })`. */
type TopicVerb<N extends OpName> = N extends keyof FirstParam
	? {
			(first: OpParams<N>[FirstParam[N] & keyof OpParams<N>], more?: Partial<OpParams<N>>): Promise<OpResult<N>>;
			(params: OpParams<N>): Promise<OpResult<N>>;
		}
	: (params: OpParams<N>) => Promise<OpResult<N>>;
type ByTopic<T extends string> = { readonly [V in Verb<OpName, T>]: TopicVerb<OpOf<T, V>> };

type RequestParams = OpParams<'http.request'>;
/** `json` is sent as the body, with its content type. */
type RequestOptions = Omit<RequestParams, 'url' | 'method'> & { readonly json?: unknown };
type SendRequest = (url: string, more?: RequestOptions) => Promise<OpResult<'http.request'>>;

export interface Http extends Omit<ByTopic<'http'>, 'get'> {
	readonly get: {
		(url: string, more: RequestOptions): Promise<OpResult<'http.request'>>;
		(url: string): Promise<OpResult<'http.get'>>;
		(params: OpParams<'http.get'>): Promise<OpResult<'http.get'>>;
	};
	readonly post: SendRequest;
	readonly put: SendRequest;
	readonly patch: SendRequest;
	readonly delete: SendRequest;
	readonly head: SendRequest;
}

export interface Secrets extends Omit<ByTopic<'secrets'>, 'read' | 'write'> {
	/** The value of the secret of that name. */
	readonly read: (name: string | OpParams<'secrets.read'>) => Promise<string>;
	readonly get: Secrets['read'];
	/** Kept for this capability alone; the user is asked each time. */
	readonly write: {
		(name: string, value: string): Promise<OpResult<'secrets.write'>>;
		(params: OpParams<'secrets.write'>): Promise<OpResult<'secrets.write'>>;
	};
}

export interface Progress {
	/** Shown to the person; `fraction` of the whole, 0 to 1. */
	(message: string, fraction?: number): void;
	/** The same as an op: settles when the host has it. */
	report(message: string, fraction?: number): Promise<OpResult<'progress.report'>>;
}

export interface Sdk {
	readonly host: Host;
	readonly op: {
		<N extends OpName>(op: N, params: OpParams<N>, more?: OpListener): Promise<OpResult<N>>;
		/** One that a newer Prowess has. */
		(op: string, params: unknown, more?: OpListener): Promise<unknown>;
	};
	/** Never rejects; the results stand in the order of the calls. */
	batch(calls: readonly BatchCall[]): Promise<PromiseSettledResult<unknown>[]>;
	readonly progress: Progress;
	/** Aborts when the execution is stopped; two seconds later its process is killed. */
	readonly signal: AbortSignal;
	/** For the log of the host. */
	log(...values: unknown[]): void;
}

export interface ThreadMessage {
	readonly messageId: string;
	readonly threadId: string;
	readonly content: string;
	readonly sender: 'user' | 'agent' | 'system';
	/** ISO 8601. */
	readonly timestamp: string;
	readonly templateType?: string;
	readonly payload?: unknown;
}

/** Facts of the thread that are no messages; one that is not known here is absent. Empty with `context: none`. */
export interface ThreadMetadata {
	readonly mode?: 'agent' | 'ask' | 'plan';
	/** How much runs in the thread without a question. */
	readonly level?: 'manual' | 'ask' | 'edit' | 'auto' | 'full';
	/** The branch that is checked out in the folder of the workspace. */
	readonly branch?: string;
	/** What the person looks at in the editor; the lines are those that are selected, from 1. */
	readonly activeFile?: { readonly path: string; readonly startLine?: number; readonly endLine?: number };
	/** Set when it answers in a model's place; then nothing else is here. */
	readonly service?: string;
}

/** The conversation a capability works for, as much of it as its manifest asks for. */
export interface ThreadContext {
	readonly threadId: string | null;
	/** Oldest first. */
	readonly messages: readonly ThreadMessage[];
	/** Absolute; the folder of the workspace. */
	readonly projectPath: string | null;
	readonly agentId: string | null;
	readonly agentInstanceId: string | null;
	readonly metadata: ThreadMetadata;
	readonly capability: {
		readonly name: string;
		readonly type: string;
		readonly path: string;
		/** Folder of the plugin that it is a part of; absent: none. */
		readonly pluginPath?: string;
		/** Its manifest. */
		readonly config: unknown;
		readonly executionId: string;
	};
}

export type Context = ThreadContext & Sdk;

/** What a result says to the agent beside itself. */
export interface ResultWithContext<Result> {
	readonly result: Result;
	readonly additionalContext: unknown;
}

/**
 * The function that a capability exports as `execute`. The params have been checked against the inputs of its manifest; what
 * it returns must be JSON, at most 1 MiB; what it throws is the error.
 */
export type Execute<Params = Readonly<Record<string, unknown>>, Result = unknown> = (
	params: Params,
	context: Context,
) => Result | ResultWithContext<Result> | Promise<Result | ResultWithContext<Result>>;

export const host: Host;
export const op: Sdk['op'];
export const batch: Sdk['batch'];
export const progress: Sdk['progress'];
export const signal: AbortSignal;
export const log: Sdk['log'];

/** The ops by topic; each is checked, asked about and recorded as `op` is. */
export const http: Http;
export const secrets: Secrets;
export const sql: ByTopic<'sql'>;
export const llm: ByTopic<'llm'>;
export const shell: ByTopic<'shell'>;
export const crypto: ByTopic<'crypto'>;
export const plist: ByTopic<'plist'>;
export const fs: ByTopic<'fs'>;
export const cookie: ByTopic<'cookie'>;
export const services: ByTopic<'services'>;
