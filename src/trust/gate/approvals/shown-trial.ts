/**
 * Prepares the outcome of a trial for display: the end of its output, with invisible characters visible and secrets
 * struck out.
 */
import type { EndedTrial } from '../../../protocol/approvals/approvals.ts';
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import { SHOWN_TRIAL_CHARS } from './limits.ts';

export function shownTrial(trial: EndedTrial, redact: (text: string) => string): EndedTrial {
	const whole = redact(trial.output);
	return {
		...trial,
		output: escapeInvisible(whole.slice(-SHOWN_TRIAL_CHARS), 'lines'),
		changed: trial.changed.map(({ path, kind }) => ({ path: escapeInvisible(redact(path), 'line'), kind })),
	};
}
