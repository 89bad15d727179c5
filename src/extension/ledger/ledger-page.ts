/** *Show Ledger*: one tab with what was recorded, newest first. The page draws; what it shows is read and put into words here. */
import * as vscode from 'vscode';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import type { Disposable } from '../../base/disposable.ts';
import { raceTimeout } from '../../base/time/bounded-wait.ts';
import type { Ledger } from '../../contract/ledger.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import { readFilterLine } from '../../trust/record/ledger/filter-line.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { ThreadId } from '../../protocol/rpc/ids.ts';
import type { ActFilter, LedgerFilter } from '../../protocol/approvals/ledger.ts';
import {
	LedgerPageFilter,
	ledgerPageNotifications,
	ledgerPageRequests,
	type LedgerVerdict,
	NO_LEDGER_FILTER,
} from '../../protocol/pages/ledger-page.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { type EditorCommandId, LEDGER_PAGE } from '../editor/command-table.ts';
import { extensionLimits } from '../editor/limits.ts';
import { inform, showErrorNotice, withProgress } from '../notices/notices.ts';
import { pageActs } from '../webview/page-acts.ts';
import { KeptPageTab } from '../webview/page-tab.ts';
import { pageEntry, pageRow, formatThreadTitle } from './ledger-rows.ts';
import { createTitleTranslator } from '../shown/title-translations.ts';
import { acknowledgeLedgerDamage, noVerdict, tellLedgerDamage, toLedgerVerdict } from './ledger-verdict.ts';

interface LedgerPagePorts {
	readonly log: LogPort;
	readonly extensionUri: vscode.Uri;
	base(): Promise<TrustedBase>;
	/** Undefined when there is none: then threads have no titles. */
	server(): Promise<Peer | undefined>;
	onShow(): void;
}

type RowFilter = { readonly ok: true; readonly filter: ActFilter } | { readonly ok: false; readonly problem: string };

interface TitledThread {
	readonly id: string;
	readonly title: string;
}

/** `listed`: to choose from. `ofRows`: also sub-agents, and threads older than those. */
interface Titled {
	readonly listed: readonly TitledThread[];
	readonly ofRows: readonly TitledThread[];
}

export class LedgerPage {
	readonly #ports: LedgerPagePorts;
	readonly #closing = new AbortController();
	readonly #translateTitle = createTitleTranslator(vscode.l10n.bundle);
	readonly #tab: KeptPageTab<LedgerPageFilter>;
	/** To be told once it has started. */
	#isSearchWanted = false;
	#timer: NodeJS.Timeout | undefined;
	/** Threads with their titles, as they were read last. */
	#titled: Titled = { listed: [], ofRows: [] };

	constructor(ports: LedgerPagePorts) {
		this.#ports = ports;
		this.#tab = new KeptPageTab(
			{ ...ports, face: 'ledger', viewType: LEDGER_PAGE, serve: (peer) => this.#serve(peer) },
			LedgerPageFilter,
			NO_LEDGER_FILTER,
		);
	}

	/** `filter`: nothing else is shown than what fits it. Absent: what was shown before. */
	show(filter?: Partial<LedgerPageFilter>): void {
		this.#ports.onShow();
		if (filter !== undefined) {
			this.#tab.shown = { ...NO_LEDGER_FILTER, ...filter };
			this.#tab.notify(ledgerPageNotifications.filter, { filter: this.#tab.shown });
		}
		this.#tab.reveal(vscode.l10n.t('Ledger'));
	}

	/** Shows it with the keyboard in the field of its filter. */
	search(): void {
		this.#isSearchWanted = !this.#tab.isStarted;
		this.show();
		this.#tab.notify(ledgerPageNotifications.search, {});
	}

	restore(panel: vscode.WebviewPanel, state: unknown): void {
		this.#tab.restore(panel, state);
	}

