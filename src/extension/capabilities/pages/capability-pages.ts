/**
 * The pages about capabilities: one tab for each kind of page, which shows what was asked for last. A page is made when it
 * is shown, and again when what it tells has changed; one that cannot be made says why.
 */
import * as vscode from 'vscode';
import type { LogPort, WorkspacePort } from '../../../contract/ports/ports.ts';
import { waitOrAborted } from '../../../base/time/bounded-wait.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import {
	formNotifications,
	PageAddress,
	type PageContent,
	pageNotifications,
	pageRequests,
} from '../../../protocol/pages/capability-page.ts';
import type { Peer } from '../../../protocol/rpc/peer.ts';
import { CAPABILITY_PAGE } from '../../editor/command-table.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { inBackground, isCancellation } from '../../editor/signals.ts';
import { explainError, showFailure } from '../../notices/user-message.ts';
import { openNamedFile } from '../../webview/open-file.ts';
import { pageActs } from '../../webview/page-acts.ts';
import { PageTab } from '../../webview/page-tab.ts';
import type { BuiltPage } from './built-page.ts';
import { PageFollowing } from './page-following.ts';

export class CapabilityPages {
	readonly #ports: PagePanelPorts;
	readonly #open = new Map<PageKind, PagePanel>();

	constructor(ports: PagePanelPorts) {
		this.#ports = ports;
	}

	show(address: PageAddress): void {
		const open = this.#open.get(address.kind);
		if (open === undefined) {
			this.#add(address);
		} else {
			open.show(address);
		}
	}

	/** True while the user sees the page of this kind, and it is about that. */
	isInSight(kind: PageKind, of: string): boolean {
		const open = this.#open.get(kind);
		return open !== undefined && open.address.of === of && open.isInSight;
	}

	/** Gives a tab that was open before the window was loaded again its page. */
	restore(panel: vscode.WebviewPanel, state: unknown): void {
		const address = PageAddress.safeParse(state).data;
		if (address === undefined || this.#open.has(address.kind)) {
			panel.dispose();
			return;
		}
		this.#add(address, panel);
	}

	/** Refreshes the open page of this kind; with `of`, only when the page is about that. */
	refresh(kind: PageKind, of?: string): void {
		const open = this.#open.get(kind);
		if (open !== undefined && (of === undefined || open.address.of === of)) {
			open.refresh();
		}
	}

	dispose(): void {
		for (const page of [...this.#open.values()]) {
			page.dispose();
		}
	}

	#add(address: PageAddress, panel?: vscode.WebviewPanel): void {
		const { kind } = address;
		this.#open.set(kind, new PagePanel(this.#ports, address, () => this.#open.delete(kind), panel));
	}
}

/**
 * A tab with a page: makes what is on it when it is shown, and again when what it tells has changed. A page that cannot be
 * made says why.
 */
type PageKind = PageAddress['kind'];
/** Functions that make the pages of each kind. */
export type PageMakers = { readonly [K in PageKind]: (of: string, signal: AbortSignal) => Promise<BuiltPage> };

interface PagePanelPorts {
	readonly log: LogPort;
	readonly extensionUri: vscode.Uri;
	readonly workspace: WorkspacePort;
	readonly makers: PageMakers;
	readonly typed: TypedForms;
}

/** Store of texts that were typed into the forms of pages and not sent, by what the pages are about. */
export interface TypedForms {
	keep(of: string, values: Readonly<Record<string, string>>): Promise<void>;
	forget(of: string): Promise<void>;
}

class PagePanel {
	readonly #ports: PagePanelPorts;
	readonly #tab: PageTab;
	#address: PageAddress;
	/** Aborts the page that is being made; a newer one takes its place. */
	#making = new AbortController();
	#timer: NodeJS.Timeout | undefined;
	#built: BuiltPage | undefined;
	readonly #following = new PageFollowing({ isInSight: () => this.isInSight, refresh: () => this.refresh() });

