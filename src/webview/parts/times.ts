/** Times as people say them. */
import { useEffect, useState } from 'preact/hooks';
import type { Translate } from './translate.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export function formatAgo(at: string, t: Translate, now: number = Date.now()): string {
	const passed = Math.max(0, now - Date.parse(at));
	if (passed < MINUTE_MS) {
		return t('now');
	}
	if (passed < HOUR_MS) {
		return t('{n} min', { n: Math.floor(passed / MINUTE_MS) });
	}
	return passed < DAY_MS
		? t('{n} h', { n: Math.floor(passed / HOUR_MS) })
		: t('{n} d', { n: Math.floor(passed / DAY_MS) });
}

/** The time of day, as the reader's language writes it. */
export function clockTime(at: string, to: 'minutes' | 'seconds' = 'minutes'): string {
	const seconds = to === 'seconds' ? { second: '2-digit' as const } : {};
	return new Date(at).toLocaleTimeString(pageLanguage(), { hour: '2-digit', minute: '2-digit', ...seconds });
}

/** Day and time of day as people say them, on the clock of the reader. */
export function formatDayAndTime(at: string): string {
	const date = new Date(at);
	const year = date.getFullYear() === new Date().getFullYear() ? {} : { year: 'numeric' as const };
	const day = { weekday: 'long', day: 'numeric', month: 'long', ...year } as const;
	return date.toLocaleString(pageLanguage(), { ...day, hour: '2-digit', minute: '2-digit' });
}

/** Language of the editor's interface, for dates and numbers; that of the machine where a page has none. */
export function pageLanguage(): string | undefined {
	const { lang } = document.documentElement;
	return lang === '' ? undefined : lang;
}

export function formatDuration(ms: number, t: Translate): string {
	if (ms < 1000) {
		return t('{n} ms', { n: Math.round(ms) });
	}
	const seconds = ms / 1000;
	if (seconds < 60) {
		return t('{n} s', { n: seconds < 10 ? seconds.toFixed(1) : Math.round(seconds) });
	}
	return t('{m} min {s} s', { m: Math.floor(seconds / 60), s: Math.floor(seconds % 60) });
}

/** Milliseconds since `startedAt`, counted on while it runs. */
export function useElapsed(startedAt: string | undefined, isRunning: boolean): number | undefined {
	const [now, setNow] = useState(Date.now());
	useEffect(() => {
		if (!isRunning || startedAt === undefined) {
			return undefined;
		}
		const timer = setInterval(() => setNow(Date.now()), 1000);
		return () => clearInterval(timer);
	}, [startedAt, isRunning]);
	return startedAt === undefined || !isRunning ? undefined : Math.max(0, now - Date.parse(startedAt));
}

/** Date and time of an ISO timestamp in the language of the page, to the second. */
export function formatLocalTime(at: string): string {
	return new Date(at).toLocaleString(pageLanguage(), { dateStyle: 'short', timeStyle: 'medium' });
}
