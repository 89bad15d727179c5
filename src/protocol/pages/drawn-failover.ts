/** The way of one request through the machine of failover, drawn for a person: a line for each step. */
import * as z from '../text/zod.ts';

const FailoverStep = z.object({
	from: z.string(),
	event: z.string(),
	to: z.string(),
	/** Model that was picked, code of the fault, or how long the wait was. */
	about: z.string().optional(),
});
export type FailoverStep = z.infer<typeof FailoverStep>;

/** Requests of a turn that took more than one attempt. */
export const TracedFailovers = z.array(z.array(FailoverStep));

/** Meaning of a step from one state to another, which the name of its event alone does not say. */
const MEANINGS: Readonly<Record<string, string>> = {
	'Selecting Attempting': 'picked',
	'Selecting Exhausted': 'nobody is left',
	'Attempting Succeeded': 'answered',
	'Retrying Attempting': 'asked again',
	'Retrying Selecting': 'the next one',
};

export function drawnFailover(steps: readonly FailoverStep[]): string[] {
	const arrows = steps.map(({ from, event, to }) => `${from} ─${event}→ ${to}`);
	const width = Math.max(...arrows.map((arrow) => arrow.length));
	return steps.map(({ from, to, about }, at) => {
		const meaning = [MEANINGS[`${from} ${to}`], about].filter((part) => part !== undefined).join(' ');
		return `${(arrows[at] ?? '').padEnd(width)}  ${meaning}`.trimEnd();
	});
}
