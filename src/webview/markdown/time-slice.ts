/**
 * Time, in ms, in which one task of the page may read and draw text, whatever asks for it. The rest waits for the next
 * task, so that a click is always answered in between.
 */
const TEXT_SLICE_MS = 8;
/** Drawing takes longer than reading, most of all where each line is an element of its own. */
const SLICE_LENGTH = 10_000;

let endMs = 0;
let lengthLeft = 0;

/** Takes `length` characters of the slice; false when the slice is used up after them. */
export function takeSlice(length: number): boolean {
	if (endMs === 0) {
		endMs = performance.now() + TEXT_SLICE_MS;
		lengthLeft = SLICE_LENGTH;
		setTimeout(() => {
			endMs = 0;
		});
	}
	lengthLeft -= length;
	return lengthLeft > 0 && performance.now() < endMs;
}
