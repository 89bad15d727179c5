/** Reports of progress as they can be shown, whatever a capability gives: a report never fails a run. */
import { cutText, isBlank } from '../../base/text/one-line.ts';

/** Characters of one report. */
export const MAX_REPORT_CHARS = 1_000;

/** Report that can be shown; without a message, nothing is left to show. `odd`: what was changed or left out. */
interface CleanedReport {
	readonly report: { readonly message: string; readonly fraction?: number } | undefined;
	readonly odd: string | undefined;
}

/** Message of a report that has only its fraction. */
const BLANK_REPORT = '…';

export function cleanReport(message: unknown, fraction: unknown): CleanedReport {
	const words = cutText(toWords(message), MAX_REPORT_CHARS);
	const isGiven = fraction !== undefined && fraction !== null;
	const part = typeof fraction === 'number' && !Number.isNaN(fraction) ? Math.min(1, Math.max(0, fraction)) : undefined;
	const odd = [
		...(isBlank(words) ? ['it has no message'] : []),
		...(isGiven && part === undefined ? ['its fraction is no number and is left out'] : []),
		...(part !== undefined && part !== fraction ? [`its fraction is not between 0 and 1; ${part} is taken`] : []),
	];
	const report =
		part === undefined
			? isBlank(words)
				? undefined
				: { message: words }
			: { message: isBlank(words) ? BLANK_REPORT : words, fraction: part };
	return { report, odd: odd.length === 0 ? undefined : odd.join(', ') };
}

function toWords(message: unknown): string {
	if (typeof message === 'string') return message;
	// An object says nothing to a person.
	return typeof message === 'number' || typeof message === 'boolean' || typeof message === 'bigint'
		? String(message)
		: '';
}
