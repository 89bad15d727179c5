/** Times in the terminal. */

/** The clock of its own zone, which is named. */
export function formatZonedTime(at: number | null, zone: string): string {
	if (at === null) {
		return 'never';
	}
	const options = { timeZone: zone, dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' } as const;
	return `${new Intl.DateTimeFormat('en-GB', options).format(at)} (${zone})`;
}
