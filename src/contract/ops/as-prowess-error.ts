import { toErrorMessage } from '../../base/text/message-of.ts';
import { isProwessError, ProwessError } from '../../protocol/errors.ts';

/** Error of an op as its caller receives it: INTERNAL for anything unforeseen. */
export function asProwessError(error: unknown, op: string): ProwessError {
	if (isProwessError(error)) return error;
	const message = toErrorMessage(error);
	return new ProwessError('INTERNAL', `${op} failed: ${message}`, {}, error);
}
