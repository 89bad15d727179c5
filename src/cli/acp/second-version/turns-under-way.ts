/**
 * Prompts of a client of version 2, from their arrival to the end of their turns. Version 1 answers a prompt at the end of its
 * turn; version 2, once its words are part of the thread, and the end is a state of the session.
 */
import type { AnyMessage } from '@agentclientprotocol/sdk';
import type { SessionUpdate, StateUpdate } from '@agentclientprotocol/sdk/experimental/v2';
import type { AnswerError } from './client-frames.ts';

export type FrameId = string | number | null;

interface PromptUnderWay {
	readonly id: FrameId;
	readonly sessionId: string;
	isInserted: boolean;
}

export class TurnsUnderWay {
	readonly #prompts = new Map<string, PromptUnderWay>();
	/** Sessions of the questions that wait for the user. */
	readonly #questions = new Map<FrameId, string>();
	/** State of each session that is not idle. */
	readonly #states = new Map<string, StateUpdate['state']>();
	#count = 0;

	/** Returns the id of the prompt in version 1: its own is free again before its turn ends. */
	begin(id: FrameId, sessionId: string): string {
		const within = `prowess-prompt-${++this.#count}`;
		this.#prompts.set(within, { id, sessionId, isInserted: false });
		return within;
	}

	/** Id in version 1 of a prompt that is not part of the thread yet. */
	waitingAs(id: FrameId): string | undefined {
		return [...this.#prompts].find(([, prompt]) => prompt.id === id && !prompt.isInserted)?.[0];
	}

	/** The first prompt that waits has become `messageId`: while one is worked on, further ones are refused. */
	inserted(sessionId: string, messageId: string): AnyMessage[] {
		const prompt = [...this.#prompts.values()].find((each) => each.sessionId === sessionId && !each.isInserted);
		if (prompt === undefined) {
			return [];
		}
		prompt.isInserted = true;
		return [{ jsonrpc: '2.0', id: prompt.id, result: { messageId } }, ...this.#tell(sessionId, { state: 'running' })];
	}

	/** The end of a prompt in version 1; undefined: there is no such prompt. */
	ended(
		within: FrameId,
		end: { readonly result: unknown } | { readonly error: AnswerError },
	): AnyMessage[] | undefined {
		const prompt = typeof within === 'string' ? this.#prompts.get(within) : undefined;
		if (prompt === undefined) {
			return undefined;
		}
		this.#prompts.delete(within as string);
		const { id, sessionId, isInserted } = prompt;
		if (!isInserted) {
			const error = 'error' in end ? end.error : { code: -32_800, message: 'The prompt ended before it was taken.' };
			const idle = this.#works(sessionId) ? [] : this.#tell(sessionId, { state: 'idle' });
			return [...idle, { jsonrpc: '2.0', id, error }];
		}
		const why = 'error' in end ? { stopReason: 'error', error: end.error } : (end.result as { stopReason: string });
		return this.#tell(sessionId, { state: 'idle', ...why } as StateUpdate);
	}

	/** The user is asked; outside a turn that is no work of the session. */
	asked(id: FrameId, sessionId: string): AnyMessage[] {
		this.#questions.set(id, sessionId);
		return this.#works(sessionId) ? this.#tell(sessionId, { state: 'requires_action' }) : [];
	}

	/** The question has its answer, or is withdrawn. */
	answered(id: FrameId): AnyMessage[] {
		const sessionId = this.#questions.get(id);
		this.#questions.delete(id);
		return sessionId === undefined || !this.#works(sessionId) || [...this.#questions.values()].includes(sessionId)
			? []
			: this.#tell(sessionId, { state: 'running' });
	}

	#works(sessionId: string): boolean {
		return [...this.#prompts.values()].some((prompt) => prompt.sessionId === sessionId);
	}

	#tell(sessionId: string, update: StateUpdate): AnyMessage[] {
		if ((this.#states.get(sessionId) ?? 'idle') === update.state) {
			return [];
		}
		this.#states.set(sessionId, update.state);
		if (update.state === 'idle') this.#states.delete(sessionId);
		return [stateOfSession(sessionId, update)];
	}
}

export function stateOfSession(sessionId: string, update: StateUpdate): AnyMessage {
	return updateOfSession(sessionId, { sessionUpdate: 'state_update', ...update });
}

export function updateOfSession(sessionId: string, update: SessionUpdate): AnyMessage {
	return { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } };
}
