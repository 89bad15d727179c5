/** Pages about capabilities and their runs: Markdown that is made when it is shown, and again when what it tells has changed. */
import * as vscode from 'vscode';
import { CAPABILITY_SCHEME } from '../command-table.ts';
import { limits } from '../limits.ts';
import { isCancellation } from '../signals.ts';
import { sentenceOf } from '../user-message.ts';

/** Which page: its kind, and what of that kind, as the page itself understands it. */
export interface PageAddress {
	readonly kind: PageKind;
	readonly of: string;
	/** In the tab. */
	readonly title: string;
}

export type PageKind = 'execution' | 'capability' | 'overrides' | 'package';
export type Pages = { readonly [K in PageKind]: (of: string) => Promise<string> };

export class CapabilityDocuments implements vscode.TextDocumentContentProvider {
	readonly #pages: Pages;
	readonly #changed = new vscode.EventEmitter<vscode.Uri>();
	readonly onDidChange = this.#changed.event;
	readonly #shown = new Map<string, vscode.Uri>();

	constructor(pages: Pages) {
		this.#pages = pages;
	}

	async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
		const kind = Object.keys(this.#pages).find((each): each is PageKind => each === uri.authority);
		this.#remember(uri);
		try {
			return kind === undefined ? '' : await this.#pages[kind](uri.query);
		} catch (error) {
			// A page that cannot be made says so itself: the editor would only say that it could not be opened.
			if (isCancellation(error)) throw error;
			return `${sentenceOf(error)}\n`;
		}
	}

	/** As a preview; the text behind it is one click away. */
	async show({ kind, of, title }: PageAddress): Promise<void> {
		const path = `/${title.replaceAll(/[\\/?#]+/g, ' ')}.md`;
		const uri = vscode.Uri.from({ scheme: CAPABILITY_SCHEME, authority: kind, path, query: of });
		this.#changed.fire(uri);
		await vscode.commands.executeCommand('markdown.showPreview', uri);
	}

	/** What was shown of this kind, and only of `of` where that is given; the editor makes those again that are open. */
	refresh(kind: PageKind, of?: string): void {
		for (const uri of this.#shown.values()) {
			if (uri.authority === kind && (of === undefined || uri.query === of)) {
				this.#changed.fire(uri);
			}
		}
	}

	dispose(): void {
		this.#changed.dispose();
	}

	#remember(uri: vscode.Uri): void {
		this.#shown.delete(uri.toString());
		this.#shown.set(uri.toString(), uri);
		for (const key of [...this.#shown.keys()].slice(0, -limits.refreshedPages)) {
			this.#shown.delete(key);
		}
	}
}
