/** Modes that the user gave to threads: what the agent may do there at all. A thread of which nothing is kept is at Agent; a sub-agent may no more than those that it works for. */
import { ThreadId } from '../../../../protocol/rpc/ids.ts';
import { text } from '../../../../protocol/text/text.ts';
import { Mode } from '../../../../protocol/thread/thread.ts';
import * as z from '../../../../protocol/text/zod.ts';
import type { LogPort } from '../../../../contract/ports/ports.ts';
import { type AgentRecords, narrowerMode } from '../../access/agent-records.ts';
import { KeptPerThread } from './kept-per-thread.ts';

const ModeOfThread = z.object({ id: ThreadId, mode: Mode });

interface ThreadModesDeps {
	readonly home: string;
	readonly log: Pick<LogPort, 'warn'>;
	/** Absent: there are no sub-agents. */
	readonly agents?: Pick<AgentRecords, 'of' | 'problem' | 'refresh' | 'ancestorsOf'>;
}

export class ThreadModes {
	readonly #agents: ThreadModesDeps['agents'];
	readonly #kept: KeptPerThread<z.infer<typeof ModeOfThread>>;

	constructor({ home, log, agents }: ThreadModesDeps) {
		this.#agents = agents;
		this.#kept = new KeptPerThread({
			home,
			file: 'thread-modes.json',
			entry: ModeOfThread,
			consequence: text('agents only read'),
			misfit: 'the mode of this thread cannot be kept',
			log,
		});
	}

	/** A thread of this host has another mode. */
	get onDidChange() {
		return this.#kept.onDidChange;
	}

	/**
	 * Returns the mode that the last `refresh` found. While the file cannot be read, every thread is at Ask: any of
	 * them may have been.
	 */
	of(threadId: ThreadId | null): Mode {
		if (threadId === null) {
			return 'agent';
		}
		if (this.problem !== undefined) {
			return 'ask';
		}
		const modes = [threadId, ...(this.#agents?.ancestorsOf(threadId) ?? [])].map(
			(id) => this.#kept.of(id)?.mode ?? this.#agents?.of(id)?.mode ?? 'agent',
		);
		return modes.reduce(narrowerMode);
	}

	/** Why no mode is known; undefined: the files can be read, or there are none. */
	get problem(): string | undefined {
		return this.#kept.problem ?? this.#agents?.problem;
	}

	/** Brings the modes up to date: they are at least as new as this call. Rejects only when the signal aborts. */
	async refresh(signal: AbortSignal): Promise<void> {
		await Promise.all([this.#kept.refresh(signal), this.#agents?.refresh(signal)]);
	}

	/** Rejects with INVALID_STATE when the file cannot be read. */
	async set(threadId: ThreadId, mode: Mode, signal: AbortSignal): Promise<void> {
		await this.#kept.set({ id: threadId, mode }, signal);
	}

	/** For a thread that is gone. Rejects as `set` does. */
	async forget(threadId: ThreadId, signal: AbortSignal): Promise<void> {
		await this.#kept.forget(threadId, signal);
	}
}
