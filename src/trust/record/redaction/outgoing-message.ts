/**
 * Redacts a message of the user before it leaves the host for the model, the disk and the view. Known keys never leave;
 * text that only looks like a secret is taken out unless the user wants it sent.
 */
import type { ContextRef } from '../../../protocol/thread/context.ts';
import { type FoundSecrets, refuseLongMessage } from '../../../protocol/thread/thread-requests.ts';
import { pickOutermost } from './findings.ts';
import { KNOWN, type Redactor } from './redactor.ts';

export interface WrittenUserMessage {
	readonly text: string;
	readonly context: readonly ContextRef[];
}

export interface OutgoingMessage {
	readonly message: { readonly text: string; readonly context: ContextRef[] };
	/** In the message as the user wrote it, taken out or not. */
	readonly found: FoundSecrets;
}

/**
 * `keepsLookalikes`: the user wants what only looks like a secret sent as it is. Throws MESSAGE_TOO_LONG for a message that
 * no thread takes, before it is searched.
 */
export function outgoingMessage(
	redactor: Redactor,
	message: WrittenUserMessage,
	keepsLookalikes: boolean,
): OutgoingMessage {
	refuseLongMessage(message.text);
	const found = { known: 0, lookalikes: 0 };
	const cleanText = (text: string) => {
		for (const { family } of pickOutermost(redactor.find(text))) {
			found[family === KNOWN ? 'known' : 'lookalikes'] += 1;
		}
		return keepsLookalikes ? redactor.redactKnown(text) : redactor.redact(text);
	};
	return {
		message: { text: cleanText(message.text), context: message.context.map((ref) => withText(ref, cleanText)) },
		found,
	};
}

/** Paths stay: a file that is attached is read through the broker, and redacted there. */
function withText(ref: ContextRef, clean: (text: string) => string): ContextRef {
	const cleaned = 'text' in ref ? { ...ref, text: clean(ref.text) } : ref;
	return cleaned.kind === 'comment' ? { ...cleaned, code: clean(cleaned.code) } : cleaned;
}
