/**
 * browser.open, browser.look and browser.act: one browser for each thread. The user agrees to the hosts that a page may reach
 * when it is opened.
 */
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { OpName, OpParams } from '../../protocol/op-table/ops.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { text } from '../../protocol/text/text.ts';
import { type Caller, toCallerIdentity } from '../../contract/ops/caller.ts';
import type { WatchedPage, WatchedPages } from '../../contract/watched-page.ts';
import type { OpImplementations, Prepared } from '../../contract/ops/op-implementation.ts';
import { BROWSER_IDLE_MS, MAX_BROWSERS } from '../../machine/browser/limits.ts';
import { refuseInnerHost } from '../../machine/http/resolve-host.ts';
import { hostHere, isHere, refuseOwnPort } from '../../machine/http/server-here.ts';
import { parseTargetUrl, type TargetUrl } from '../../machine/http/target-url.ts';
import { isInnerServer } from './inner-servers.ts';
import { DRIVER, isDriverThere } from './page-driver.ts';
import { type BrowserParts, listAllowedHosts, PagesOfThread, type SeenPage, toHostTarget } from './thread-pages.ts';

export type BrowserOp = Extract<OpName, `browser.${string}`>;

export class BrowserPages implements WatchedPages {
	readonly ops: Pick<OpImplementations, BrowserOp>;
	readonly #parts: BrowserParts;
	readonly #threads = new Map<string, PagesOfThread>();
	#isClosed = false;

	constructor(parts: BrowserParts) {
		this.#parts = parts;
		this.ops = {
			'browser.open': { prepare: (params, { caller, signal }) => this.#prepareOpen(params, caller, signal) },
			'browser.look': { prepare: async (params, { caller }) => this.#require(caller).prepareLook(params) },
			'browser.act': { prepare: (params, { caller, signal }) => this.#require(caller).prepareAct(params, signal) },
		};
	}

	async watch(threadId: ThreadId, signal: AbortSignal): Promise<WatchedPage | undefined> {
		return await [...this.#threads.values()].find((each) => each.threadId === threadId)?.watch(signal);
	}

	async forget(threadId: ThreadId): Promise<void> {
		await Promise.all(
			[...this.#threads.values()].filter((each) => each.threadId === threadId).map((each) => each.close()),
		);
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		await Promise.all([...this.#threads.values()].map((thread) => thread.close()));
	}

	async #prepareOpen(
		{ url, hosts }: OpParams<'browser.open'>,
		caller: Caller,
		signal: AbortSignal,
	): Promise<Prepared<SeenPage>> {
		const allowedHosts = listAllowedHosts(this.#parts);
		const target = parseTargetUrl(url);
		// The agent reaches servers of its commands by other commands, too: so nothing of this machine is asked for.
		const isInner = await isInnerServer(this.#parts, caller.threadId, target, signal);
		const isKnown = isInner && isDriverThere(this.#parts);
		const all = [target, ...hosts.map((host) => parseTargetUrl(`https://${host}/`))];
		const targets = await Promise.all(
			all.map(async (each) => {
				if (isInner && isHere(each)) return toInnerTarget(each, isKnown);
				const named = toHostTarget(each, allowedHosts);
				if (named.isHere === true) await refuseOwnPort(each);
				else refuseInnerHost(each, allowedHosts);
				return named;
			}),
		);
		const named = targets.map(({ host }) => host);
		const lines = [
			`Open ${target.url.href} in a browser of its own, with a profile that goes with it`,
			`Its pages reach only: ${named.join(', ')}`,
			...(isInner
				? ['On servers that commands of this thread run in their sandbox, and on no other of this machine']
				: []),
			...(!isInner && targets.some(({ isHere: here }) => here === true)
				? ['On servers of this machine the agent may click and type until the browser closes']
				: []),
			...(isDriverThere(this.#parts)
				? []
				: [`Before: fetch ${DRIVER.package} ${DRIVER.version} with npm, once, without running its scripts`]),
		];
		return {
			targets,
			detail: { kind: 'text', text: lines.join('\n') },
			run: async (context) => {
				const pages = await this.#threadOf(caller, isInner, context.signal);
				return await pages.open(url, new Set(named), context);
			},
		};
	}

	#require(caller: Caller): PagesOfThread {
		const thread = this.#threads.get(toCallerIdentity(caller));
		if (thread === undefined) {
			throw new ProwessError('INVALID_STATE', 'no page is open in the browser. Open one with browser_open', {
				said: text('No page is open in the browser.'),
			});
		}
		return thread;
	}

	/**
	 * A page in the sandbox and a page elsewhere share no browser: both may have the same address, and what one of them has stored,
	 * or was signed in to, the other would be given.
	 */
	async #threadOf(caller: Caller, isInner: boolean, signal: AbortSignal): Promise<PagesOfThread> {
		const identity = toCallerIdentity(caller);
		let known = this.#threads.get(identity);
		while (known !== undefined && known.isInner !== isInner) {
			await known.leave(signal);
			known = this.#threads.get(identity);
		}
		if (known !== undefined) return known;
		if (this.#isClosed) throw new ProwessError('CANCELLED', 'the host is closing');
		if (this.#threads.size >= MAX_BROWSERS) {
			const minutes = BROWSER_IDLE_MS / 60_000;
			const message = `other threads have ${MAX_BROWSERS} browsers open. Each ends when its thread closes it, or after ${minutes} minutes without use`;
			const said = text(
				'Other threads have {n} browsers open. Each ends when its thread closes it, or after {minutes} minutes without use.',
				{ n: MAX_BROWSERS, minutes },
			);
			throw new ProwessError('INVALID_STATE', message, { said });
		}
		const made: PagesOfThread = new PagesOfThread(this.#parts, { threadId: caller.threadId, isInner }, () => {
			if (this.#threads.get(identity) === made) this.#threads.delete(identity);
		});
		this.#threads.set(identity, made);
		return made;
	}
}

/** `isKnown`: nothing is fetched, so no question arises. */
function toInnerTarget(target: TargetUrl, isKnown: boolean) {
	const named = { kind: 'host', host: hostHere(target), isHere: true } as const;
	return isKnown ? ({ ...named, isOpen: true } as const) : named;
}
