/** Redaction of a host: the one sink for secrets, with the user's own patterns. */
import type { HostPorts } from '../../../contract/ports/ports.ts';
import { outgoingMessage, type WrittenUserMessage } from './outgoing-message.ts';
import { ownPatterns } from './own-patterns.ts';
import { createRedactionPreview, previewText } from './preview.ts';
import { Redactor } from './redactor.ts';

/** Logs each pattern that cannot be used. */
export function createRedaction({ settings, log }: Pick<HostPorts, 'settings' | 'log'>) {
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
