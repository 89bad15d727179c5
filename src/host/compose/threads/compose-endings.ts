/** Composition of what lets go of a deleted thread: what it has under way is ended before what is kept of it. */
import type { ThreadId } from '../../../protocol/ids.ts';
import { ThreadEndings } from './thread-endings.ts';

interface EndingParts {
	readonly agents: { endThread(threadId: ThreadId): Promise<void> };
	readonly begun: Set<ThreadId>;
	/** Notes on threads in memory. */
	readonly noted: readonly { forget(threadId: ThreadId): void }[];
	readonly capabilities: { stopAllOfThread(threadId: ThreadId): Promise<unknown> };
	readonly broker: { endThread(threadId: ThreadId): Promise<void> };
	readonly commands: { stopAllOf(threadId: ThreadId): Promise<unknown> };
	readonly sweeps: { settled(): Promise<unknown> };
	readonly checkpoints: { forget(threadId: ThreadId): Promise<unknown> };
	/** Notes on threads in files. */
	readonly kept: readonly { forget(threadId: ThreadId, signal: AbortSignal): Promise<void> }[];
	onFailure(threadId: ThreadId, error: unknown): void;
}

export function threadEndings(parts: EndingParts): ThreadEndings {
	return new ThreadEndings(
		async (threadId) => {
			await parts.agents.endThread(threadId);
			parts.begun.delete(threadId);
			for (const noted of parts.noted) noted.forget(threadId);
			await parts.capabilities.stopAllOfThread(threadId);
			await parts.broker.endThread(threadId);
			await parts.commands.stopAllOf(threadId);
			await parts.sweeps.settled();
			await parts.checkpoints.forget(threadId);
			for (const kept of parts.kept) await kept.forget(threadId, new AbortController().signal);
		},
		(threadId, error) => parts.onFailure(threadId, error),
	);
}
