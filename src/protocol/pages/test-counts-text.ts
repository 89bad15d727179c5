/** Counts of a test run, as a receipt has them, for people. */
import { type Text, text } from '../text/text.ts';

interface ShownCounts {
	readonly passed: number;
	readonly failed: number;
	readonly skipped?: number | undefined;
}

/** Says what matters of the counts, where there is little room. */
export function shortTestCountsText({ passed, failed }: ShownCounts): Text {
	return failed === 0
		? text('{passed} passed', { passed })
		: text('{failed} of {all} failed', { failed, all: passed + failed });
}

export function testCountsText({ passed, failed, skipped = 0 }: ShownCounts): Text {
	return skipped === 0
		? text('{passed} passed, {failed} failed', { passed, failed })
		: text('{passed} passed, {failed} failed, {skipped} skipped', { passed, failed, skipped });
}
