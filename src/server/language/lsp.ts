/** The part of the language server protocol that manifests need; incoming messages are parsed. */
import type { Text } from '../../protocol/text/text.ts';
import * as z from '../../protocol/text/zod.ts';

export const textDocumentSyncFull = 1;
export const diagnosticSeverity = { error: 1, warning: 2 } as const;
export const completionKind = { property: 10, value: 12 } as const;

const uri = z.string().max(10_000);
const LspPosition = z.object({ line: z.int().nonnegative(), character: z.int().nonnegative() });

export const DidOpen = z.object({ textDocument: z.object({ uri, version: z.int(), text: z.string() }) });
/** The whole text, because that is what was asked for. */
export const DidChange = z.object({
	textDocument: z.object({ uri, version: z.int() }),
	contentChanges: z.array(z.object({ text: z.string() })),
});
export const DidClose = z.object({ textDocument: z.object({ uri }) });
export const At = z.object({ textDocument: z.object({ uri }), position: LspPosition });

export interface LspRange {
	readonly start: z.infer<typeof LspPosition>;
	readonly end: z.infer<typeof LspPosition>;
}

export interface LspDiagnostic {
	readonly range: LspRange;
	readonly severity: (typeof diagnosticSeverity)[keyof typeof diagnosticSeverity];
	readonly source: string;
	readonly message: string;
	/** The message as a text, which the client translates; absent where it is not in our words. */
	readonly data?: Text;
}

export interface CompletionItem {
	readonly label: string;
	readonly kind: (typeof completionKind)[keyof typeof completionKind];
	readonly detail?: string;
	readonly documentation?: string;
	/** Sort key among the completions. Default: the label. */
	readonly sortText?: string;
	readonly textEdit: { readonly range: LspRange; readonly newText: string };
}

export interface Hover {
	readonly contents: { readonly kind: 'markdown'; readonly value: string };
	readonly range: LspRange;
}
