/**
 * Finds what the text before the caret asks to be completed: `@` context anywhere, `/` a command at the very beginning.
 */
import { type SlashCommand, slashCommands } from '../../protocol/thread/message/slash-commands.ts';

export interface CompletionRequest {
	readonly kind: 'context' | 'command';
	readonly query: string;
	/** Where the sign stands. */
	readonly start: number;
}

export function completionAt(text: string, caret: number): CompletionRequest | undefined {
	const before = text.slice(0, caret);
	const command = /^\/([\p{L}\p{M}\p{N}_:.-]*)$/u.exec(before);
	if (command !== null) {
		return { kind: 'command', query: command[1] ?? '', start: 0 };
	}
	const context = /(?:^|[\s(])@([^\s@]*)$/.exec(before);
	if (context !== null) {
		const query = context[1] ?? '';
		return { kind: 'context', query, start: caret - query.length - 1 };
	}
	return undefined;
}

export function matchingCommands(query: string): readonly SlashCommand[] {
	return slashCommands.filter(({ name }) => name.startsWith(query.toLowerCase()));
}

/** Returns the command that a message begins with, and the rest; undefined for an ordinary message. */
export function readSlashCommand(text: string): { readonly command: SlashCommand; readonly rest: string } | undefined {
	const match = /^\/(\w+)(?:\s+([\s\S]*))?$/.exec(text.trim());
	const command = slashCommands.find(({ name }) => name === match?.[1]);
	return command === undefined ? undefined : { command, rest: match?.[2] ?? '' };
}

export function expandPrompt(prompt: string, rest: string): string {
	return prompt.replace('$1', () => rest).trim();
}
