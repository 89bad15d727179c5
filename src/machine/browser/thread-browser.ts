/**
 * The browser of one thread: its process, its profile, which goes with it, and the page that is worked on. Which hosts its pages
 * reach is decided by the network that it is given.
 */
import type { BrowserContext, BrowserType, Frame, Locator, Page } from 'playwright-core';
import { cutText } from '../../base/text/one-line.ts';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { orAborted, raceTimeout, waitOrAborted } from '../../base/time/bounded-wait.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { makeOwnTemporaryFolder } from '../home-files/own-temporary-folder.ts';
import { type PageGlance, PageGlances } from './glance-at-page.ts';
import * as limits from './limits.ts';
import { type AdmitHost, PageNetwork } from './page-network.ts';
import { type DialogAnswer, PageNotes } from './page-notes.ts';
import { findElementWords, findFocusedFrames, hidePasswords, readPasswords } from './page-tree.ts';

/** Part of the package playwright-core that starts a browser. */
export interface BrowserDriver {
	readonly chromium: Pick<BrowserType, 'launchPersistentContext'>;
}

interface BrowserStart {
	readonly driver: BrowserDriver;
	/** Program of the browser. */
	readonly program: string;
	readonly environment: Readonly<Record<string, string>>;
	readonly admit: AdmitHost;
	/** Removes what nobody may read. */
	redact(text: string): string;
	/** True for a text with a secret of the user in it. */
	holdsSecret(text: string): boolean;
	/** Called once, when the browser has ended, however. */
	onEnd(): void;
}

/** An element as the last look has told of it. */
export interface FoundElement {
	readonly locator: Locator;
	/** Role and name, `button "Save"`, in the words of the page. */
	readonly words: string;
	/** Address of the document that it lies in; one without an address is that of the page around it. */
	readonly url: string;
	/** True for a field whose content is not shown. */
	readonly isForPassword: boolean;
}

/** No request goes around the proxy, whatever a page tries. */
const BROWSER_ARGUMENTS = [
	'--webrtc-ip-handling-policy=disable_non_proxied_udp',
	'--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
	'--disable-quic',
	'--no-pings',
	'--deny-permission-prompts',
];

export class ThreadBrowser {
	readonly #context: BrowserContext;
	readonly #network: PageNetwork;
	readonly #removeProfile: () => Promise<void>;
	readonly #redact: (text: string) => string;
	readonly #holdsSecret: (text: string) => boolean;
	readonly #glances: PageGlances;
	readonly notes: PageNotes;
	#page: Page | undefined;
	/** Last look at the page, by which elements are named. */
	#tree = '';
	#showsSecret = false;
	#closing: Promise<void> | undefined;

