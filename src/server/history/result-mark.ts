/** Name by which the model can read on in a result that was cut. */
import type { OpId } from '../../protocol/ids.ts';

export const READ_RESULT = 'result_read';

/** Where the whole results of one conversation lie. */
export interface StoredResults {
	/** Undefined: this conversation has none with that id. */
	result(id: string): string | undefined;
}

const ID_CHARS = 8;

/** The random end of the op's id: short enough to be written again, and found within one thread only. */
export function resultId(opId: OpId): string {
	return opId.slice(-ID_CHARS);
}

export function isResultId(id: string): boolean {
	return /^[0-9a-f]{8}$/.test(id);
}
