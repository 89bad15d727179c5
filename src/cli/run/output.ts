/** Where the events of a turn go: text for people, lines of JSON for programs. */
import type { OpError } from '../../protocol/broker.ts';
import type { ThreadEvent, ThreadInfo } from '../../protocol/thread/thread.ts';

export type TurnEndEvent = Extract<ThreadEvent, { type: 'turn.end' }>;

export interface TurnOutput {
	/** Before the first event: the thread it happens in. */
	begin(info: ThreadInfo): void;
	event(event: ThreadEvent): void;
	/** Instead of `turn.end`, when the turn could not begin or its server is gone. */
	failed(outcome: TurnEndEvent['outcome'], error: OpError | undefined): void;
}
