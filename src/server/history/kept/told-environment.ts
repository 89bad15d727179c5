/** Where the agent works, as a thread was told it line by line: of each name the newest line holds. */
import type { ModelMessage } from '../../models/model-port.ts';
import { readAttachments } from './user-message.ts';

/** The name of what tells it. */
export const TOLD_ENVIRONMENT = 'environment';

const SECTION = new RegExp(`<${TOLD_ENVIRONMENT}(?: changed)?>\\n([\\s\\S]*?)\\n</${TOLD_ENVIRONMENT}>`);

/** Returns the newest value told under each name. */
export function toldEnvironment(messages: readonly ModelMessage[]): ReadonlyMap<string, string> {
	const told = new Map<string, string>();
	for (const message of messages) {
		const attached = message.role === 'user' ? readAttachments(message) : '';
		const [, lines = ''] = SECTION.exec(attached) ?? [];
		for (const line of lines.split('\n')) {
			const [name = '', value] = line.split(/: (.*)/s, 2);
			if (value !== undefined) {
				told.set(name, value);
			}
		}
	}
	return told;
}
