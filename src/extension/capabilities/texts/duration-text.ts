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
