/**
 * Replays a cassette with a server: what came into it comes again, in the recorded order and at the recorded time, and what
 * it asks for is answered from the cassette. No op is performed and no model is asked. The first request that was not
 * recorded so ends the replay.
 */
import { type Wire, WireError } from '../../protocol/rpc/wire.ts';
import type { Cassette, Step, StepError } from './cassette.ts';
import { type Difference, findDifference } from './difference.ts';
import { replayLimits } from './limits.ts';
import { HOST_METHODS, isComparedAnswer, isOfTurn, methods, OP_METHODS } from './methods.ts';
import { nameIds, RecordedIds } from './recorded-ids.ts';
import { readTurnEnds, toStepError } from './record-wire.ts';
import { computeReplayChain } from './replay-chain.ts';

export interface Replayed {
	/** Undefined: all was the same. */
	readonly difference: Difference | undefined;
	/** Requests to models, and ops, that were the same. */
	readonly requests: number;
	readonly ops: number;
	/** Last hash of the chain of the replay; undefined: the cassette has no end to compare it with. */
	readonly chain: string | undefined;
}

interface ReplayDeps {
	readonly wire: Wire;
	/** Home of the server, with the threads of the cassette. */
	readonly home: string;
	/** The server has answered the first request, or it never will. */
	onStarted(): void;
	/** Redacts as the recording was. */
	redact(value: unknown): unknown;
	/** Ends the replay before the answer to a recorded request of the server; absent: it goes on to its end. */
	readonly until?: {
		/** Index of its step. */
		readonly step: number;
		/** The server waits for that answer. `toReplayed`: a recorded text with the ids of the replay. */
		reached(toReplayed: (recorded: string) => string): void;
	};
}

/** Resolves when the cassette is at its end, or a difference is found. Rejects only when `signal` aborts. */
export async function replayCassette(cassette: Cassette, deps: ReplayDeps, signal: AbortSignal): Promise<Replayed> {
	const replay = new Replay(cassette, deps);
	const stopReplay = () => replay.stop(signal.reason);
	signal.addEventListener('abort', stopReplay, { once: true });
	try {
		signal.throwIfAborted();
		return await replay.run();
	} finally {
		signal.removeEventListener('abort', stopReplay);
	}
}

class Replay {
	readonly #cassette: Cassette;
	readonly #deps: ReplayDeps;
	readonly #ids = new RecordedIds();
	readonly #isDone: boolean[];
	readonly #end = Promise.withResolvers<Difference | undefined>();
	/** Requests of the host under way, by their number; `outcome` once they are answered. */
	readonly #calls = new Map<number, { readonly controller: AbortController; outcome?: CallOutcome }>();
	/** Answers that the server waits for, by the number of the recorded request. */
	readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
	/** A piece of an answer was sent, and the server has not asked for anything since: it may not have kept it yet. */
	#isReading = false;
	/** Requests of the server and what it was told, with the ids of the recording. */
	readonly #asked: Step[] = [];
	#next = 0;
	#isOver = false;
	#patience: NodeJS.Timeout | undefined;

	constructor(cassette: Cassette, deps: ReplayDeps) {
		this.#cassette = cassette;
		this.#deps = deps;
		this.#isDone = cassette.steps.map(() => false);
	}

	stop(reason: unknown): void {
		this.#over();
		this.#end.reject(reason);
	}

