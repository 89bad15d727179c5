/** *Show Ledger*: the newest rows that fit the filter, whether the chains are intact, all of one row, and the file for others. */
import * as vscode from 'vscode';
import { deriveSignal } from '../../base/derived-signal.ts';
import { readFilterLine } from '../../capability-host/record/ledger/filter-line.ts';
import type { LogPort } from '../../capability-host/contract/ports.ts';
import type { TrustedBase } from '../../capability-host/trusted-base.ts';
import type { LedgerFilter, LedgerRow } from '../../protocol/ledger.ts';
import { type CommandId, DOCUMENT_SCHEME } from '../command-table.ts';
import { limits } from '../limits.ts';
import { fail, inform, withProgress } from '../notices.ts';
import { sentenceOf } from '../user-message.ts';
import { uriOf } from './documents.ts';
import { acknowledgeLedgerDamage, tellLedgerDamage } from './ledger-damage.ts';
import { LateCheck } from './late-check.ts';
import { type Check, entryText, ledgerText, LINK_CHARACTERS } from './ledger-text.ts';

const ENTRY_COMMAND: CommandId = 'prowess.showLedgerEntry';

interface LedgerViewPorts {
	base(): Promise<TrustedBase>;
	/** Has the page made anew. */
	renew(): void;
}

export class LedgerView implements vscode.DocumentLinkProvider {
	readonly #ports: LedgerViewPorts;
	readonly #check: LateCheck;
	readonly #opening: vscode.Disposable;
	readonly #closing = new AbortController();
	#line = '';
	#shown: { readonly rows: readonly LedgerRow[]; readonly firstRow: number } = { rows: [], firstRow: 0 };
	#entry: LedgerFilter = {};

