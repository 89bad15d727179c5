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

/** Meaning of an event where it came, which its name alone does not say. */
const MEANINGS: Readonly<Record<string, string>> = {
	'Selecting ProviderSuccess': 'picked',
	'Selecting FatalError': 'nobody is left',
	'Attempting ProviderSuccess': 'answered',
	'Retrying RetryableError': 'asked again',
	'Retrying Timeout': 'the next one',
};

export function drawnFailover(steps: readonly FailoverStep[]): string[] {
	const arrows = steps.map(({ from, event, to }) => `${from} ─${event}→ ${to}`);
	const width = Math.max(...arrows.map((arrow) => arrow.length));
	return steps.map(({ from, event, about }, at) => {
		const meaning = [MEANINGS[`${from} ${event}`], about].filter((part) => part !== undefined).join(' ');
		return `${(arrows[at] ?? '').padEnd(width)}  ${meaning}`.trimEnd();
	});
}
