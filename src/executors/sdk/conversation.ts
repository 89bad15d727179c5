/** The thread a capability works for, as a model is told of it. */
import type { ThreadContext } from '../../protocol/execution.ts';

const MAX_CHARS = 24_000;

/** The newest messages, oldest first; empty when there are none. */
export function conversation({ messages }: Pick<ThreadContext, 'messages'>): string {
	const lines: string[] = [];
	let chars = 0;
	for (const { sender, content } of messages.toReversed()) {
		chars += content.length;
		if (chars > MAX_CHARS) break;
		lines.unshift(`${sender}: ${content}`);
	}
	return lines.length === 0 ? '' : `The conversation so far:\n\n${lines.join('\n\n')}`;
}

/** What it is called with. */
export function task(params: unknown): string {
	return `It is called with: ${JSON.stringify(params ?? {}, null, 2)}`;
}
