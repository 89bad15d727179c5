/** Composition of the one sink for secrets, with the user's own patterns. */
import type { HostPorts } from '../../contract/ports/ports.ts';
import { outgoingMessage, type WrittenUserMessage } from '../../trust/record/redaction/outgoing-message.ts';
import { ownPatterns } from '../../trust/record/redaction/own-patterns.ts';
import { createRedactionPreview, previewText } from '../../trust/record/redaction/preview.ts';
import { Redactor } from '../../trust/record/redaction/redactor.ts';

/** Logs each pattern that cannot be used. */
export function hostRedaction({ settings, log }: Pick<HostPorts, 'settings' | 'log'>) {
	const readPatterns = () => ownPatterns(settings.current['prowess.redaction.patterns']);
	const redactor = new Redactor(() => readPatterns().families);
	const redactionProblems = () => readPatterns().problems;
	for (const problem of redactionProblems()) {
		log.warn(problem);
	}
	return {
		redactor,
		redactionProblems,
		/** Part of the redaction through which a host shows and sends texts. */
		redaction: {
			redact: (text: string) => redactor.redact(text),
			previewRedaction: (text: string) => previewText(createRedactionPreview(redactor, text), redactionProblems()),
			outgoingMessage: (message: WrittenUserMessage, keepsLookalikes: boolean) =>
				outgoingMessage(redactor, message, keepsLookalikes),
			addSecret: (value: string) => redactor.addSecret(value),
		},
	};
}
