/** Texts of sizes and durations, the same in every language. */

/** `312 B`, `4.1 kB`, `12 MB`. */
export function sizeText(bytes: number): string {
	const units = ['B', 'kB', 'MB', 'GB'];
	let value = bytes;
	let unit = 0;
	while (value >= 999.5 && unit < units.length - 1) {
		value /= 1000;
		unit += 1;
	}
	return `${unit === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** `0.4 s`, `12 s`, `3:05 min`, `1:02:07 h`. */
export function durationText(ms: number): string {
	const seconds = Math.floor(ms / 1000);
	const padTwoDigits = (value: number) => String(value).padStart(2, '0');
	if (seconds < 10) {
		return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
	}
	if (seconds < 60) {
		return `${seconds} s`;
	}
	if (seconds < 3600) {
		return `${Math.floor(seconds / 60)}:${padTwoDigits(seconds % 60)} min`;
	}
	return `${Math.floor(seconds / 3600)}:${padTwoDigits(Math.floor(seconds / 60) % 60)}:${padTwoDigits(seconds % 60)} h`;
}
