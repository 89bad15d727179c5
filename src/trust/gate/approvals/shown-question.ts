/** The warning of an approval and the outcome of its trial, as they are shown. */
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import type { EndedTrial, RiskWarning } from '../../../protocol/approvals/approvals.ts';
import { withArgs } from '../../../protocol/text/text.ts';
import type { OpTarget } from '../../../contract/ops/target.ts';
import { type Assessment, assessTargets } from '../policy/commands/risk-assessor.ts';

/** Characters of the end of a trial's output that are shown with its question. */
const SHOWN_TRIAL_CHARS = 4_000;

/** Marks are places in the shown words, which are other ones where something is escaped. `words`: as those of the command are shown. */
export function shownWarning(
	{ level, reasons, contained }: Assessment,
	targets: readonly OpTarget[],
	clean: (text: string) => string,
	words: (text: string) => string,
): RiskWarning | null {
	if (level === 'low' && contained.length === 0) {
		return null;
	}
	const shown = targets.map((target) => (target.kind === 'command' ? escapeCommandTarget(target, words) : target));
	return {
		isDangerous: level === 'high',
		reasons: reasons.map((reason) => withArgs(reason, clean)),
		...(contained.length === 0 ? {} : { contained: contained.map((risk) => withArgs(risk, clean)) }),
		marks: assessTargets(shown).marks.map((mark) => ({ ...mark })),
	};
}

function escapeCommandTarget(
	target: Extract<OpTarget, { kind: 'command' }>,
	words: (text: string) => string,
): OpTarget {
	const { argv, fedBy } = target;
	return {
		...target,
		argv: argv.map(words),
		...(fedBy === undefined ? {} : { fedBy: fedBy.map((fed) => fed.map(words)) }),
	};
}

/**
 * Prepares the outcome of a trial for display: the end of its output, with invisible characters visible and secrets
 * struck out.
 */
export function shownTrial(trial: EndedTrial, redact: (text: string) => string): EndedTrial {
	const whole = redact(trial.output);
	return {
		...trial,
		output: escapeInvisible(whole.slice(-SHOWN_TRIAL_CHARS), 'lines'),
		changed: trial.changed.map(({ path, kind }) => ({ path: escapeInvisible(redact(path), 'line'), kind })),
	};
}
