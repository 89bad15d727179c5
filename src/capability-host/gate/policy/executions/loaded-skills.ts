/**
 * Skills whose instructions the agent of a thread follows. What is kept of them outlives the host: where the copies of their
 * files lie, which the agent may then read. What their `allowed-tools` allow holds for the turn in which they were loaded.
 */
import type { ThreadId, TurnId } from '../../../../protocol/ids.ts';
import { ThreadId as ThreadIdSchema } from '../../../../protocol/ids.ts';
import * as z from '../../../../protocol/text/zod.ts';
import type { AllowedBeforehand, Caller } from '../../../contract/caller.ts';
import type { LogPort } from '../../../contract/ports.ts';
import { MAX_LOADED_PER_THREAD, MAX_LOADED_TURNS } from '../limits.ts';
import { KeptPerThread } from '../levels/kept-per-thread.ts';

const SkillsOfThread = z.object({ id: ThreadIdSchema, folders: z.array(z.string()) });

interface Loading {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
	/** Of the copy of its files. */
	readonly folder: string;
	/** Undefined: no person agreed to any. */
	readonly allowedTools: readonly string[] | undefined;
}

export class LoadedSkills {
	readonly #kept: KeptPerThread<z.infer<typeof SkillsOfThread>>;
	/** By turn, the latest last. */
	readonly #allowed = new Map<TurnId, readonly AllowedBeforehand[]>();

	constructor({ home, log }: { readonly home: string; readonly log: Pick<LogPort, 'warn'> }) {
		this.#kept = new KeptPerThread({
			home,
			file: 'thread-skills.json',
			entry: SkillsOfThread,
			consequence: 'agents do not read the files of skills they loaded earlier',
			misfit: 'the skills of this thread cannot be kept',
			log,
		});
	}

	/** Rejects with INVALID_STATE when the file cannot be read. */
	async add({ threadId, turnId, folder, allowedTools }: Loading, signal: AbortSignal): Promise<void> {
		const before = await this.#foldersOf(threadId, signal);
		const folders = [...before.filter((each) => each !== folder), folder].slice(-MAX_LOADED_PER_THREAD);
		await this.#kept.set({ id: threadId, folders }, signal);
		if (allowedTools !== undefined) {
			const others = this.#allowed.get(turnId) ?? [];
			this.#allowed.delete(turnId);
			this.#allowed.set(turnId, [...others, { tools: [allowedTools], folder }]);
			for (const oldest of [...this.#allowed.keys()].slice(0, -MAX_LOADED_TURNS)) this.#allowed.delete(oldest);
		}
	}

	/** What nobody is asked in this turn, because a person agreed to it with a skill. */
	allowedTo(caller: Caller): readonly AllowedBeforehand[] {
		return caller.kind === 'agent' ? (this.#allowed.get(caller.turnId) ?? []) : [];
	}

	/** Folders with files of capabilities that this caller may read. Rejects only when the signal aborts. */
	async foldersFor(caller: Caller, signal: AbortSignal): Promise<readonly string[]> {
		switch (caller.kind) {
			case 'agent':
				return await this.#foldersOf(caller.threadId, signal);
			case 'execution':
				return caller.ownFolder === undefined ? [] : [caller.ownFolder];
			case 'user':
				return [];
		}
	}

	/** For a thread that is gone. Rejects as `add` does. */
	async forget(threadId: ThreadId, signal: AbortSignal): Promise<void> {
		await this.#kept.forget(threadId, signal);
	}

	async #foldersOf(threadId: ThreadId, signal: AbortSignal): Promise<readonly string[]> {
		await this.#kept.refresh(signal);
		return this.#kept.of(threadId)?.folders ?? [];
	}
}
