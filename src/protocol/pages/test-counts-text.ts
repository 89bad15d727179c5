/** Counts of a test run, as a receipt has them, for people. */
import { type Text, text } from '../text/text.ts';

interface ShownCounts {
	readonly passed: number;
	readonly failed: number;
	readonly skipped?: number | undefined;
}

export function testCountsText({ passed, failed, skipped = 0 }: ShownCounts): Text {
	return skipped === 0
		? text('{passed} passed, {failed} failed', { passed, failed })
		: text('{passed} passed, {failed} failed, {skipped} skipped', { passed, failed, skipped });
}
