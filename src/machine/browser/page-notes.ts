/** Events on pages beside their content: messages, failed requests, dialogs, and what was refused to them. Bounded. */
import type { BrowserContext, Page, Request } from 'playwright-core';
import { cutText } from '../../base/text/one-line.ts';
import { NOTE_CHARS, PAGE_NOTES, READ_NOTE_CHARS } from './limits.ts';

/** Answer to the next dialog. */
export interface DialogAnswer {
	readonly accept: boolean;
	readonly text: string | undefined;
}

export class PageNotes {
	readonly console: string[] = [];
	readonly network: string[] = [];
	/** Told once, with the next look at the page. */
	#news: string[] = [];
	/** Hosts that were refused, as they were asked for by pages, not by the browser itself. */
	readonly refused = new Set<string>();
	answer: DialogAnswer = { accept: false, text: undefined };
	/** Requests that are under way, and when the last one began or ended. */
	#open = new Set<Request>();
	#changedAt = performance.now();
	readonly #isRefused: (host: string) => boolean;
	readonly #redact: (text: string) => string;

	constructor(isRefused: (host: string) => boolean, redact: (text: string) => string) {
		this.#isRefused = isRefused;
		this.#redact = redact;
	}

	/** Milliseconds since a page has asked for something; 0 while an answer is still to come. */
	get quietMs(): number {
		return this.#open.size > 0 ? 0 : performance.now() - this.#changedAt;
	}

	get errors(): number {
		return this.console.filter((line) => line.startsWith('error')).length;
	}

	follow(context: BrowserContext): void {
		const noteSettled = (request: Request) => {
			this.#open.delete(request);
			this.#changedAt = performance.now();
		};
		context.on('request', (request) => {
			this.#open.add(request);
			this.#changedAt = performance.now();
		});
		context.on('requestfinished', noteSettled);
		context.on('requestfailed', (request) => {
			noteSettled(request);
			const host = URL.parse(request.url())?.host ?? '';
			const isRefused = this.#isRefused(host);
			if (isRefused) this.refused.add(host);
			const why = isRefused ? 'not allowed' : (request.failure()?.errorText ?? 'failed');
			this.#keep(this.network, `${request.method()} ${request.url()} ${why}`);
		});
		context.on('response', (response) => {
			const host = URL.parse(response.url())?.host ?? '';
			const isRefused = response.status() === 403 && this.#isRefused(host);
			if (isRefused) this.refused.add(host);
			if (response.status() >= 400) {
				const what = isRefused ? 'not allowed' : String(response.status());
				this.#keep(this.network, `${response.request().method()} ${response.url()} ${what}`);
			}
		});
		context.on('console', (message) => this.#keep(this.console, `${message.type()} ${message.text()}`));
		context.on('weberror', (error) => this.#keep(this.console, `error ${error.error().message}`));
	}

	followPage(page: Page): void {
		page.on('websocket', (socket) => {
			socket.on('socketerror', (why) => {
				const host = URL.parse(socket.url())?.host ?? '';
				const isRefused = this.#isRefused(host);
				if (isRefused) this.refused.add(host);
				this.#keep(this.network, `WebSocket ${socket.url()} ${isRefused ? 'not allowed' : why}`);
			});
		});
		page.on('dialog', (dialog) => {
			const isLeaving = dialog.type() === 'beforeunload';
			const { accept, text } = this.answer;
			const isAccepted = accept || isLeaving;
			if (!isLeaving) {
				this.tell(`${dialog.type()} "${dialog.message()}": ${isAccepted ? 'accepted' : 'dismissed'}`);
			}
			const ending = isAccepted ? dialog.accept(text) : dialog.dismiss();
			// The page may have gone, and its dialog with it.
			ending.catch(() => undefined);
		});
		page.on('download', (download) => this.tell(`the download of ${download.suggestedFilename()} was refused`));
		page.on('filechooser', () => this.tell('the page asked for a file, which was refused'));
	}

	tell(what: string): void {
		this.#keep(this.#news, what);
	}

	takeNews(): readonly string[] {
		const news = this.#news;
		this.#news = [];
		return news;
	}

	clear(): void {
		this.console.length = 0;
		this.network.length = 0;
		this.#news = [];
		this.refused.clear();
		this.#open.clear();
	}

	#keep(list: string[], line: string): void {
		if (list.push(cutText(this.#redact(cutText(line, READ_NOTE_CHARS)), NOTE_CHARS)) > PAGE_NOTES) list.shift();
	}
}
