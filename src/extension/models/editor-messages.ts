/**
 * Messages in the editor's form, and parts of its stream in ours. The stable API has user and assistant only; kinds of
 * parts it does not name do arrive, and private data parts are dropped, never shown as text.
 */
import * as vscode from 'vscode';
import type { LmMessage } from '../../protocol/turn/models.ts';

type StreamedPart =
	| { readonly kind: 'text' | 'thinking'; readonly text: string }
	| { readonly kind: 'toolCall'; readonly callId: string; readonly name: string; readonly input: unknown };

const USAGE_TYPE = 'usage';

export function toEditorMessages(messages: readonly LmMessage[]): vscode.LanguageModelChatMessage[] {
	return messages.map(({ role, parts }) =>
		role === 'assistant'
			? vscode.LanguageModelChatMessage.Assistant(parts.flatMap(toAssistantParts))
			: vscode.LanguageModelChatMessage.User(parts.flatMap(userPart)),
	);
}

/** Undefined for what is neither text, thinking nor a call. */
export function toStreamedPart(raw: unknown): StreamedPart | undefined {
	if (raw instanceof vscode.LanguageModelTextPart) {
		return { kind: 'text', text: raw.value };
	}
	if (raw instanceof vscode.LanguageModelToolCallPart) {
		return { kind: 'toolCall', callId: raw.callId, name: raw.name, input: raw.input };
	}
	if (raw instanceof vscode.LanguageModelDataPart || typeof raw !== 'object' || raw === null) {
		return undefined;
	}
	// Thinking arrives as a class that the stable API does not name: told by its shape.
	const value = 'value' in raw ? raw.value : undefined;
	const text = typeof value === 'string' ? value : isTexts(value) ? value.join('') : '';
	const isThinking = 'id' in raw || 'metadata' in raw;
	return isThinking && text !== '' ? { kind: 'thinking', text } : undefined;
}

/** Some providers of the editor send their figures as private data. */
export function parseEditorUsage(raw: unknown): { inputTokens: number; outputTokens: number } | undefined {
	if (!(raw instanceof vscode.LanguageModelDataPart) || raw.mimeType !== USAGE_TYPE) {
		return undefined;
	}
	try {
		const usage: unknown = JSON.parse(new TextDecoder().decode(raw.data));
		const inputTokens = readTokenFigure(usage, 'prompt_tokens') ?? readTokenFigure(usage, 'input_tokens');
		const outputTokens = readTokenFigure(usage, 'completion_tokens') ?? readTokenFigure(usage, 'output_tokens');
		return inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens };
	} catch {
		// Not the form we know: the figures are counted instead.
		return undefined;
	}
}

type InPart = LmMessage['parts'][number];

function toAssistantParts(part: InPart): (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[] {
	switch (part.kind) {
		case 'text':
			return [new vscode.LanguageModelTextPart(part.text)];
		case 'toolCall':
			return [new vscode.LanguageModelToolCallPart(part.callId, part.name, part.input as object)];
		case 'toolResult':
		case 'image':
			return [];
	}
}

function userPart(
	part: InPart,
): (vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart | vscode.LanguageModelDataPart)[] {
	switch (part.kind) {
		case 'text':
			return [new vscode.LanguageModelTextPart(part.text)];
		case 'toolResult':
			return [new vscode.LanguageModelToolResultPart(part.callId, [new vscode.LanguageModelTextPart(part.text)])];
		case 'image':
			return [vscode.LanguageModelDataPart.image(Buffer.from(part.data, 'base64'), part.type)];
		case 'toolCall':
			return [];
	}
}

function isTexts(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((part) => typeof part === 'string');
}

function readTokenFigure(value: unknown, name: string): number | undefined {
	const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
	return typeof found === 'number' && Number.isInteger(found) && found >= 0 ? found : undefined;
}
