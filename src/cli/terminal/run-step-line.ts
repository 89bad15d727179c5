/** A step of a running capability as one line of the terminal. */
import type { RunStep } from '../../protocol/turn/run-steps.ts';
import { causeInEnglish } from './messages.ts';
import { visibleLine } from './visible.ts';

/** Returns a line for a step that is over, or that waits for somebody; undefined while it runs. */
export function formatRunStepLine(step: RunStep): string | undefined {
	if (step.status === 'running') {
		return undefined;
	}
	const from = step.from === undefined ? '' : `${visibleLine(step.from)}: `;
	const status = step.status === 'done' ? '' : `${step.status}: `;
	const part = step.fraction === undefined ? '' : ` (${Math.round(step.fraction * 100)} %)`;
	const why = step.error === undefined ? '' : `: ${visibleLine(causeInEnglish(step.error))}`;
	return `    ${from}${status}${visibleLine(step.title)}${part}${why}\n`;
}
