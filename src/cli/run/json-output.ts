/** Prints one ThreadEvent per line, and nothing else; the last line is always a `turn.end`. */
import { newId } from '../../protocol/ids.ts';
import type { ThreadEvent, ThreadInfo } from '../../protocol/thread/thread.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { TurnEnd, TurnOutput } from './output.ts';

export function jsonOutput(terminal: Terminal): TurnOutput {
	const started = performance.now();
	let turnId: TurnEnd['turnId'] | undefined;
	const line = (event: ThreadEvent) => terminal.out(`${JSON.stringify(event)}\n`);
	return {
		begin: (info: ThreadInfo) => line({ type: 'thread.changed', info }),
		event(event) {
			if (event.type === 'turn.start') {
				turnId = event.turnId;
			}
			line(event);
		},
		failed(outcome, error) {
			line({
				type: 'turn.end',
				turnId: turnId ?? newId('trn'),
				outcome,
				...(error === undefined ? {} : { error }),
				durationMs: Math.round(performance.now() - started),
			});
		},
	};
}
