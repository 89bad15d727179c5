/** The thread a capability works for, as a model is told of it. */
import type { ThreadContext } from '../../protocol/execution/execution.ts';

const MAX_CONVERSATION_CHARS = 24_000;

/** The newest messages, oldest first; empty when there are none. */
export function describeConversation({ messages }: Pick<ThreadContext, 'messages'>): string {
	const lines: string[] = [];
	let chars = 0;
	for (const { sender, content } of messages.toReversed()) {
		chars += content.length;
		if (chars > MAX_CONVERSATION_CHARS) break;
		lines.unshift(`${sender}: ${content}`);
	}
	return lines.length === 0 ? '' : `The conversation so far:\n\n${lines.join('\n\n')}`;
}

/** Names the task in one line, which people see too. */
export function describeTask({ type, name }: ThreadContext['capability'], params: unknown): string {
	const given = JSON.stringify(params ?? {});
	return `Carry out the ${type} "${name}"${given === '{}' ? '' : ` with ${given}`}`;
}
