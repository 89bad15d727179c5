/** Schedules and runs as lines. */
import type { Schedule, ScheduledRun } from '../../features/schedule/schedule.ts';

/** The clock of its own zone, which is named. */
export function formatZonedTime(at: number | null, zone: string): string {
	if (at === null) {
		return 'never';
	}
	const options = { timeZone: zone, dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' } as const;
	return `${new Intl.DateTimeFormat('en-GB', options).format(at)} (${zone})`;
}

export function runLine({ due, state, threadId }: ScheduledRun, zone: string, kind: Schedule['kind']): string {
	const thread = kind === 'reminder' || state === 'skipped' ? '' : `, thread ${threadId}`;
	return `${formatZonedTime(due, zone)}: ${state}${thread}`;
}