	/** From the moment it is there: says that it is damaged, if it is, and shows what is recorded. */
	follow({ ledger }: TrustedBase): Disposable {
		void tellLedgerDamage(ledger, this.#ports.log, this.#closing.signal);
		return ledger.onDidRecord(() => {
			if (this.#tab.isStarted) {
				this.#timer ??= setTimeout(() => {
					this.#timer = undefined;
					this.#tab.notify(ledgerPageNotifications.recorded, {});
				}, extensionLimits.ledgerRefreshMs);
			}
		});
	}

	/** False when there is nothing to acknowledge, or the user does not. The page checks again. */
	async acknowledgeDamage(): Promise<boolean> {
		const { ledger } = await this.#ports.base();
		const isDone = await acknowledgeLedgerDamage(ledger, this.#closing.signal);
		if (isDone) {
			this.#tab.notify(ledgerPageNotifications.filter, { filter: this.#tab.shown });
		}
		return isDone;
	}

	dispose(): void {
		clearTimeout(this.#timer);
		this.#closing.abort(new vscode.CancellationError());
		this.#tab.dispose();
	}

	#serve(peer: Peer): void {
		const { base } = this.#ports;
		peer.serve(ledgerPageRequests, {
			start: async () => {
				if (this.#isSearchWanted) {
					this.#isSearchWanted = false;
					setImmediate(() => this.#tab.notify(ledgerPageNotifications.search, {}));
				}
				return { filter: this.#tab.shown, ...this.#tab.start() };
			},
			rows: async ({ filter, before }, signal) => {
				this.#tab.shown = filter;
				return this.#rows(filter, before, signal);
			},
			entries: async ({ id }) => ({ entries: await this.#entries(id) }),
			verify: async (_, signal) => this.#verdict(signal),
			export: async ({ filter }) => {
				const { filter: meant, line } = rowsMeant(filter);
				await exportLedgerToFile((await base()).ledger, meant, line);
				return {};
			},
			acknowledge: async () => ({ done: await this.acknowledgeDamage() }),
			openThread: async ({ threadId }) => {
				const command: EditorCommandId = 'prowess.openThread';
				await vscode.commands.executeCommand(command, ThreadId.parse(threadId));
				return {};
			},
			copy: pageActs.copy,
		});
	}

	async #rows(filter: LedgerPageFilter, before: number | null, signal: AbortSignal) {
		const read = parseActFilter(filter);
		if (!read.ok) {
			const { listed } = await this.#threads([]);
			return { rows: [], next: null, threads: [...listed], problem: read.problem };
		}
		const { ledger, scripts } = await this.#ports.base();
		const { acts, next } = await ledger.acts(read.filter, extensionLimits.ledgerRows, before, signal);
		const threadIds = [...new Set(acts.flatMap(({ first: { threadId } }) => threadId ?? []))];
		const { listed, ofRows } = await this.#threads(threadIds);
		const titles = new Map(ofRows.map(({ id, title }) => [id, title]));
		const ofScripts = this.#runsAmong(
			scripts,
			threadIds.filter((id) => !titles.has(id)),
		);
		return {
			rows: acts.map((act) => pageRow(act, { titles, ofScripts }, this.#translateTitle)),
			next,
			threads: [...listed],
			problem: null,
		};
	}

	/** Never throws: where what is kept of scripts cannot be read, the rows are shown all the same. */
	#runsAmong(scripts: Pick<TrustedBase['scripts'], 'runsAmong'>, threadIds: readonly string[]): ReadonlySet<string> {
		try {
			return scripts.runsAmong(threadIds);
		} catch (error) {
			this.#ports.log.warn('the ledger shows no runs of scripts', { error: String(error) });
			return new Set();
		}
	}

	/** Titles that come too late, because the server is only starting, are shown when they are there. */
	async #threads(ofRows: readonly string[]): Promise<Titled> {
		const before = JSON.stringify(this.#titled);
		const reading = this.#readThreads(ofRows as ThreadId[]);
		const inTime = await raceTimeout(reading, extensionLimits.ledgerTitlesPatienceMs);
		if (inTime === undefined) {
			void reading.then((late) => {
				if (JSON.stringify(late) !== before) {
					this.#tab.notify(ledgerPageNotifications.recorded, {});
				}
			});
		}
		return inTime ?? this.#titled;
	}

	/** Never rejects: without a server the rows are shown all the same. */
	async #readThreads(threadIds: ThreadId[]): Promise<Titled> {
		try {
			const server = await this.#ports.server();
			const [listed, ofRows] = await Promise.all([
				server?.call(threadRequests.list, { limit: extensionLimits.ledgerThreads }, this.#closing.signal),
				server?.call(threadRequests.titles, { threadIds }, this.#closing.signal),
			]);
			this.#titled = {
				listed: (listed?.threads ?? []).map(toTitledThread),
				ofRows: (ofRows?.threads ?? []).map(toTitledThread),
			};
		} catch (error) {
			this.#ports.log.warn('the ledger shows no titles of threads', { error: String(error) });
		}
		return this.#titled;
	}

	async #entries(id: string) {
		const { ledger } = await this.#ports.base();
		const [, writer, seq] = /^(.+):(\d{1,15})$/.exec(id) ?? [];
		const which = writer === undefined ? { opId: id } : { row: { writer, seq: Number(seq) } };
		const rows = await ledger.query({ ...which, limit: extensionLimits.ledgerEntryRows });
		return rows.toReversed().map(pageEntry);
	}

	async #verdict(signal: AbortSignal): Promise<LedgerVerdict> {
		const limit = deriveSignal(signal, { what: 'checking the ledger', timeoutMs: extensionLimits.ledgerCheckMs });
		try {
			const { ledger } = await this.#ports.base();
			return toLedgerVerdict(await ledger.verify(limit.signal));
		} catch (error) {
			signal.throwIfAborted();
			return noVerdict(error);
		} finally {
			limit.dispose();
		}
	}
}

function parseActFilter({ line, threadId, doer, end, withHousekeeping }: LedgerPageFilter): RowFilter {
	const read = readFilterLine(line);
	if (typeof read === 'string') {
		return { ok: false, problem: read };
	}
	const { opId, row, op, kind } = read;
	const isExact = [opId, row, op, kind].some((given) => given !== undefined);
	return {
		ok: true,
		filter: {
			...read,
			...(threadId === null ? {} : { threadId }),
			...(doer === null ? {} : { doer }),
			...(end === null ? {} : { end }),
			// A filter that names an op, a row or a kind includes it, even if it is housekeeping.
			withHousekeeping: withHousekeeping || isExact,
		},
	};
}

/** Rows to export, with how the user reads it. An export leaves out no half of an effect and no housekeeping. */
function rowsMeant(page: LedgerPageFilter): { readonly filter: LedgerFilter; readonly line: string } {
	const read = parseActFilter(page);
	const { end: _, withHousekeeping: __, ...filter }: ActFilter = read.ok ? read.filter : {};
	const named = [
		...(page.threadId === null ? [] : [`thread:${page.threadId}`]),
		...(page.doer === null ? [] : [`by:${page.doer}`]),
	];
	return { filter, line: [...named, ...(read.ok ? [page.line.trim()] : [])].filter((each) => each !== '').join(' ') };
}

function toTitledThread({ id, title }: TitledThread): TitledThread {
	return { id, title: formatThreadTitle(title) };
}

/** `line`: the filter as the user reads it; empty: there is none. */
async function exportLedgerToFile(ledger: Ledger, filter: LedgerFilter, line: string): Promise<void> {
	const uri = await vscode.window.showSaveDialog({
		title: line === '' ? vscode.l10n.t('Export Ledger') : vscode.l10n.t('Export Ledger: {0}', line),
		filters: { CSV: ['csv'], 'JSON Lines': ['jsonl'] },
		saveLabel: vscode.l10n.t('Export'),
	});
	if (uri === undefined) {
		return;
	}
	if (uri.scheme !== 'file') {
		showErrorNotice(vscode.l10n.t("Choose a folder on this machine's disk."));
		return;
	}
	const format = uri.path.toLowerCase().endsWith('.csv') ? 'csv' : 'jsonl';
	await withProgress(vscode.l10n.t('Exporting the ledger…'), (signal) =>
		ledger.exportTo(uri.fsPath, format, filter, signal),
	);
	const open = vscode.l10n.t('Open');
	if ((await inform(vscode.l10n.t('Exported the ledger to {0}.', uri.fsPath), open)) === open) {
		await vscode.window.showTextDocument(uri);
	}
}
