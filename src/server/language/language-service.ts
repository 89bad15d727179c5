/**
 * Language service for manifests that are open in the editor: diagnostics, completions, and the meaning of words on
 * hover. Speaks the language server protocol on the connection to the host, beside our own conversations. The YAML
 * parser is loaded with the first manifest, because most servers never see one.
 */
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { At, type LspDiagnostic, DidChange, DidClose, DidOpen, textDocumentSyncFull } from './lsp.ts';

/** The parts of a connection that the language service needs. */
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

/** `onFailure` hears of what nobody waits for. */
export function serveLanguage(connection: LanguageConnection, onFailure: (error: unknown) => void): Disposable {
	const store = new DisposableStore();
	const open = new Map<string, string>();
	const publishDiagnostics = (uri: string, diagnostics: readonly LspDiagnostic[]) => {
		// Nobody is left to read it when the host is gone.
		connection.sendNotification('textDocument/publishDiagnostics', { uri, diagnostics }).catch(() => undefined);
	};
	const checkManifests = (uri: string) => {
		loadManifestLanguage()
			.then(({ diagnosticsBeside }) => {
				for (const [other, diagnostics] of diagnosticsBeside(uri, open)) publishDiagnostics(other, diagnostics);
			})
			.catch(onFailure);
	};
	const keepText = (uri: string, text: string) => {
		open.set(uri, text);
		checkManifests(uri);
	};
	store.add(
		connection.onNotification('textDocument/didOpen', (params) => {
			const { textDocument } = DidOpen.parse(params);
			keepText(textDocument.uri, textDocument.text);
		}),
	);
	store.add(
		connection.onNotification('textDocument/didChange', (params) => {
			const { textDocument, contentChanges } = DidChange.parse(params);
			keepText(textDocument.uri, contentChanges.at(-1)?.text ?? open.get(textDocument.uri) ?? '');
		}),
	);
	store.add(
		connection.onNotification('textDocument/didClose', (params) => {
			const { uri } = DidClose.parse(params).textDocument;
			open.delete(uri);
			publishDiagnostics(uri, []);
			checkManifests(uri);
		}),
	);
	store.add(
		connection.onRequest('textDocument/completion', async (params) => {
			const { textDocument, position } = At.parse(params);
			const { listCompletions } = await loadManifestLanguage();
			return { isIncomplete: false, items: listCompletions(textDocument.uri, open.get(textDocument.uri), position) };
		}),
	);
	store.add(
		connection.onRequest('textDocument/hover', async (params) => {
			const { textDocument, position } = At.parse(params);
			const { findHover } = await loadManifestLanguage();
			return findHover(textDocument.uri, open.get(textDocument.uri), position) ?? null;
		}),
	);
	return store;
}

const loadManifestLanguage = () => import('./manifest-language.ts');
