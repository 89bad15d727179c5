/** The view *Capabilities* in the side bar: hands its page the rows it asks for, tells it what changes, and does what a row offers. */
import * as vscode from 'vscode';
import type { LogPort } from '../../../contract/ports/ports.ts';
import {
	type CapabilitiesBadges,
	capabilitiesNotifications,
	capabilitiesRequests,
	CapabilitiesTab,
} from '../../../protocol/pages/capabilities-view.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { ParamsOf } from '../../../protocol/rpc/message.ts';
import type { Peer } from '../../../protocol/rpc/peer.ts';
import { CAPABILITIES_VIEW } from '../../editor/command-table.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { inBackground } from '../../editor/signals.ts';
import { renderPageHtml, webviewOptions } from '../../webview/page-files.ts';
import { PageLife } from '../../webview/page-session.ts';
import { type BuiltTab, callFor, toTabContent, type TabMaker, untrustedTab } from './built-tab.ts';

interface CapabilitiesViewPorts {
	readonly log: LogPort;
	readonly extensionUri: vscode.Uri;
	readonly makers: { readonly [T in CapabilitiesTab]: TabMaker };
	isTrusted(): boolean;
	/** Somebody looks at it, for the first time in this window or again. */
	onShow(): void;
}

type RevealedTab = ParamsOf<typeof capabilitiesNotifications.reveal>;

/** Tabs whose badge is counted without asking anybody outside of this machine. */
const COUNTED: readonly CapabilitiesTab[] = ['installed', 'mcp', 'runs'];
const ALL = { search: '', choice: '' };

export class CapabilitiesSideView {
	readonly #ports: CapabilitiesViewPorts;
	readonly #page: PageLife;
	readonly #closing = new AbortController();
	#view: vscode.WebviewView | undefined;
	/** Tabs as they were shown last; only actions that they offer are carried out. */
	readonly #built = new Map<CapabilitiesTab, BuiltTab>();
	/** To be told once the page has started. */
	#revealed: RevealedTab | null = null;
	readonly #timers = new Map<CapabilitiesTab, NodeJS.Timeout>();
	#tick: NodeJS.Timeout | undefined;
	readonly #badges = new Map<CapabilitiesTab, BuiltTab['badge']>();

	constructor(ports: CapabilitiesViewPorts) {
		this.#ports = ports;
		this.#page = new PageLife({ log: ports.log, face: 'capabilities', serve: (peer) => this.#serve(peer) });
	}

	/** Called by VS Code when the view is opened for the first time, and again when it was moved or closed. */
	attach(view: vscode.WebviewView): void {
		const { extensionUri } = this.#ports;
		this.#view = view;
		view.webview.options = webviewOptions(extensionUri);
		this.#page.begin(view.webview);
		// Once for each view: VS Code may never show a page that takes the place of one whose files still come.
		view.webview.html = renderPageHtml(view.webview, extensionUri, 'capabilities');
		view.onDidChangeVisibility(() => {
			if (!view.visible) {
				this.#page.begin(view.webview);
			}
		});
		view.onDidDispose(() => {
			if (this.#view === view) {
				this.#view = undefined;
				this.#page.end();
			}
		});
	}

	/** Opens the view at a tab. `isSearch`: with the keyboard in the field of its search. */
	async reveal(tab: CapabilitiesTab, isSearch = false): Promise<void> {
		const revealed = { tab, isSearch };
		this.#revealed = this.#page.isStarted ? null : revealed;
		await vscode.commands.executeCommand(`${CAPABILITIES_VIEW}.focus`);
		this.#page.notify(capabilitiesNotifications.reveal, revealed);
	}

	/** Soon, and once for many calls. */
	refresh(tab: CapabilitiesTab): void {
		if (this.#view !== undefined && !this.#timers.has(tab)) {
			const timer = setTimeout(() => {
				this.#timers.delete(tab);
				this.#page.notify(capabilitiesNotifications.changed, { tab });
				if (COUNTED.includes(tab)) {
					this.#count(tab);
				}
			}, extensionLimits.capabilityRefreshMs);
			this.#timers.set(tab, timer);
		}
	}

	dispose(): void {
		this.#closing.abort(new vscode.CancellationError());
		clearTimeout(this.#tick);
		for (const timer of this.#timers.values()) {
			clearTimeout(timer);
		}
		this.#page.end();
	}

	#serve(peer: Peer): void {
		clearTimeout(this.#tick);
		peer.serve(capabilitiesRequests, {
			start: async () => {
				const revealed = this.#revealed;
				this.#revealed = null;
				// Told after the answer.
				setImmediate(() => {
					this.#ports.onShow();
					for (const tab of COUNTED) {
						this.#count(tab);
					}
				});
				return { revealed, ...this.#page.start() };
			},
			read: async ({ tab, ...asked }, signal) => {
				const built = await this.#make(tab, asked, signal);
				this.#built.set(tab, built);
				if (built.isTicking === true) {
					clearTimeout(this.#tick);
					this.#tick = setTimeout(
						() => this.#page.notify(capabilitiesNotifications.changed, { tab }),
						extensionLimits.executionTickMs,
					);
				}
				return toTabContent(built, asked.search);
			},
			act: async ({ tab, on, action }) => {
				const built = this.#built.get(tab);
				const call = built === undefined ? undefined : callFor(built, on, action);
				if (call === undefined) {
					throw new ProwessError('INVALID_STATE', vscode.l10n.t('This action is no longer available.'), { action });
				}
				// Not waited for: it may ask the person, and says by itself what went wrong.
				void vscode.commands.executeCommand(call.command, call.on);
				return {};
			},
		});
	}

	async #make(tab: CapabilitiesTab, asked: typeof ALL, signal: AbortSignal): Promise<BuiltTab> {
		return this.#ports.isTrusted() ? this.#ports.makers[tab](asked, signal) : untrustedTab();
	}

	/** Looks how much in a tab asks for the user, and tells the page and the editor. */
	#count(tab: CapabilitiesTab): void {
		const updateBadges = async () => {
			this.#badges.set(tab, (await this.#make(tab, ALL, this.#closing.signal)).badge);
			const badges = Object.fromEntries(CapabilitiesTab.options.map((each) => [each, this.#badges.get(each) ?? null]));
			this.#page.notify(capabilitiesNotifications.badges, badges as CapabilitiesBadges);
			this.#showBadge();
		};
		inBackground(this.#ports.log, 'capabilities', updateBadges());
	}

	#showBadge(): void {
		const { count = 0, text = '' } = this.#badges.get('installed') ?? {};
		if (this.#view !== undefined) {
			this.#view.badge = count === 0 ? undefined : { value: count, tooltip: text };
		}
	}
}
