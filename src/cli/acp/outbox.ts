/**
 * Updates on their way to an editor. While one is written, text that follows text becomes one update, and
 * later states of a call, a plan or figures take the place of earlier ones. A slow editor thus makes them fewer, not more.
 */
import type { SessionUpdate } from '@agentclientprotocol/sdk';

/** State that only counts as it is last. */
const REPLACED_UPDATES: ReadonlySet<string> = new Set([
	'plan',
	'usage_update',
	'current_mode_update',
	'config_option_update',
	'available_commands_update',
	'session_info_update',
]);

const CHUNKS: ReadonlySet<string> = new Set(['agent_message_chunk', 'agent_thought_chunk']);

export class Outbox {
	readonly #send: (update: SessionUpdate) => Promise<void>;
	#waiting: SessionUpdate[] = [];
	#writing: Promise<void> | undefined;

	constructor(send: (update: SessionUpdate) => Promise<void>) {
		this.#send = send;
	}

	/** Number of updates that wait. */
	get size(): number {
		return this.#waiting.length;
	}

	put(update: SessionUpdate): void {
		if (!this.#merge(update)) {
			this.#waiting.push(update);
		}
		this.#writing ??= this.#write();
	}

	/** Resolves when all that was put has been written, or nobody takes it. */
	async drained(): Promise<void> {
		while (this.#writing !== undefined) {
			await this.#writing;
		}
	}

	#merge(update: SessionUpdate): boolean {
		const kind = update.sessionUpdate;
		if (REPLACED_UPDATES.has(kind)) {
			const at = this.#waiting.findIndex((each) => each.sessionUpdate === kind);
			if (at !== -1) {
				this.#waiting[at] = { ...this.#waiting[at], ...update } as SessionUpdate;
			}
			return at !== -1;
		}
		if (kind === 'tool_call_update') {
			const at = this.#waiting.findLastIndex((each) => isOfCall(each, update.toolCallId));
			const earlier = this.#waiting[at];
			if (earlier !== undefined) {
				this.#waiting[at] = { ...earlier, ...update, sessionUpdate: earlier.sessionUpdate } as SessionUpdate;
			}
			return earlier !== undefined;
		}
		const last = this.#waiting.at(-1);
		if (last === undefined || !isTextChunk(update) || !isTextChunk(last) || last.sessionUpdate !== kind) {
			return false;
		}
		if (last.messageId !== update.messageId) {
			return false;
		}
		const content = { ...last.content, text: last.content.text + update.content.text };
		this.#waiting[this.#waiting.length - 1] = { ...last, content };
		return true;
	}

	async #write(): Promise<void> {
		try {
			for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
				await this.#send(next);
			}
		} catch {
			// The editor has gone; its connection says so to whoever waits.
			this.#waiting = [];
		} finally {
			this.#writing = undefined;
		}
	}
}

function isOfCall(update: SessionUpdate, toolCallId: string): boolean {
	return (
		(update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update') &&
		update.toolCallId === toolCallId
	);
}

type Chunk = Extract<SessionUpdate, { sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk' }>;
type TextChunk = Chunk & { readonly content: { readonly type: 'text'; readonly text: string } };

function isTextChunk(update: SessionUpdate): update is TextChunk {
	return CHUNKS.has(update.sessionUpdate) && (update as Chunk).content.type === 'text';
}
