/** The ops of the host as a capability calls them: `host.fs.read({ path })`, or `op('fs.read', { path })`. */
import type { OpInput, OpName, OpResult } from '../../protocol/op-table/ops.ts';

type TopicName<N extends string> = N extends `${infer T}.${string}` ? T : never;
type VerbName<N extends string, T extends string> = N extends `${T}.${infer V}` ? V : never;
type OpOf<T extends string, V extends string> = Extract<OpName, `${T}.${V}`>;

export type Host = {
	readonly [T in TopicName<OpName>]: {
		readonly [V in VerbName<OpName, T>]: (
			params: OpInput<OpOf<T, V>>,
			more?: OpListener,
		) => Promise<OpResult<OpOf<T, V>>>;
	};
};

export interface OpListener {
	/**
	 * Receives the output of the op while it runs, in whole lines, without secrets: the words of a model, the output of a
	 * command. At most a million characters; the result stays the same. An error thrown here fails the op.
	 */
	readonly onOutput?: (text: string) => void;
}

/** Rejects with an `OpFailure`. An op that is not in the table of this version is asked for all the same. */
export type OpFunction = {
	<N extends OpName>(op: N, params: OpInput<N>, more?: OpListener): Promise<OpResult<N>>;
	(op: string, params: unknown, more?: OpListener): Promise<unknown>;
};

/** Why an op was not done; `code` says what to do about it. */
export class OpFailure extends Error {
	override readonly name = 'OpFailure';
	readonly code: string;
	readonly facts: Readonly<Record<string, unknown>>;

	constructor(code: string, message: string, facts: Readonly<Record<string, unknown>> = {}) {
		super(message);
		this.code = code;
		this.facts = facts;
	}
}

export function createHost(op: OpFunction): Host {
	return createNamedProxy((topic) =>
		createNamedProxy((verb) => (params: unknown, more?: OpListener) => op(`${topic}.${verb}`, params, more)),
	) as unknown as Host;
}

/** An object that has whatever is asked of it, except what would make it pass for a promise. */
function createNamedProxy(member: (name: string) => unknown): object {
	return new Proxy(Object.freeze({}), {
		get: (_, name) => (typeof name === 'string' && name !== 'then' ? member(name) : undefined),
	});
}
