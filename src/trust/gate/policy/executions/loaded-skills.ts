/**
 * Skills whose instructions the agent of a thread follows. The folders with the copies of their files outlive the host;
 * the agent may read them. The rights from their `allowed-tools` hold for the turn in which the skill was loaded.
 */
import type { ThreadId, TurnId } from '../../../../protocol/rpc/ids.ts';
import { ThreadId as ThreadIdSchema } from '../../../../protocol/rpc/ids.ts';
import { text } from '../../../../protocol/text/text.ts';
import * as z from '../../../../protocol/text/zod.ts';
import type { AllowedBeforehand, Caller, OwnFolders } from '../../../../contract/ops/caller.ts';
import type { LogPort } from '../../../../contract/ports/ports.ts';
import { MAX_LOADED_PER_THREAD, MAX_LOADED_TURNS } from '../limits.ts';
import { KeptPerThread } from '../levels/kept-per-thread.ts';

const SkillsOfThread = z.object({
	id: ThreadIdSchema,
	folders: z.array(z.string()),
	data: z.array(z.string()).default([]),
});

interface Loading {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
	/** Folder with the copy of the skill's files. */
	readonly folder: string;
	/** Folder of its plugin's data, where it names that; its commands may change it. */
	readonly data: string | undefined;
	/** Undefined: no person agreed to any. */
	readonly allowedTools: readonly string[] | undefined;
}

export class LoadedSkills {
	readonly #kept: KeptPerThread<z.infer<typeof SkillsOfThread>>;
	/** Rights by turn, the latest turn last. */
	readonly #allowed = new Map<TurnId, readonly AllowedBeforehand[]>();

	constructor({ home, log }: { readonly home: string; readonly log: Pick<LogPort, 'warn'> }) {
		this.#kept = new KeptPerThread({
			home,
			file: 'thread-skills.json',
			entry: SkillsOfThread,
			consequence: text('agents do not read the files of skills they loaded earlier'),
			misfit: 'the skills of this thread cannot be kept',
			log,
		});
	}

	/** Rejects with INVALID_STATE when the file cannot be read. */
	async add({ threadId, turnId, folder, data, allowedTools }: Loading, signal: AbortSignal): Promise<void> {
		const before = await this.#of(threadId, signal);
		const folders = appendFolder(before.folders, folder);
		const kept = data === undefined ? [...before.data] : appendFolder(before.data, data);
		await this.#kept.set({ id: threadId, folders, data: kept }, signal);
		if (allowedTools !== undefined) {
			const others = this.#allowed.get(turnId) ?? [];
			this.#allowed.delete(turnId);
			this.#allowed.set(turnId, [...others, { tools: [allowedTools], folder }]);
			for (const oldest of [...this.#allowed.keys()].slice(0, -MAX_LOADED_TURNS)) this.#allowed.delete(oldest);
		}
	}

	/** Returns the ops that need no question in this turn, because a person agreed to them with a skill. */
	allowedTo(caller: Caller): readonly AllowedBeforehand[] {
		return caller.kind === 'agent' ? (this.#allowed.get(caller.turnId) ?? []) : [];
	}

	/** Returns the folders of capabilities' files that this caller may reach. Rejects only when the signal aborts. */
	async foldersFor(caller: Caller, signal: AbortSignal): Promise<OwnFolders> {
		switch (caller.kind) {
			case 'agent':
				return await this.#of(caller.threadId, signal);
			case 'execution':
				return {
					folders: caller.ownFolder === undefined ? [] : [caller.ownFolder],
					data: caller.ownData === undefined ? [] : [caller.ownData],
				};
			case 'user':
				return { folders: [], data: [] };
		}
	}

	/** For a thread that is gone. Rejects as `add` does. */
	async forget(threadId: ThreadId, signal: AbortSignal): Promise<void> {
		await this.#kept.forget(threadId, signal);
	}

	async #of(threadId: ThreadId, signal: AbortSignal): Promise<OwnFolders> {
		await this.#kept.refresh(signal);
		const { folders = [], data = [] } = this.#kept.of(threadId) ?? {};
		return { folders, data };
	}
}

function appendFolder(before: readonly string[], folder: string): string[] {
	return [...before.filter((each) => each !== folder), folder].slice(-MAX_LOADED_PER_THREAD);
}
