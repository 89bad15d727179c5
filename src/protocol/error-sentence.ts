/**
 * What a person reads when something fails: a sentence in English, which is also the key of its translation. Codes that
 * users meet have words of their own; of the rest the message is made a sentence.
 */
import type { ErrorCode } from './errors.ts';

export const ERROR_SENTENCES = {
	WORKSPACE_UNTRUSTED: 'Prowess starts nothing before you trust this workspace.',
	SERVER_GONE: 'The Prowess server has stopped. It is started again when you ask for something.',
	SERVER_DEGRADED: 'The Prowess server has stopped too often and is not started again by itself.',
	STORE_UNAVAILABLE: 'The conversation could not be saved. Look whether the disk is full, then try again.',
	STORE_NEWER: 'A newer version of Prowess has written these conversations. Update this one to go on with them.',
	THREAD_NOT_FOUND: 'This thread is no longer there: it was deleted.',
	THREAD_BUSY: 'Another window or process works on this thread. Wait until it is done, or begin a new one.',
	LEDGER_UNWRITABLE: 'The ledger cannot be written, so nothing is done. Look whether the disk is full.',
	PROVIDER_AUTH: 'The provider does not accept this key.',
	PROVIDER_UNREACHABLE: 'The provider does not answer. Check the address and your network.',
	PROVIDER_RATE_LIMITED: 'The provider takes no more requests for now. Try again later.',
	PROVIDER_OVERLOADED: 'The provider is overloaded. Try again later, or switch the model.',
	CONTEXT_OVERFLOW:
		'The conversation is too long for this model. Begin a new thread, or switch to a model with more room.',
	STREAM_CUT: 'The answer broke off. What came is shown above.',
	STREAM_MALFORMED: 'The model sent an answer that cannot be used.',
	MODEL_NOT_FOUND: 'The provider does not have this model.',
	NO_MODEL: 'No model is connected yet.',
	KEY_MISSING: 'There is no key for this provider.',
	MODEL_CONSENT_REFUSED: 'The editor was not allowed to use this model.',
	TIMEOUT: 'It took too long.',
} as const satisfies { readonly [C in ErrorCode]?: string };

export function errorSentence({
	code,
	message,
}: {
	readonly code?: string | undefined;
	readonly message: string;
}): string {
	if (code !== undefined && Object.hasOwn(ERROR_SENTENCES, code)) {
		return ERROR_SENTENCES[code as keyof typeof ERROR_SENTENCES];
	}
	return asSentence(message);
}

/** With a capital and a full stop: messages are written without, so that they fit after a colon. */
export function asSentence(message: string): string {
	const capital = message.charAt(0).toUpperCase() + message.slice(1);
	return /[.!?…]$/.test(capital) ? capital : `${capital}.`;
}
