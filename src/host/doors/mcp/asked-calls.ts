/**
 * Calls of an MCP client that are under way. A call that needs an answer ends its request with a form; the client comes back
 * with what was filled in, and the call goes on where it was. The gate holds the op meanwhile, so nothing runs twice.
 */
import { randomUUID } from 'node:crypto';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { raceTimeout } from '../../../base/time/bounded-wait.ts';
import type { PersonPort } from '../../../contract/ports/ports.ts';
import type { OpId } from '../../../protocol/rpc/ids.ts';
import type { OpOutcome, OpProgress } from '../../../protocol/turn/broker.ts';
import { approvalForm, createQuestionForm, readApproval, readWords } from './asked-by-form.ts';
import { mcpDoorLimits } from '../limits.ts';

type Responses = Record<string, unknown> | undefined;

interface OpenForm {
	readonly form: ElicitRequestFormParams;
	/** Names the call and this form of it: an answer to another one, sent twice or too late, is none to this one. */
	readonly state: string;
	/** Aborts when it needs no answer any more, or has one. */
	readonly over: AbortSignal;
	settle(responses: Responses): void;
}

export interface FormCall {
	/** Nobody can guess it: whoever names it was given it. */
	readonly id: string;
	readonly opId: OpId;
	readonly op: string;
	readonly outcome: Promise<OpOutcome>;
	/** The client can fill in a form. */
	readonly isAskable: boolean;
	stop(reason: unknown): void;
}

/** Form to fill in, or the end of the call. */
type CallStep = Pick<OpenForm, 'form' | 'state' | 'over'> | { readonly outcome: OpOutcome };

export class AskedCalls {
	readonly #calls = new Map<string, FormCall>();
	readonly #forms = new Map<string, OpenForm>();
	readonly #wakes = new Map<string, () => void>();
	/** Ops of which the gate has said that they wait for somebody. */
	readonly #waiting = new Set<OpId>();

	/** Returns the person at the client. `words` says the whole of what an approval is about. */
	person(words: (approval: Parameters<PersonPort['approve']>[0]) => string): PersonPort {
		return {
			approve: async (approval, signal) =>
				readApproval(await this.#asked(approval.opId, approvalForm(approval, words(approval)), signal)),
			answer: async (question, signal) =>
				readWords(await this.#asked(question.opId, createQuestionForm(question), signal)),
		};
	}

	get size(): number {
		return this.#calls.size;
	}

	begin(call: Omit<FormCall, 'id'>): FormCall {
		const asked = { ...call, id: randomUUID() };
		this.#calls.set(asked.id, asked);
		return asked;
	}

	/** The call of which that is the state of a form, whether or not it is still open. */
	find(state: string): FormCall | undefined {
		return this.#calls.get(toCallId(state));
	}

	noteProgress({ opId, kind }: OpProgress): void {
		if (kind === 'waiting') this.#waiting.add(opId);
		else this.#waiting.delete(opId);
	}

	/** Gives the form of that state what the client has filled in; without effect where another one is open by now. */
	fillIn(state: string, responses: Responses): void {
		const id = toCallId(state);
		if (this.#forms.get(id)?.state === state) this.#settle(id, responses);
	}

	/** Ends the form of a call that is open without an answer. */
	endForm(id: string): void {
		this.#settle(id, undefined);
	}

	#settle(id: string, responses: Responses): void {
		const open = this.#forms.get(id);
		this.#forms.delete(id);
		open?.settle(responses);
	}

	/** Resolves with the next form, or with the end of the call, which is then forgotten. */
	async next(call: FormCall): Promise<CallStep> {
		const woken = new Promise<void>((resolve) => this.#wakes.set(call.id, resolve));
		const open = this.#forms.get(call.id);
		const outcome = open === undefined ? await this.#outcomeOr(woken, call) : undefined;
		this.#wakes.delete(call.id);
		if (outcome === undefined) {
			const asked = this.#forms.get(call.id);
			return asked === undefined ? await this.next(call) : asked;
		}
		this.#forget(call);
		return { outcome };
	}

	async #outcomeOr(woken: Promise<void>, call: FormCall): Promise<OpOutcome | void> {
		try {
			return await Promise.race([call.outcome, woken]);
		} catch (error) {
			this.#forget(call);
			throw error;
		}
	}

	/** Ends all of them, as when the client has gone. */
	stop(reason: unknown): void {
		for (const call of this.#calls.values()) {
			this.#settle(call.id, undefined);
			call.stop(reason);
		}
	}

	#forget(call: FormCall): void {
		this.#calls.delete(call.id);
		this.#wakes.delete(call.id);
		this.#waiting.delete(call.opId);
	}

	/** The filled form; undefined where the client cannot be asked, does not come back, or the question is void. */
	async #asked(opId: OpId, form: ElicitRequestFormParams, signal: AbortSignal): Promise<Responses> {
		const call = this.#callOf(opId);
		if (call === undefined || !call.isAskable || this.#forms.has(call.id)) return undefined;
		const state = `${call.id} ${randomUUID()}`;
		const over = new AbortController();
		const filled = new Promise<Responses>((resolve) => {
			const settle = (responses: Responses) => {
				resolve(responses);
				over.abort();
			};
			this.#forms.set(call.id, { form, state, over: over.signal, settle });
			signal.addEventListener('abort', () => this.fillIn(state, undefined), { once: true });
			this.#wakes.get(call.id)?.();
		});
		const responses = await raceTimeout(filled, mcpDoorLimits.answerMs);
		this.fillIn(state, undefined);
		// Clients that never come back for the end of a call do not keep it.
		const forgetLater = () => setTimeout(() => this.#forget(call), mcpDoorLimits.answerMs).unref();
		void call.outcome.then(forgetLater, forgetLater);
		return responses;
	}

	/** The call that a question is about; a consent has an op of its own, and is about the call that waits. */
	#callOf(opId: OpId): FormCall | undefined {
		const calls = [...this.#calls.values()];
		return calls.find((each) => each.opId === opId) ?? calls.find((each) => this.#waiting.has(each.opId));
	}
}

function toCallId(state: string): string {
	return state.split(' ')[0] ?? '';
}
