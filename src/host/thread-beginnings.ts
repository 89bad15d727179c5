/** Notes of the host when the user says something in a thread: from then on the thread's agent may ask for ops. */
import type { ThreadId } from '../protocol/rpc/ids.ts';
import type { Access, ThreadBeginning } from '../trust/gate/access/access.ts';
import type { ThreadLabels } from '../trust/gate/labels/thread-labels.ts';
import type { ThreadTools } from '../trust/gate/policy/levels/thread-tools.ts';

interface BeginningParts {
	readonly begun: Set<ThreadId>;
	readonly access: Pick<Access, 'began'>;
	readonly threadTools: Pick<ThreadTools, 'said'>;
	readonly labels: Pick<ThreadLabels, 'begin'>;
	readonly agents: { wake(threadId: ThreadId): void };
	/** Notes on the words of the user, in memory. */
	readonly noted: readonly { said(threadId: ThreadId, text: string): void }[];
}

interface SaidBeginning extends ThreadBeginning {
	/** To a turn that runs. */
	readonly isSteering?: boolean;
	/** Other threads of which the model is told with the message. */
	readonly told?: readonly ThreadId[];
}

export function threadBeginnings({ begun, access, threadTools, labels, agents, noted }: BeginningParts) {
	return (
		threadId: ThreadId,
		text = '',
		{ by, device, cause, isSteering = false, told = [] }: SaidBeginning = {},
	): void => {
		begun.add(threadId);
		access.began(threadId, { by, device, cause });
		threadTools.said(threadId, text, isSteering);
		labels.begin(threadId, [...told, ...plannedIn(cause)]);
		agents.wake(threadId);
		for (const each of noted) each.said(threadId, text);
	};
}

/** Notes of the host when a schedule polls in a thread where nobody says anything. */
export function pollBeginnings({ access, labels }: Pick<BeginningParts, 'access' | 'labels'>) {
	return (threadId: ThreadId, cause: string): void => {
		access.began(threadId, { by: 'schedule', cause });
		labels.begin(threadId, plannedIn(cause));
	};
}

/** Returns the schedule or goal that a cause names: the label of what is planned goes on to its threads. */
function plannedIn(cause = ''): readonly string[] {
	return cause.match(/\b(?:sch|goal)_[\w-]+/g) ?? [];
}
