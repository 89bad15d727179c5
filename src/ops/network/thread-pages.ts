/**
 * The pages of one thread, and what is done to them. Hosts that pages ask for besides those that the user has agreed to are let
 * through only where the gate would let them pass without a question.
 */
import { cutText } from '../../base/text/one-line.ts';
import { orAborted } from '../../base/time/bounded-wait.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { isLoopbackUrl } from '../../protocol/base-url.ts';
import type { OpParams, OpResult } from '../../protocol/op-table/ops.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { text } from '../../protocol/text/text.ts';
import type { WatchedPage } from '../../contract/watched-page.ts';
import type { OpContext, Prepared } from '../../contract/ops/op-implementation.ts';
import type { OpTarget } from '../../contract/ops/target.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import { findBrowser } from '../../machine/browser/find-browser.ts';
import { BROWSER_IDLE_MS, TEXT_WAIT_MS } from '../../machine/browser/limits.ts';
import { type FoundElement, ThreadBrowser } from '../../machine/browser/thread-browser.ts';
import {
	type CheckedAddresses,
	isListedHost,
	resolveHost,
	type Resolve,
	systemResolve,
} from '../../machine/http/resolve-host.ts';
import { hostHere, isHere, refuseOwnPort, resolveHere } from '../../machine/http/server-here.ts';
import { parseTargetUrl, type TargetUrl } from '../../machine/http/target-url.ts';
import type { InnerServer } from '../../machine/sandbox/network/command-network.ts';
import type { SecretVault } from '../../machine/secrets/secret-vault.ts';
import { type InnerServerParts, toInnerServer } from './inner-servers.ts';
import {
	innerSecretError,
	pageChangedError,
	pagesClosedError,
	refuseWrongAct,
	refuseWrongSecret,
	titleAct,
	TITLE_CHARS,
} from './page-acts.ts';
import { loadDriver } from './page-driver.ts';

type HostTarget = Extract<OpTarget, { kind: 'host' }>;

/** Result of each op on pages. */
export type SeenPage = OpResult<'browser.look'>;

export interface BrowserParts extends InnerServerParts {
	/** PROWESS_HOME. */
	readonly home: string;
	readonly environment: Readonly<Record<string, string>>;
	readonly settings: Pick<HostPorts['settings'], 'current'>;
	/** Absent: the system's. */
	readonly resolve?: Resolve;
	readonly secrets: Pick<SecretVault, 'read'>;
	readonly redactor: { redact(text: string): string; redactKnown(text: string): string };
}

/** Events that a look tells of, the last ones. */
const SHOWN_NEWS = 20;
/** Hosts that were refused, of which a look tells. */
const SHOWN_REFUSED = 20;
/** Most characters of an address. */
const STEP_ADDRESS_CHARS = 500;

/** Carries out one op after the other: what one of them does to the page, the next one finds. */
export class PagesOfThread {
	readonly #parts: BrowserParts;
	readonly #onEnd: () => void;
	readonly threadId: ThreadId | null;
	/** Names of this machine mean the sandbox of the thread's commands, and nothing else, as long as this browser lives. */
	readonly isInner: boolean;
	#browser: ThreadBrowser | undefined;
	/** Hosts that the user has agreed to with the page, as rules write them. */
	#agreed: ReadonlySet<string> = new Set();
	/** Hosts outside this machine that pages were let through to. */
	readonly #reached = new Set<string>();
	/** The op that runs. */
	#context: OpContext | undefined;
	#last: Promise<unknown> = Promise.resolve();
	#idle: NodeJS.Timeout | undefined;
	#steps = 0;
	#isClosed = false;

	constructor(parts: BrowserParts, of: Pick<PagesOfThread, 'threadId' | 'isInner'>, onEnd: () => void) {
		this.#parts = parts;
		this.threadId = of.threadId;
		this.isInner = of.isInner;
		this.#onEnd = onEnd;
	}

