/**
 * Compares two preparations of one op. They are the same act when they touch the same targets, run the same bytes, and
 * write and remove the same lines. Line positions in a file do not count, because an earlier edit of the same answer
 * moves them.
 */
import type { OpDetail } from '../../../protocol/approvals/approvals.ts';
import { canonicalJson } from '../../record/store/chain/canonical-json.ts';
import type { Prepared } from '../../../contract/ops/op-implementation.ts';

export function isSameAct(one: Prepared<unknown>, other: Prepared<unknown>): boolean {
	return serializeAct(one) === serializeAct(other);
}

function serializeAct({ targets, detail }: Prepared<unknown>): string {
	return canonicalJson({ targets, detail: withoutPlace(detail) });
}

function withoutPlace(detail: OpDetail): unknown {
	if (detail.kind !== 'diff') {
		return detail;
	}
	const changed = detail.diff.patch.split('\n').filter((line) => /^[+-]/.test(line));
	return { ...detail, diff: { ...detail.diff, patch: changed } };
}
