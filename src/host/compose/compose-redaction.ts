/** Composition of the one sink for secrets, with the user's own patterns. */
import type { HostPorts } from '../../contract/ports/ports.ts';
import { outgoingMessage, type UserMessage } from '../../trust/record/redaction/outgoing-message.ts';
import { ownPatterns } from '../../trust/record/redaction/own-patterns.ts';
import { previewRedaction, previewText } from '../../trust/record/redaction/preview.ts';
import { Redactor } from '../../trust/record/redaction/redactor.ts';

/** Logs each pattern that cannot be used. */
export function hostRedaction({ settings, log }: Pick<HostPorts, 'settings' | 'log'>) {
	const patterns = () => ownPatterns(settings.current['prowess.redaction.patterns']);
	const redactor = new Redactor(() => patterns().families);
	const redactionProblems = () => patterns().problems;
	for (const problem of redactionProblems()) {
		log.warn(problem);
	}
	return {
		redactor,
		redactionProblems,
		/** Part of the redaction through which a host shows and sends texts. */
		redaction: {
			redact: (text: string) => redactor.redact(text),
			previewRedaction: (text: string) => previewText(previewRedaction(redactor, text), redactionProblems()),
			outgoingMessage: (message: UserMessage, keepsLookalikes: boolean) =>
				outgoingMessage(redactor, message, keepsLookalikes),
			addSecret: (value: string) => redactor.addSecret(value),
		},
	};
}
