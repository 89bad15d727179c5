/** Notes of the host when the user says something in a thread: from then on the thread's agent may ask for ops. */
import type { ThreadId } from '../protocol/rpc/ids.ts';
import type { Access, ThreadBeginning } from '../trust/gate/access/access.ts';
import type { ThreadTools } from '../trust/gate/policy/levels/thread-tools.ts';

interface BeginningParts {
	readonly begun: Set<ThreadId>;
	readonly access: Pick<Access, 'began'>;
	readonly threadTools: Pick<ThreadTools, 'said'>;
	readonly agents: { wake(threadId: ThreadId): void };
	/** Notes on the words of the user, in memory. */
	readonly noted: readonly { said(threadId: ThreadId, text: string): void }[];
}

interface SaidBeginning extends ThreadBeginning {
	/** To a turn that runs. */
	readonly isSteering?: boolean;
}

export function threadBeginnings({ begun, access, threadTools, agents, noted }: BeginningParts) {
	return (threadId: ThreadId, text = '', { by, cause, isSteering = false }: SaidBeginning = {}): void => {
		begun.add(threadId);
		access.began(threadId, { by, cause });
		threadTools.said(threadId, text, isSteering);
		agents.wake(threadId);
		for (const each of noted) each.said(threadId, text);
	};
}
