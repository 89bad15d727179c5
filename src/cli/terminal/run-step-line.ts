/** Steps of a running capability as lines of the terminal. */
import type { ThreadEvent } from '../../protocol/thread/thread.ts';
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

/** Returns what gives each line of a thread's steps once: a step that is sent again unchanged is nothing new. */
export function followRunSteps(): (event: Extract<ThreadEvent, { type: 'item.step' }>) => string | undefined {
	const given = new Set<string>();
	return ({ itemId, step }) => {
		const key = `${itemId} ${step.id} ${step.status}`;
		const line = given.has(key) ? undefined : formatRunStepLine(step);
		if (line !== undefined) given.add(key);
		return line;
	};
}
