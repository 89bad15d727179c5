import { ProwessError } from '../protocol/errors/errors.ts';

/**
 * For work that this process had claimed and that another one has taken over, because this one was not heard of for too long.
 * `what` names the work; nothing of it is written or done from here on.
 */
export function claimLost(what: string): ProwessError {
	return new ProwessError('CLAIM_LOST', `another process has taken over ${what}`, { what });
}
