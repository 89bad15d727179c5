/**
 * Whether an op that was prepared twice would do the same: touch the same targets, run the same bytes, write and take away the
 * same lines. Where in a file these lines stand does not count, because an earlier edit of the same answer moves them.
 */
import type { OpDetail } from '../../../protocol/approvals/approvals.ts';
import { canonicalJson } from '../../record/store/chain/canonical-json.ts';
import type { Prepared } from '../../../contract/ops/op-implementation.ts';

export function isSameAct(one: Prepared<unknown>, other: Prepared<unknown>): boolean {
	return actOf(one) === actOf(other);
}

function actOf({ targets, detail }: Prepared<unknown>): string {
	return canonicalJson({ targets, detail: withoutPlace(detail) });
}

function withoutPlace(detail: OpDetail): unknown {
	if (detail.kind !== 'diff') {
		return detail;
	}
	const changed = detail.diff.patch.split('\n').filter((line) => /^[+-]/.test(line));
	return { ...detail, diff: { ...detail.diff, patch: changed } };
}