	open(url: string, agreed: ReadonlySet<string>, context: OpContext): Promise<SeenPage> {
		return this.#inTurn(context, async () => {
			try {
				const browser = this.#browser ?? (await this.#start(context.signal));
				// Pages that are there reach nothing of what the new one may.
				this.#agreed = new Set();
				await browser.leave(context.signal);
				this.#agreed = agreed;
				await browser.open(url, context.signal);
				return await this.#tell(browser, context.signal);
			} catch (error) {
				if (this.#browser === undefined) await this.close();
				throw error;
			}
		});
	}

	async prepareLook({ at, until, picture }: OpParams<'browser.look'>): Promise<Prepared<SeenPage>> {
		const browser = this.#require();
		const where = browser.url ?? '';
		return {
			// The user agreed to it when it was opened, and looking asks it for nothing.
			targets: this.#targetsOf(where).map((each) => ({ ...each, isOpen: true })),
			detail: { kind: 'text', text: `Look at ${where}` },
			run: (context) =>
				this.#inTurn(context, async () => {
					const { signal } = context;
					const isThere = until === undefined || (await browser.waitForText(until, signal));
					const late = isThere ? [] : [`[the text did not come within ${TEXT_WAIT_MS / 1_000} s]`];
					const image = picture ? await browser.takePicture(signal) : undefined;
					const hidden = picture && image === undefined ? ['[no picture: the page shows a secret of the user]'] : [];
					const seen = await this.#tell(browser, signal, at);
					return {
						...seen,
						text: [...late, ...hidden, seen.text].join('\n'),
						...(image === undefined ? {} : { image: { type: 'image/png' as const, data: image } }),
					};
				}),
		};
	}

	async prepareAct(params: OpParams<'browser.act'>, signal: AbortSignal): Promise<Prepared<SeenPage>> {
		const { act, ref, text: given, secret } = params;
		const browser = this.#require();
		if (act === 'close') {
			return {
				title: titleAct(params),
				targets: [],
				detail: { kind: 'text', text: 'Close the browser' },
				run: (context) =>
					this.#inTurn(context, async () => {
						await this.close();
						return { text: 'The browser is closed.', host: '', hosts: [] };
					}),
			};
		}
		refuseWrongAct(params);
		const found = ref === undefined ? undefined : await browser.find(ref, signal);
		// Keys go to the frame that has the focus, whoever it belongs to.
		const isOnFocus = ref === undefined && act === 'press';
		const places = isOnFocus ? await browser.findFocus(signal) : [found?.url || (browser.url ?? '')];
		const targets = new Map(places.flatMap((each) => this.#targetsOf(each)).map((each) => [each.host, each]));
		const [[where = ''], [host = '']] = [places, [...targets.keys()]];
		if (secret !== undefined) {
			if (this.isInner) throw innerSecretError();
			refuseWrongSecret(found, parseTargetUrl(where), listAllowedHosts(this.#parts));
		}
		const what = [
			`${act} ${found?.words ?? ''}`.trim(),
			...(secret === undefined ? [] : [`with the secret "${secret}"`]),
			...(given === undefined ? [] : [given]),
			`on ${places.join(', ')}`,
		];
		return {
			title: titleAct(params, found),
			targets: [
				// A server of this machine is the user's own; elsewhere each act may buy or delete something.
				...[...targets.values()].map((each): HostTarget => (each.isHere === true ? { ...each, isOpen: true } : each)),
				...(secret === undefined ? [] : [{ kind: 'secret' as const, name: secret, host }]),
			],
			detail: { kind: 'text', text: what.join('\n') },
			run: (context) =>
				this.#inTurn(context, async () => {
					const now = ref === undefined ? undefined : await browser.find(ref, context.signal);
					if (now !== undefined && (now.url !== found?.url || now.words !== found.words)) {
						throw pageChangedError();
					}
					if (ref === undefined) {
						const at = isOnFocus ? await browser.findFocus(context.signal) : [browser.url];
						if (at.join('\n') !== places.join('\n')) throw pageChangedError();
					}
					if (secret !== undefined && now?.isForPassword !== true) throw pageChangedError();
					await this.#act(browser, params, now, context.signal);
					return await this.#tell(browser, context.signal);
				}),
		};
	}

	/** Waits for no op: the user sees what one of them does. */
	async watch(signal: AbortSignal): Promise<WatchedPage | undefined> {
		const url = this.#browser?.url;
		if (this.#browser === undefined || url === undefined || this.#isClosed) return undefined;
		const seen = await this.#browser.glance(signal);
		const { title = '', picture = 'unanswered' } = seen ?? {};
		const redacted = this.#parts.redactor.redact(url);
		const address = URL.parse(url);
		const isOfMachine = /^https?:/.test(url) && address !== null && isLoopbackUrl(address);
		return {
			url: cutText(redacted, STEP_ADDRESS_CHARS),
			title: cutText(title, TITLE_CHARS),
			picture,
			isInner: this.isInner && isOfMachine,
			isHere: !this.isInner && isOfMachine && redacted === url && url.length <= STEP_ADDRESS_CHARS,
		};
	}

	/** Ends it after what was begun before. Rejects when the signal aborts. */
	async leave(signal: AbortSignal): Promise<void> {
		await orAborted(this.#last, signal);
		await this.close();
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		clearTimeout(this.#idle);
		this.#onEnd();
		await this.#browser?.close();
	}

	async #start(signal: AbortSignal): Promise<ThreadBrowser> {
		const { environment, settings, redactor } = this.#parts;
		const program = await findBrowser(settings.current['prowess.browser.path'], environment);
		const driver = await loadDriver(this.#parts, signal);
		const browser = await ThreadBrowser.start(
			{
				driver,
				program,
				environment,
				admit: (target, until) => this.#admit(target, until),
				redact: (said) => redactor.redact(said),
				holdsSecret: (said) => redactor.redactKnown(said) !== said,
				onEnd: () => void this.close(),
			},
			signal,
		);
		if (this.#isClosed) {
			await browser.close();
			throw new ProwessError('CANCELLED', 'the thread has ended');
		}
		this.#browser = browser;
		return browser;
	}

	/** Rejects for a host that the user has not agreed to, and no rule lets pass; each connection is judged and resolved anew. */
	async #admit(target: TargetUrl, signal: AbortSignal): Promise<CheckedAddresses | InnerServer> {
		if (this.isInner && isHere(target)) return toInnerServer(this.#parts, this.threadId, target, signal);
		const { resolve = systemResolve } = this.#parts;
		const allowedHosts = listAllowedHosts(this.#parts);
		const named = toHostTarget(target, allowedHosts);
		if (named.isHere === true) await refuseOwnPort(target);
		if (!this.#agreed.has(named.host) && this.#context?.isAllowed(named) !== true) {
			throw new ProwessError('HOST_REFUSED', `the page may not reach ${named.host}`, { host: named.host });
		}
		if (named.isHere === true) return await resolveHere(target, resolve, signal);
		const addresses = await resolveHost(target, allowedHosts, resolve, signal);
		this.#reached.add(named.host);
		return addresses;
	}

	async #act(
		browser: ThreadBrowser,
		{ act, text: given, secret, accept }: OpParams<'browser.act'>,
		found: FoundElement | undefined,
		signal: AbortSignal,
	): Promise<void> {
		const typed = secret === undefined ? (given ?? '') : await this.#parts.secrets.read(secret);
		await browser.act(
			async (page) => {
				switch (act) {
					case 'click':
						return found?.locator.click();
					case 'hover':
						return found?.locator.hover();
					case 'type':
						return found?.locator.fill(typed);
					case 'select':
						return found?.locator.selectOption(typed);
					case 'press':
						return found === undefined ? page.keyboard.press(typed) : found.locator.press(typed);
					case 'back':
						return page.goBack({ waitUntil: 'domcontentloaded' });
					case 'close':
						return undefined;
				}
			},
			{ accept, text: act === 'click' ? given : undefined },
			signal,
		);
	}

	/** Text that a model reads of the page after a step. */
	async #tell(
		browser: ThreadBrowser,
		signal: AbortSignal,
		at: OpParams<'browser.look'>['at'] = 'page',
	): Promise<SeenPage> {
		const { notes } = browser;
		const { redactor } = this.#parts;
		this.#steps += 1;
		const title = cutText(await browser.readTitle(signal), TITLE_CHARS);
		const where = browser.url ?? '';
		const refused = [...notes.refused];
		const news = notes.takeNews();
		const lines = [
			`Step ${this.#steps}: ${cutText(redactor.redact(where), STEP_ADDRESS_CHARS)} "${title}"`,
			...news.slice(-SHOWN_NEWS).map((each) => `[${each}]`),
			...(refused.length === 0
				? []
				: [
						`[not allowed, so not loaded: ${refused.slice(0, SHOWN_REFUSED).join(', ')}. To load them, open the page again with hosts]`,
					]),
			...(notes.errors === 0 || at === 'console' ? [] : [`[errors in the console: ${notes.errors}]`]),
			await this.#content(browser, at, signal),
		];
		return { text: lines.join('\n'), host: this.#targetsOf(where)[0].host, hosts: [...this.#reached] };
	}

	async #content(browser: ThreadBrowser, at: OpParams<'browser.look'>['at'], signal: AbortSignal): Promise<string> {
		const { notes } = browser;
		switch (at) {
			case 'console':
				return notes.console.join('\n') || 'The console is empty.';
			case 'network':
				return notes.network.join('\n') || 'No request has failed.';
			case 'text':
				return await browser.readText(signal);
			case 'page': {
				const { tree, isCut } = await browser.readTree(signal);
				return isCut ? `${tree}\n[the rest of the page is left out]` : tree;
			}
		}
	}

	/** Hosts whose page it is: one, or where it has no address of its own, all that it may be of. */
	#targetsOf(url: string): readonly [HostTarget, ...HostTarget[]] {
		const address = url.replace(/^blob:/, '');
		if (/^https?:/.test(address)) return [toHostTarget(parseTargetUrl(address), listAllowedHosts(this.#parts))];
		const [first, ...others] = [...this.#reached].map((host): HostTarget => ({ kind: 'host', host }));
		return first === undefined ? [{ kind: 'host', host: 'localhost:0', isHere: true }] : [first, ...others];
	}

	#require(): ThreadBrowser {
		if (this.#browser === undefined || this.#isClosed) {
			throw new ProwessError('INVALID_STATE', 'the page is not open yet. Wait for browser_open', {
				said: text('No page is open in the browser.'),
			});
		}
		return this.#browser;
	}

	async #inTurn<T>(context: OpContext, work: () => Promise<T>): Promise<T> {
		const mine = this.#last.then(async () => {
			context.signal.throwIfAborted();
			if (this.#isClosed) throw pagesClosedError();
			clearTimeout(this.#idle);
			this.#context = context;
			try {
				return await work();
			} finally {
				this.#context = undefined;
				if (!this.#isClosed) {
					this.#idle = setTimeout(() => void this.close(), BROWSER_IDLE_MS);
					this.#idle.unref();
				}
			}
		});
		this.#last = mine.catch(() => undefined);
		return await mine;
	}
}

export function listAllowedHosts({ settings }: BrowserParts): readonly string[] {
	return settings.current['prowess.http.allowHosts'];
}

/** Host of a request of the agent: on this machine by its port, unless the user's settings list it. */
export function toHostTarget(target: TargetUrl, listed: readonly string[]): HostTarget {
	return isHere(target) && !isListedHost(target, listed)
		? { kind: 'host', host: hostHere(target), isHere: true }
		: { kind: 'host', host: target.host };
}
