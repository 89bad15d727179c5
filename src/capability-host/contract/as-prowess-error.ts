import { messageOf } from '../../base/message-of.ts';
import { isProwessError, ProwessError } from '../../protocol/errors.ts';

/** What an op threw, as its caller gets it: INTERNAL for what nobody foresaw. */
export function asProwessError(error: unknown, op: string): ProwessError {
	if (isProwessError(error)) return error;
	const message = messageOf(error);
	return new ProwessError('INTERNAL', `${op} failed: ${message}`, {}, error);
}