	constructor(ports: LedgerViewPorts) {
		this.#ports = ports;
		this.#check = new LateCheck({ isOpen, renew: () => ports.renew() }, limits.ledgerCheckPatienceMs);
		this.#opening = vscode.workspace.onDidOpenTextDocument((document) => {
			if (isLedger(document)) {
				this.#check.show();
			}
		});
	}

	dispose(): void {
		this.#opening.dispose();
		this.#closing.abort(new vscode.CancellationError());
	}

	get #filter(): LedgerFilter {
		const filter = readFilterLine(this.#line);
		return typeof filter === 'string' ? {} : filter;
	}

	/** False when the user left it as it was. */
	async askFilter(): Promise<boolean> {
		const line = await vscode.window.showInputBox({
			title: vscode.l10n.t('Filter Ledger'),
			prompt: vscode.l10n.t('Words and filters: op: kind: thread: id: since: until: (leave empty to show all)'),
			placeHolder: 'op:shell.run kind:denial since:2026-11-20 git push',
			value: this.#line,
			validateInput(typed) {
				const read = readFilterLine(typed);
				return typeof read === 'string' ? read : undefined;
			},
		});
		if (line === undefined) {
			return false;
		}
		this.#line = line.trim();
		return true;
	}

	async page(): Promise<string> {
		// A large ledger takes a while.
		const check = await this.#check.take(() => this.#verified());
		try {
			const { ledger } = await this.#ports.base();
			const rows = await ledger.query({ ...this.#filter, limit: limits.ledgerRows });
			return this.#render(rows, check);
		} catch (error) {
			return this.#render([], { kind: 'failed', why: `${sentenceOf(error)} Nothing is done that cannot be recorded.` });
		}
	}

	#render(rows: readonly LedgerRow[], check: Check): string {
		const page = { rows, limit: limits.ledgerRows, filter: this.#line, check, readAt: new Date() };
		const { text, firstRow } = ledgerText(page);
		this.#shown = { rows, firstRow };
		return text;
	}

	async #verified(): Promise<Check> {
		const limit = deriveSignal(this.#closing.signal, {
			what: 'checking the ledger',
			timeoutMs: limits.ledgerCheckMs,
		});
		try {
			const { ledger } = await this.#ports.base();
			return { kind: 'done', verification: await ledger.verify(limit.signal) };
		} catch (error) {
			return { kind: 'failed', why: sentenceOf(error) };
		} finally {
			limit.dispose();
		}
	}

	provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
		const { rows, firstRow } = this.#shown;
		return rows.flatMap((row, index) => {
			const line = firstRow + index;
			if (line >= document.lineCount) {
				return [];
			}
			const given = encodeURIComponent(JSON.stringify([idOf(row)]));
			const target = vscode.Uri.parse(`command:${ENTRY_COMMAND}?${given}`);
			const link = new vscode.DocumentLink(new vscode.Range(line, 0, line, LINK_CHARACTERS), target);
			link.tooltip = vscode.l10n.t('Show everything recorded about this');
			return [link];
		});
	}

	/** `id`: of an op, or `writer:number` of a row; otherwise the row under the cursor. False when there is none. */
	pickEntry(id: unknown): boolean {
		const chosen = typeof id === 'string' ? id : this.#idUnderCursor();
		if (chosen === undefined) {
			inform(vscode.l10n.t('Place the cursor on a row of the ledger first.'));
			return false;
		}
		const [, writer, seq] = /^(.+):(\d{1,15})$/.exec(chosen) ?? [];
		this.#entry = writer === undefined ? { opId: chosen } : { row: { writer, seq: Number(seq) } };
		return true;
	}

	#idUnderCursor(): string | undefined {
		const editor = vscode.window.activeTextEditor;
		if (editor === undefined || !isLedger(editor.document)) {
			return undefined;
		}
		const row = this.#shown.rows[editor.selection.active.line - this.#shown.firstRow];
		return row === undefined ? undefined : idOf(row);
	}

	async entry(): Promise<string> {
		const { ledger } = await this.#ports.base();
		const rows = await ledger.query({ ...this.#entry, limit: limits.ledgerRows });
		return entryText(rows.toReversed());
	}

	/** Says in this window that the ledger is damaged, if it is. */
	tellDamage({ ledger }: TrustedBase, log: LogPort): void {
		void tellLedgerDamage(ledger, log, this.#closing.signal);
	}

	/** The page is made anew, because the check of it was. */
	async acknowledgeDamage(): Promise<void> {
		const { ledger } = await this.#ports.base();
		if (await acknowledgeLedgerDamage(ledger, this.#closing.signal)) {
			this.#ports.renew();
		}
	}

	/** What the filter means, all of it; by the ending of the name as a table or as JSON lines. */
	async export(): Promise<void> {
		const uri = await vscode.window.showSaveDialog({
			title: this.#line === '' ? vscode.l10n.t('Export Ledger') : vscode.l10n.t('Export Ledger: {0}', this.#line),
			filters: { CSV: ['csv'], 'JSON Lines': ['jsonl'] },
			saveLabel: vscode.l10n.t('Export'),
		});
		if (uri === undefined) {
			return;
		}
		if (uri.scheme !== 'file') {
			fail(vscode.l10n.t("Choose a folder on this machine's disk."));
			return;
		}
		const { ledger } = await this.#ports.base();
		const format = uri.path.toLowerCase().endsWith('.csv') ? 'csv' : 'jsonl';
		await withProgress(vscode.l10n.t('Exporting the ledger…'), (signal) =>
			ledger.exportTo(uri.fsPath, format, this.#filter, signal),
		);
		const open = vscode.l10n.t('Open');
		const message = vscode.l10n.t('Exported the ledger to {0}.', uri.fsPath);
		if ((await inform(message, open)) === open) {
			await vscode.window.showTextDocument(uri);
		}
	}
}

function isOpen(): boolean {
	return vscode.workspace.textDocuments.some(isLedger);
}

function isLedger({ uri }: vscode.TextDocument): boolean {
	return uri.toString() === uriOf('ledger').toString();
}

export const ledgerPages: vscode.DocumentSelector = { scheme: DOCUMENT_SCHEME, pattern: uriOf('ledger').path };

function idOf({ opId, writer, seq }: LedgerRow): string {
	return opId ?? `${writer}:${seq}`;
}
