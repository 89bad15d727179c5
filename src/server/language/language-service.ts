/**
 * Manifests that are open in the editor: what is wrong with them and where, what may be written next, and what its words
 * mean. Speaks the language server protocol on the connection to the host, beside our own conversations.
 */
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { MAX_MANIFEST_BYTES } from '../../protocol/manifest/limits.ts';
import type { ManifestProblem } from '../../protocol/manifest/problem.ts';
import {
	At,
	completionKind,
	type CompletionItem,
	type Diagnostic,
	diagnosticSeverity,
	DidChange,
	DidClose,
	DidOpen,
	type Hover,
	type Range,
	textDocumentSyncFull,
} from './lsp.ts';
import { type ManifestFile, manifestFileAt, problemsIn } from './manifest-file.ts';
import { type Schema, schemaAt, schemaOf, valuesOf } from './manifest-schema.ts';
import { keyAt, placeAt, type Position } from './yaml-place.ts';

/** What the connection must be able to do. */
export interface LanguageConnection {
	onNotification(method: string, handle: (params: unknown) => void): Disposable;
	onRequest(method: string, handle: (params: unknown) => unknown): Disposable;
	sendNotification(method: string, params: object): Promise<void>;
}

/** Announced when the host initializes the connection. */
export const languageCapabilities = {
	textDocumentSync: textDocumentSyncFull,
	completionProvider: { triggerCharacters: [' ', '-', '['] },
	hoverProvider: true,
} as const;

export function serveLanguage(connection: LanguageConnection): Disposable {
	const store = new DisposableStore();
	const open = new Map<string, string>();
	const publish = (uri: string, diagnostics: readonly Diagnostic[]) => {
		// Nobody is left to read it when the host is gone.
		connection.sendNotification('textDocument/publishDiagnostics', { uri, diagnostics }).catch(() => undefined);
	};
	const check = (uri: string) => {
		const file = manifestFileAt(uri);
		if (file === undefined) return;
		// What one manifest says counts for the others of its folder.
		for (const [other, text] of open) {
			const beside = manifestFileAt(other);
			if (beside?.folder === file.folder) publish(other, diagnosticsOf(beside, text, textsIn(open, file.folder)));
		}
	};
	const keep = (uri: string, text: string) => {
		open.set(uri, text);
		check(uri);
	};
	store.add(
		connection.onNotification('textDocument/didOpen', (params) => {
			const { textDocument } = DidOpen.parse(params);
			keep(textDocument.uri, textDocument.text);
		}),
	);
	store.add(
		connection.onNotification('textDocument/didChange', (params) => {
			const { textDocument, contentChanges } = DidChange.parse(params);
			keep(textDocument.uri, contentChanges.at(-1)?.text ?? open.get(textDocument.uri) ?? '');
		}),
	);
	store.add(
		connection.onNotification('textDocument/didClose', (params) => {
			const { uri } = DidClose.parse(params).textDocument;
			open.delete(uri);
			publish(uri, []);
			check(uri);
		}),
	);
	store.add(
		connection.onRequest('textDocument/completion', (params) => {
			const { textDocument, position } = At.parse(params);
			return { isIncomplete: false, items: completions(textDocument.uri, open.get(textDocument.uri), position) };
		}),
	);
	store.add(
		connection.onRequest('textDocument/hover', (params) => {
			const { textDocument, position } = At.parse(params);
			return hover(textDocument.uri, open.get(textDocument.uri), position) ?? null;
		}),
	);
	return store;
}

function textsIn(open: ReadonlyMap<string, string>, folder: string): Record<string, string> {
	const inFolder = [...open].flatMap(([uri, text]) => {
		const file = manifestFileAt(uri);
		return file?.folder === folder ? [[file.name, text] as const] : [];
	});
	return Object.fromEntries(inFolder);
}

export function diagnosticsOf(file: ManifestFile, text: string, texts: Readonly<Record<string, string>>): Diagnostic[] {
	const bytes = Buffer.byteLength(text);
	if (bytes > MAX_MANIFEST_BYTES) {
		const message = `${bytes} bytes, the limit is ${MAX_MANIFEST_BYTES}`;
		return [{ range: lineRange(text, 0, 0), severity: diagnosticSeverity.error, source: SOURCE, message }];
	}
	return problemsIn(file, texts).map((problem) => diagnosticOf(problem, text));
}

const SOURCE = 'Prowess';

function diagnosticOf({ severity, message, line, column, path }: ManifestProblem, text: string): Diagnostic {
	return {
		range: lineRange(text, line - 1, column - 1),
		severity: diagnosticSeverity[severity],
		source: SOURCE,
		message: path.length === 0 ? message : `${path.join('.')}: ${message}`,
	};
}

/** From there to the end of what is written on that line. */
function lineRange(text: string, line: number, character: number): Range {
	const written = (text.split(/\r?\n/, line + 1)[line] ?? '').trimEnd();
	const start = Math.min(character, written.length);
	return { start: { line, character: start }, end: { line, character: Math.max(written.length, start) } };
}

export function completions(uri: string, text: string | undefined, position: Position): CompletionItem[] {
	const schema = schemaFor(uri);
	const place = schema === undefined || text === undefined ? undefined : placeAt(text, position);
	const at = schema === undefined || place === undefined ? undefined : schemaAt(schema, place.path);
	if (place === undefined || at === undefined) {
		return [];
	}
	const { line, character } = position;
	const range = { start: { line, character: character - place.typed.length }, end: position };
	if (!place.isValue && at.properties !== undefined) {
		return Object.entries(at.properties)
			.filter(([name]) => !place.siblings.includes(name))
			.map(([name, { description }]) => ({
				label: name,
				kind: completionKind.property,
				...(at.required?.includes(name) === true ? { detail: 'required' } : {}),
				...(description === undefined ? {} : { documentation: description }),
				textEdit: { range, newText: `${name}: ` },
			}));
	}
	return valuesOf(at).map((value) => ({
		label: value,
		kind: completionKind.value,
		textEdit: { range, newText: value },
	}));
}

export function hover(uri: string, text: string | undefined, position: Position): Hover | undefined {
	const schema = schemaFor(uri);
	const key = text === undefined ? undefined : keyAt(text, position);
	const at = schema === undefined || key === undefined ? undefined : schemaAt(schema, key.path);
	if (at === undefined || key === undefined) {
		return undefined;
	}
	const values = valuesOf(at);
	const inItems = at.items === undefined ? [] : valuesOf(at.items);
	const lines = [
		...(at.description === undefined ? [] : [at.description]),
		...(values.length + inItems.length === 0 ? [] : [[...values, ...inItems].map((each) => `\`${each}\``).join(', ')]),
		...(at.default === undefined ? [] : [`Default: \`${JSON.stringify(at.default)}\``]),
	];
	if (lines.length === 0) {
		return undefined;
	}
	const { line } = position;
	const range = { start: { line, character: key.start }, end: { line, character: key.end } };
	return { contents: { kind: 'markdown', value: lines.join('\n\n') }, range };
}

/** SKILL.md has a form of its own. */
function schemaFor(uri: string): Schema | undefined {
	const file = manifestFileAt(uri);
	return file === undefined || file.name.endsWith('.md') ? undefined : schemaOf(file.kind);
}