	async run(): Promise<Replayed> {
		for (const method of HOST_METHODS) {
			this.#deps.wire.onRequest(method, async (params, signal) => await this.#answerServer(method, params, signal));
		}
		const updates = methods.update;
		this.#deps.wire.onNotification(updates, (params) => {
			for (const ended of readTurnEnds(updates, params)) {
				const at = this.#findRecorded('told', updates, ended);
				if (at === undefined) this.#differ('told', updates, ended);
				else this.#isDone[at] = true;
				this.#pump();
			}
		});
		this.#pump();
		const found = await this.#end.promise;
		const { end } = this.#cassette;
		// A recording that stopped at its bound has not all that its rows are about.
		const chain =
			end?.end === 'whole' && this.#deps.until === undefined ? computeReplayChain(end.rows, this.#asked) : undefined;
		const isOtherChain = found === undefined && chain !== undefined && chain !== end?.chain;
		const lines = [`- ${end?.chain}`, `+ ${chain}`];
		const counted = this.#asked.filter((step) => 'method' in step);
		return {
			difference: isOtherChain ? { step: 0, what: 'the chain of the ledger', path: '', lines } : found,
			requests: counted.filter(({ method }) => method === methods.asked).length,
			ops: counted.filter(({ method }) => OP_METHODS.has(method)).length,
			chain,
		};
	}

	/** Goes on with the recorded steps until the server has to do something. */
	#pump(): void {
		const { steps } = this.#cassette;
		while (!this.#isOver && this.#next < steps.length) {
			const step = steps[this.#next];
			if (step === undefined || (!this.#isDone[this.#next] && !this.#follow(step))) break;
			this.#isDone[this.#next] = true;
			this.#next += 1;
		}
		clearTimeout(this.#patience);
		if (this.#isOver) return;
		if (this.#next >= steps.length) {
			this.#over();
			this.#end.resolve(undefined);
			return;
		}
		const gapMs = Math.max(0, (steps[this.#next]?.at ?? 0) - (steps[this.#next - 1]?.at ?? 0));
		this.#patience = setTimeout(() => this.#giveUp(), gapMs + replayLimits.stuckMs);
	}

	/** False: the server has to come to this step first. */
	#follow(step: Step): boolean {
		switch (step.k) {
			case 'call':
				if (this.#isReading && step.method === methods.stop) return false;
				this.#call(step.n, step.method, step.params, step.at);
				return true;
			case 'tell':
				this.#tellTime(step.at);
				this.#deps.wire.sendNotification(step.method, this.#toReplayed(step.params));
				return true;
			case 'cancel':
				if (this.#isReading) return false;
				this.#tellTime(step.at);
				this.#calls.get(step.n)?.controller.abort(new WireError(-32800, 'cancelled, as it was recorded'));
				return true;
			case 'answered': {
				this.#asked.push(step);
				this.#tellTime(step.at);
				const waiting = this.#waiting.get(step.n);
				this.#isReading = 'result' in step && isPiece(step.result);
				if ('result' in step) waiting?.resolve(this.#toReplayed(step.result));
				else waiting?.reject(new WireError(step.error.code, step.error.message, this.#toReplayed(step.error.data)));
				return true;
			}
			case 'withdrawn':
				return true;
			case 'asked':
			case 'told':
				return false;
			case 'answer': {
				const call = this.#calls.get(step.n);
				if (call === undefined) return true;
				if (call.outcome === undefined) return false;
				this.#deps.onStarted();
				this.#compareAnswer(step, call.outcome);
				return true;
			}
		}
	}

	#call(n: number, method: string, params: unknown, at: number): void {
		if (!isOfTurn(method)) return;
		const call: { readonly controller: AbortController; outcome?: CallOutcome } = { controller: new AbortController() };
		this.#calls.set(n, call);
		this.#tellTime(at);
		const own = method === methods.start ? { home: this.#deps.home, tape: 'replay' } : {};
		this.#deps.wire
			.sendRequest(method, { ...(this.#toReplayed(params) as object), ...own }, call.controller.signal)
			.then(
				(result) => (call.outcome = { result }),
				(error: unknown) => (call.outcome = { error: toStepError(error) }),
			)
			.then(() => this.#pump())
			.catch((error: unknown) => this.stop(error));
	}

	#tellTime(at: number): void {
		this.#deps.wire.sendNotification(methods.clock, { at });
	}

	/** Answers when the recording does, or never where it did not. */
	async #answerServer(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
		this.#isReading = false;
		const redacted = this.#deps.redact(JSON.parse(JSON.stringify(params)));
		const at = this.#findRecorded('asked', method, redacted);
		const step = at === undefined ? undefined : this.#cassette.steps[at];
		const waiting = Promise.withResolvers<unknown>();
		if (at !== undefined && step?.k === 'asked') {
			this.#isDone[at] = true;
			this.#asked.push({ ...step, params: JSON.parse(this.#ids.toRecorded(JSON.stringify(redacted))) as unknown });
			this.#waiting.set(step.n, waiting);
			if (at === this.#deps.until?.step) this.#reach(this.#deps.until);
			else this.#pump();
		} else if (method === methods.heard) {
			// The server was waiting for more when the turn was stopped.
			this.#pump();
		} else {
			this.#differ('asked', method, redacted);
		}
		const forgetAnswer = () => waiting.reject(signal.reason);
		signal.addEventListener('abort', forgetAnswer, { once: true });
		try {
			return await waiting.promise;
		} finally {
			signal.removeEventListener('abort', forgetAnswer);
		}
	}

	#reach({ reached }: NonNullable<ReplayDeps['until']>): void {
		if (this.#isOver) return;
		reached((recorded) => this.#ids.toReplayed(recorded));
		this.#over();
		this.#end.resolve(undefined);
	}

	#findRecorded(k: 'asked' | 'told', method: string, params: unknown): number | undefined {
		const wanted = toCompared(method, params);
		const { steps } = this.#cassette;
		for (let at = this.#next; at < steps.length; at += 1) {
			const step = steps[at];
			if (this.#isDone[at] || step?.k !== k || step.method !== method) continue;
			if (this.#ids.match(toCompared(method, step.params), wanted)) return at;
		}
		return undefined;
	}

	#differ(k: 'asked' | 'told', method: string, params: unknown): void {
		const { steps, end } = this.#cassette;
		const open = steps.flatMap((step, at) =>
			at >= this.#next && !this.#isDone[at] && step.k === k ? [{ step, at }] : [],
		);
		// A process that was killed had recorded no more.
		if (open.length === 0 && end?.end !== 'whole') {
			this.#over();
			this.#end.resolve(undefined);
			return;
		}
		const same = open.filter(({ step }) => step.method === method);
		const near = same.find(({ step }) => isAlike(step.params, params)) ?? same[0];
		const what = describeRequest(method, params);
		if (near === undefined) {
			const lines = [`+ ${JSON.stringify(params).slice(0, replayLimits.shownChars)}`];
			this.#found({ step: this.#next + 1, what: `${what}, which was not recorded`, path: '', lines });
			return;
		}
		const found = this.#compare(toCompared(method, near.step.params), toCompared(method, params));
		this.#found({ step: near.at + 1, what, ...found });
	}

	#compareAnswer(step: Extract<Step, CallOutcome>, outcome: CallOutcome): void {
		const call = this.#cassette.steps.find((each) => each.k === 'call' && each.n === step.n);
		const method = call?.k === 'call' ? call.method : '';
		const recorded: CallOutcome = 'result' in step ? { result: step.result } : { error: step.error };
		const redacted = this.#deps.redact(outcome) as CallOutcome;
		const [mine, other] = [toCompared(method, recorded), toCompared(method, redacted)];
		const isSame = this.#ids.match(mine, other);
		const isFailure = (each: CallOutcome) => 'error' in each;
		if (isSame || (!isComparedAnswer(method) && isFailure(recorded) === isFailure(redacted))) return;
		this.#found({ step: this.#next + 1, what: `the answer to ${method}`, ...this.#compare(mine, other) });
	}

	/** Compares two texts that are not the same; ids count only where nothing else differs. */
	#compare(recorded: string, replayed: string): Pick<Difference, 'path' | 'lines'> {
		const other = this.#ids.toRecorded(replayed);
		const named = [recorded, other].map((each) => JSON.parse(nameIds(each)(each)) as unknown);
		return (
			findDifference(named[0], named[1]) ??
			findDifference(JSON.parse(recorded), JSON.parse(other)) ?? { path: '', lines: [] }
		);
	}

	#giveUp(): void {
		const step = this.#cassette.steps[this.#next];
		const what =
			step?.k === 'asked' || step?.k === 'told'
				? describeRequest(step.method, step.params)
				: `the answer to ${step?.k === 'answer' ? this.#methodOf(step.n) : 'a request'}`;
		this.#found({ step: this.#next + 1, what: `${what}, which does not come again`, path: '', lines: [] });
	}

	#methodOf(n: number): string {
		const call = this.#cassette.steps.find((each) => each.k === 'call' && each.n === n);
		return call?.k === 'call' ? call.method : '';
	}

	#found(difference: Difference): void {
		this.#over();
		this.#end.resolve(difference);
	}

	#over(): void {
		this.#isOver = true;
		clearTimeout(this.#patience);
	}

	#toReplayed(value: unknown): unknown {
		return value === undefined ? undefined : (JSON.parse(this.#ids.toReplayed(JSON.stringify(value))) as unknown);
	}
}

type CallOutcome = { readonly result: unknown } | { readonly error: StepError };

/** Fields that say when, how long, or how many updates it took. */
const TIME_FIELDS = /^(?:at|seq|until|running|[a-z]+At|[a-z]+Ms)$/;

/** A request to a model counts to the byte; elsewhere times are not compared. */
function toCompared(method: string, value: unknown): string {
	return method === methods.asked
		? JSON.stringify(value)
		: JSON.stringify(value, (key, member: unknown) => (TIME_FIELDS.test(key) ? undefined : member));
}

/** A part after which a model's answer always goes on. */
function isPiece(heard: unknown): boolean {
	const { part } = heard as { readonly part?: { readonly kind?: unknown } };
	return part?.kind === 'textDelta' || part?.kind === 'thinkingDelta';
}

function isAlike(a: unknown, b: unknown): boolean {
	const [mine, other] = [a, b] as readonly Readonly<Record<string, unknown>>[];
	return ['threadId', 'op', 'model'].every((key) => mine?.[key] === other?.[key]);
}

/** `method` with what it is about, in words. */
export function describeRequest(method: string, params: unknown): string {
	const { op, model } = params as { readonly op?: unknown; readonly model?: unknown };
	if (method === methods.asked) return `the request to ${String(model)}`;
	if (OP_METHODS.has(method)) return `the op ${String(op)}`;
	if (method === methods.update) return 'the end of a turn';
	if (method === methods.redact) return 'the calls of an answer';
	if (method === methods.line) return 'the choice of a model';
	if (method === methods.heard) return 'the wait for more of an answer';
	return `the question ${method}`;
}