	/** `panel`: one that was open before the window was loaded again. Default: a new one. */
	constructor(ports: PagePanelPorts, address: PageAddress, onClose: () => void, panel?: vscode.WebviewPanel) {
		this.#ports = ports;
		this.#address = address;
		this.#tab = new PageTab({
			log: ports.log,
			extensionUri: ports.extensionUri,
			face: 'page',
			viewType: CAPABILITY_PAGE,
			// Kept while it is hidden where something is typed into it.
			panel: { enableFindWidget: true, retainContextWhenHidden: address.kind === 'run' },
			serve: (peer) => this.#serve(peer),
			onDidChangeSight: () => this.#following.noteSight(),
			onClose: () => {
				clearTimeout(this.#timer);
				this.#following.end();
				this.#making.abort();
				onClose();
			},
		});
		if (panel !== undefined) {
			panel.title = address.title;
			this.#tab.adopt(panel);
		} else {
			this.#tab.reveal(address.title);
		}
		this.#make();
	}

	get address(): PageAddress {
		return this.#address;
	}

	get isInSight(): boolean {
		return this.#tab.isInSight;
	}

	show(address: PageAddress): void {
		const isOther = address.of !== this.#address.of;
		this.#address = address;
		// The other tabs stay where they are while one is made.
		if (isOther && this.#built?.content.tabs === undefined) {
			this.#built = undefined;
			this.#tell();
		}
		this.#tab.reveal(address.title);
		this.#make();
	}

	/** At once where nothing is shown; else soon, and once for many calls. */
	refresh(): void {
		if (this.#built === undefined) {
			this.#make();
		} else {
			this.#timer ??= setTimeout(() => this.#make(), extensionLimits.capabilityRefreshMs);
		}
	}

	dispose(): void {
		this.#tab.dispose();
	}

	#make(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#making.abort();
		this.#making = new AbortController();
		inBackground(this.#ports.log, 'page', this.#makeUntil(this.#making.signal));
	}

	async #makeUntil(signal: AbortSignal): Promise<void> {
		const { kind, of, title } = this.#address;
		const built = await this.#ports.makers[kind](of, signal).catch((error: unknown) => {
			if (signal.aborted || isCancellation(error)) throw error;
			return failedPage(title, explainError(error), this.#built?.changed !== undefined);
		});
		if (signal.aborted) return;
		this.#built = built;
		this.#tell();
		this.#following.begin(built.changed);
	}

	/** Returns what the page shows at present; the content is null while it is made for the first time. */
	#shown(): { readonly address: PageAddress; readonly content: PageContent | null } {
		const built = this.#built;
		if (built === undefined) {
			return { address: this.#address, content: null };
		}
		const actions = built.actions.map(({ action, label, isOn }) => ({
			action,
			label,
			...(isOn === undefined ? {} : { isOn }),
		}));
		const { opensWorkspaceFiles } = built;
		return {
			address: this.#address,
			content: { ...built.content, ...(opensWorkspaceFiles === undefined ? {} : { opensWorkspaceFiles }), actions },
		};
	}

	#tell(): void {
		this.#tab.notify(pageNotifications.changed, this.#shown());
	}

	#serve(peer: Peer): void {
		peer.on(formNotifications, {
			keep: ({ of, values }) => inBackground(this.#ports.log, 'page', this.#ports.typed.keep(of, values)),
		});
		peer.serve(pageRequests, {
			start: async () => ({ ...this.#shown(), ...this.#tab.start() }),
			act: async ({ action, on }) => {
				const offered =
					on === undefined
						? this.#built?.actions.find((each) => each.action === action)
						: this.#built?.rowActions?.get(on);
				if (offered?.action !== action) {
					throw new ProwessError('INVALID_STATE', vscode.l10n.t('This action is no longer available.'), { action });
				}
				// Not waited for: it may ask the person, and says by itself what went wrong.
				if ('act' in offered) {
					void offered
						.act()
						.catch((error: unknown) => showFailure(vscode.l10n.t('The command failed.'), error, this.#ports.log));
				} else {
					void vscode.commands.executeCommand(offered.command, offered.on);
				}
				return {};
			},
			submit: async ({ values }) => {
				const submitted = await this.#built?.submit?.(values);
				if (submitted === undefined) {
					throw new ProwessError('INVALID_STATE', vscode.l10n.t('This action is no longer available.'));
				}
				if ('problems' in submitted) {
					return { problems: submitted.problems };
				}
				void vscode.commands.executeCommand(submitted.command, submitted.on);
				await this.#ports.typed.forget(this.#address.of);
				return { problems: {} };
			},
			pick: async ({ field }) => {
				const picked = await this.#built?.pick?.(field);
				return { value: picked?.value ?? null, choices: [...(picked?.choices ?? [])] };
			},
			leave: async () => {
				await this.#ports.typed.forget(this.#address.of);
				// Answered before the page that waits for it is gone.
				setImmediate(() => this.#tab.dispose());
				return {};
			},
			openFile: async ({ path, line }, signal) => {
				if (this.#built?.opensWorkspaceFiles === true) {
					await openNamedFile(this.#ports.workspace, { path, line }, signal);
					return {};
				}
				const files = this.#built?.files;
				if (files === undefined || !files.paths.has(path)) {
					throw new ProwessError('NOT_FOUND', vscode.l10n.t('{0} is not a file of this capability.', path), { path });
				}
				const at = line === undefined ? {} : { selection: new vscode.Range(line - 1, 0, line - 1, 0) };
				const uri = vscode.Uri.joinPath(vscode.Uri.file(files.folder), path);
				await vscode.commands.executeCommand('vscode.open', uri, { preview: true, ...at });
				return {};
			},
			...pageActs,
		});
	}
}

/** `isFollowed`: it is tried again by and by, because it took the place of one that follows what changes. */
function failedPage(title: string, text: string, isFollowed: boolean): BuiltPage {
	return {
		content: { title, kicker: '', summary: '', blocks: [{ kind: 'problem', severity: 'error', text }] },
		actions: [],
		...(isFollowed && { changed: (signal: AbortSignal) => waitOrAborted(extensionLimits.failedPageMs, signal) }),
	};
}