	private constructor(
		context: BrowserContext,
		network: PageNetwork,
		removeProfile: () => Promise<void>,
		{ redact, holdsSecret, onEnd }: BrowserStart,
	) {
		this.#context = context;
		this.#network = network;
		this.#removeProfile = removeProfile;
		this.#redact = redact;
		this.#holdsSecret = holdsSecret;
		this.#glances = new PageGlances({ redact, holdsSecret });
		this.notes = new PageNotes((host) => network.isRefused(host), redact);
		this.notes.follow(context);
		context.on('page', (page) => this.#follow(page));
		context.once('close', () => {
			onEnd();
			void this.close();
		});
	}

	/** Rejects with COMMAND_FAILED_TO_START, or with the signal's reason. */
	static async start(start: BrowserStart, signal: AbortSignal): Promise<ThreadBrowser> {
		const profile = await makeOwnTemporaryFolder('prowess-browser-');
		const network = await PageNetwork.start(start.admit);
		let launching: Promise<BrowserContext> | undefined;
		try {
			launching = start.driver.chromium.launchPersistentContext(profile.path, {
				executablePath: start.program,
				headless: true,
				// Chromium has no sandbox of its own for the superuser.
				chromiumSandbox: process.getuid?.() !== 0,
				proxy: { server: network.address, username: 'prowess', password: network.credential, bypass: '<-loopback>' },
				env: privateEnvironment(start.environment, profile.path),
				args: BROWSER_ARGUMENTS,
				permissions: [],
				acceptDownloads: false,
				serviceWorkers: 'block',
				viewport: limits.PAGE_SIZE,
				// The host ends it by itself.
				handleSIGINT: false,
				handleSIGTERM: false,
				handleSIGHUP: false,
				timeout: limits.BROWSER_START_MS,
			});
			const context = await orAborted(launching, signal);
			context.setDefaultTimeout(limits.PAGE_ACT_MS);
			context.setDefaultNavigationTimeout(limits.PAGE_LOAD_MS);
			return new ThreadBrowser(context, network, () => profile.remove(), start);
		} catch (error) {
			const ending = Promise.resolve(launching?.then((context) => context.close())).catch(() => undefined);
			const left = ending.then(() => Promise.all([network.close(), profile.remove()]));
			// Stopping does not wait for a browser that is still starting.
			await raceTimeout(left, limits.BROWSER_STOP_MS);
			signal.throwIfAborted();
			const why = firstLine(error);
			const message = `the browser ${start.program} could not be started: ${why}`;
			const said = text('The browser {program} could not be started: {why}', { program: start.program, why });
			throw new ProwessError('COMMAND_FAILED_TO_START', message, { said }, error);
		}
	}

	/** Address of the page; undefined: none is open. */
	get url(): string | undefined {
		return this.#page?.url();
	}

	/** Closes all pages, with those that they open meanwhile, and ends their connections. An empty one takes their place. */
	async leave(signal: AbortSignal): Promise<void> {
		// No page that was there is shown any more, whatever comes of the new one.
		this.#page = undefined;
		this.#tree = '';
		const empty = await this.#ask(this.#context.newPage(), signal);
		// Asks the browser itself: pages that have just been opened are not known here yet.
		const session = await this.#ask(this.#context.newCDPSession(empty), signal);
		const { targetInfo: own } = await this.#ask(session.send('Target.getTargetInfo'), signal);
		for (;;) {
			const { targetInfos } = await this.#ask(session.send('Target.getTargets'), signal);
			const others = targetInfos.filter(({ type, targetId }) => type === 'page' && targetId !== own.targetId);
			if (others.length === 0) break;
			const closing = others.map(({ targetId }) =>
				// Pages may have closed meanwhile.
				session.send('Target.closeTarget', { targetId }).catch(() => undefined),
			);
			await this.#ask(Promise.all(closing), signal);
			await waitOrAborted(limits.PAGE_QUIET_MS, signal);
		}
		await this.#ask(session.detach(), signal);
		this.#network.reset();
		this.notes.clear();
		this.#page = empty;
	}

	/** Opens a page in the empty one that `leave` has left. Rejects with REQUEST_FAILED. */
	async open(url: string, signal: AbortSignal): Promise<void> {
		const page = this.#require();
		let why: string | undefined;
		try {
			await orAborted(page.goto(url, { waitUntil: 'domcontentloaded' }), signal);
		} catch (error) {
			signal.throwIfAborted();
			why = /ERR_ABORTED/.test(toErrorMessage(error)) ? 'it is no page, but a download' : firstLine(error);
		}
		const host = URL.parse(page.url())?.host ?? '';
		const asked = URL.parse(url)?.host ?? '';
		const refused = [host, asked].find((each) => this.#network.isRefused(each));
		if (refused !== undefined) why = `it leads to ${refused}, which may not be reached from here`;
		if (why !== undefined) {
			await page.close().catch(() => undefined);
			throw new ProwessError('REQUEST_FAILED', `${url} cannot be opened: ${why}`, {
				said: text('{url} cannot be opened: {why}', { url, why }),
			});
		}
		await this.#rest(signal);
	}

	/** Does something on the page and waits, bounded, for what comes of it; one that is stopped closes the page. Rejects with INVALID_STATE where it cannot be done. */
	async act(work: (page: Page) => Promise<unknown>, answer: DialogAnswer, signal: AbortSignal): Promise<void> {
		const page = this.#require();
		this.notes.answer = answer;
		try {
			await orAborted(work(page), signal).catch(async (error: unknown) => {
				// Stopped acts must not happen later, and this one may still wait for its element.
				const leaving = signal.aborted ? page.close().catch(() => undefined) : Promise.resolve();
				await raceTimeout(leaving, limits.BROWSER_STOP_MS);
				throw error;
			});
			await this.#rest(signal);
		} catch (error) {
			signal.throwIfAborted();
			const why = firstLine(error);
			throw new ProwessError('INVALID_STATE', `this cannot be done on the page: ${why}. Look at it again`, {
				said: text('This cannot be done on the page: {why}', { why }),
			});
		} finally {
			this.notes.answer = { accept: false, text: undefined };
		}
	}

	/** The page as a tree with references, without what stands in fields for passwords; `isCut`: there was more. */
	async readTree(signal: AbortSignal): Promise<{ readonly tree: string; readonly isCut: boolean }> {
		const page = this.#require();
		const options = { mode: 'ai', timeout: limits.PAGE_ANSWER_MS } as const;
		const [read, hidden] = await this.#ask(Promise.all([page.ariaSnapshot(options), readPasswords(page)]), signal);
		const { tree: written, isElsewhere } = hidePasswords(read, hidden);
		this.#showsSecret = this.#holdsSecret(written) || (isElsewhere && this.#holdsSecret(hidden.join('\n')));
		const shown = this.#redact(written);
		this.#tree = shown;
		return { tree: cutText(shown, limits.TOLD_PAGE_CHARS), isCut: shown.length > limits.TOLD_PAGE_CHARS };
	}

	async readText(signal: AbortSignal): Promise<string> {
		const read = this.#require().locator('body').innerText({ timeout: limits.PAGE_ANSWER_MS });
		return cutText(this.#redact(await this.#ask(read, signal)), limits.TOLD_PAGE_CHARS);
	}

	async readTitle(signal: AbortSignal): Promise<string> {
		return this.#redact(await this.#ask(this.#require().title(), signal));
	}

	/** Resolves with false when the text has not come in time. */
	async waitForText(wanted: string, signal: AbortSignal): Promise<boolean> {
		const until = performance.now() + limits.TEXT_WAIT_MS;
		for (;;) {
			await this.readTree(signal);
			if (this.#tree.includes(wanted)) return true;
			if (performance.now() > until) return false;
			await waitOrAborted(limits.TEXT_LOOK_MS, signal);
		}
	}

	/** Picture of what is in sight, as PNG in base64; undefined where the page shows what nobody may read. */
	async takePicture(signal: AbortSignal): Promise<string | undefined> {
		const page = this.#require();
		await this.readTree(signal);
		const shown = await this.#ask(page.locator('body').innerText({ timeout: limits.PAGE_ANSWER_MS }), signal);
		if (this.#showsSecret || this.#holdsSecret(shown)) return undefined;
		const options = { type: 'png', scale: 'css', timeout: limits.PAGE_ANSWER_MS } as const;
		return (await this.#ask(page.screenshot(options), signal)).toString('base64');
	}

	/** Returns what the user who watches sees of it; undefined: none is open, or it does not answer now. */
	async glance(signal: AbortSignal): Promise<PageGlance | undefined> {
		const page = this.#page;
		if (page === undefined || page.isClosed()) return undefined;
		return await this.#glances.take(page, signal);
	}

	/** The element that the last look has named so. Rejects with INVALID_PARAMS where there is none. */
	async find(ref: string, signal: AbortSignal): Promise<FoundElement> {
		const page = this.#require();
		const words = findElementWords(this.#tree, ref);
		const locator = page.locator(`aria-ref=${ref}`);
		const handle =
			words === undefined
				? undefined
				: await orAborted(locator.elementHandle({ timeout: limits.PAGE_ACT_MS }), signal).catch(() => undefined);
		signal.throwIfAborted();
		if (words === undefined || !handle) {
			const message = `the last look at the page has no element ${ref}. Look again`;
			throw new ProwessError('INVALID_PARAMS', message, { said: text('The page has no element {ref}.', { ref }) });
		}
		try {
			const isPassword = handle.evaluate((element) => (element as { type?: unknown }).type === 'password');
			const [frame, isForPassword] = await this.#ask(Promise.all([handle.ownerFrame(), isPassword]), signal);
			return { locator, words, url: readFrameAddress(frame), isForPassword };
		} finally {
			// The page may have gone, and its element with it.
			handle.dispose().catch(() => undefined);
		}
	}

	/** Addresses of the documents that keys may go to; that of the page where none of its frames has the focus. */
	async findFocus(signal: AbortSignal): Promise<readonly string[]> {
		const page = this.#require();
		const focused = await this.#ask(findFocusedFrames(page), signal);
		return [...new Set((focused.length === 0 ? [page.mainFrame()] : focused).map(readFrameAddress))];
	}

	/** Never rejects; all callers wait for the same end. */
	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	async #close(): Promise<void> {
		await raceTimeout(
			this.#context.close().catch(() => undefined),
			limits.BROWSER_END_MS,
		);
		await this.#network.close();
		await this.#removeProfile();
	}

	#require(): Page {
		if (this.#page === undefined || this.#page.isClosed()) {
			throw new ProwessError('INVALID_STATE', 'no page is open in the browser. Open one with browser_open', {
				said: text('No page is open in the browser.'),
			});
		}
		return this.#page;
	}

	/** A page that does not answer is stuck: nothing can be done with it. */
	async #ask<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
		const answered = answer.then((value) => ({ value }));
		const asked = await orAborted(raceTimeout(answered, limits.PAGE_ANSWER_MS), signal).catch((error: unknown) => {
			signal.throwIfAborted();
			throw stuckPageError(firstLine(error));
		});
		if (asked !== undefined) return asked.value;
		answered.catch(() => undefined);
		await this.close();
		throw stuckPageError(`it did not answer for ${limits.PAGE_ANSWER_MS / 1_000} s, so its browser was closed`);
	}

	#follow(page: Page): void {
		this.notes.followPage(page);
		page.once('close', () => {
			if (this.#page === page) this.#page = this.#context.pages().at(-1);
		});
		// Until it is known whose it is, the page before it is shown.
		void page.opener().then((opener) => this.#show(page, opener));
	}

	#show(page: Page, opener: Page | null): void {
		if (this.#page === undefined || this.#page === page || page.isClosed()) return;
		// Pages go with the one that has opened them when it is left, however late they come.
		if (opener === null) {
			void page.close().catch(() => undefined);
			return;
		}
		this.notes.tell('a new page was opened and is the one that is shown now');
		this.#page = page;
		const [oldest, ...others] = this.#context.pages();
		if (others.length >= limits.MAX_BROWSER_PAGES) void oldest?.close().catch(() => undefined);
	}

	async #rest(signal: AbortSignal): Promise<void> {
		const until = performance.now() + limits.PAGE_REST_MS;
		while (this.notes.quietMs < limits.PAGE_QUIET_MS && performance.now() < until) {
			await waitOrAborted(limits.PAGE_QUIET_MS / 2, signal);
		}
	}
}

/** A browser keeps its files in its profile. The folder for temporary files stays: below a profile, paths of sockets are too long. */
function privateEnvironment(environment: Readonly<Record<string, string>>, profile: string): Record<string, string> {
	const own = ['HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'];
	return { ...environment, ...Object.fromEntries(own.map((name) => [name, profile])) };
}

/** Address of the document; of one without an address of its own, that of the page around it. */
function readFrameAddress(frame: Frame | null): string {
	let at = frame;
	while (at !== null && !/^(?:blob:)?https?:/.test(at.url())) at = at.parentFrame();
	return at?.url() ?? '';
}

function stuckPageError(why: string): ProwessError {
	return new ProwessError('INVALID_STATE', `the page cannot be read: ${why}`, {
		said: text('The page cannot be read: {why}', { why }),
	});
}

function firstLine(error: unknown): string {
	return (toErrorMessage(error).split('\n')[0] ?? '').replace(/^[\w.]+: /, '');
}
