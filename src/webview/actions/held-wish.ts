/** A message with secrets is given back; the user says how it is sent after all. */
import { isProwessError } from '../../protocol/errors/errors.ts';
import { FoundSecrets } from '../../protocol/thread/thread-requests.ts';

export type HeldWish = 'remove' | 'keep';

/** Absent where the user has said nothing. */
export function wishFor(secrets: HeldWish | undefined): { readonly secrets?: HeldWish } {
	return secrets === undefined ? {} : { secrets };
}

/** Secrets for which a message was given back; undefined when it failed for another reason. */
export function findMessageSecrets(error: unknown): FoundSecrets | undefined {
	return isProwessError(error) && error.code === 'SECRETS_IN_MESSAGE' ? FoundSecrets.parse(error.facts) : undefined;
}
