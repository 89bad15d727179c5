/** Where the events of a turn go: text for people, lines of JSON for programs. */
import type { OpError } from '../../protocol/turn/broker.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import type { ThreadEvent, ThreadInfo } from '../../protocol/thread/thread.ts';
import type { Terminal } from '../terminal/terminal.ts';

export type TurnEndEvent = Extract<ThreadEvent, { type: 'turn.end' }>;

export interface TurnOutput {
	/** Before the first event: the thread it happens in. */
	begin(info: ThreadInfo): void;
	event(event: ThreadEvent): void;
	/** Instead of `turn.end`, when the turn could not begin or its server is gone. */
	failed(outcome: TurnEndEvent['outcome'], error: OpError | undefined): void;
}

/** Prints one ThreadEvent per line, and nothing else; the last line is always a `turn.end`. */
export function jsonOutput(terminal: Terminal): TurnOutput {
	const started = performance.now();
	let turnId: TurnEndEvent['turnId'] | undefined;
	const printEvent = (event: ThreadEvent) => terminal.out(`${JSON.stringify(event)}\n`);
	return {
		begin: (info: ThreadInfo) => printEvent({ type: 'thread.changed', info }),
		event(event) {
			if (event.type === 'turn.start') {
				turnId = event.turnId;
			}
			printEvent(event);
		},
		failed(outcome, error) {
			printEvent({
				type: 'turn.end',
				turnId: turnId ?? newId('trn'),
				outcome,
				...(error === undefined ? {} : { error }),
				durationMs: Math.round(performance.now() - started),
			});
		},
	};
}
