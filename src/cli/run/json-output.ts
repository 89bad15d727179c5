/** Prints one ThreadEvent per line, and nothing else; the last line is always a `turn.end`. */
import { newId } from '../../protocol/ids.ts';
import type { ThreadEvent, ThreadInfo } from '../../protocol/thread/thread.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { TurnEndEvent, TurnOutput } from './output.ts';

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
