/** The warning of an approval as it is shown: its marks are places in the shown words, which are other ones where something is escaped. */
import type { RiskWarning } from '../../../protocol/approvals/approvals.ts';
import { withArgs } from '../../../protocol/text/text.ts';
import type { OpTarget } from '../../../contract/ops/target.ts';
import { type Assessment, assessTargets } from '../policy/commands/risk-assessor.ts';

/** `words`: as those of the command are shown. */
export function shownWarning(
	{ level, reasons }: Assessment,
	targets: readonly OpTarget[],
	clean: (text: string) => string,
	words: (text: string) => string,
): RiskWarning | null {
	if (level === 'low') {
		return null;
	}
	const shown = targets.map((target) => (target.kind === 'command' ? escapeCommandTarget(target, words) : target));
	return {
		isDangerous: level === 'high',
		reasons: reasons.map((reason) => withArgs(reason, clean)),
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
