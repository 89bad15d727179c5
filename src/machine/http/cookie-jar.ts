/**
 * Cookies of one caller, in memory. Each goes back to the very host that set it and to no other: without a list of public
 * suffixes, a `Domain` cannot be told from a whole country's.
 */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { COOKIE_CHARS, COOKIE_HOSTS, COOKIE_JARS, COOKIES_PER_HOST, HTTP_SESSIONS } from './limits.ts';
import type { TargetUrl } from './target-url.ts';

interface Cookie {
	readonly name: string;
	readonly value: string;
	readonly path: string;
	readonly isSecure: boolean;
	readonly expiresAt: number;
	/** The only origin that receives it, of a cookie that the user stored: its value is not told to the caller. */
	readonly lentTo?: string;
	/** The site has set it since it was lent. */
	readonly isRenewed?: true;
}

interface SentCookie {
	readonly name: string;
	readonly value: string;
	readonly isLent: boolean;
}

class CookieJar {
	readonly #hosts = new Map<string, readonly Cookie[]>();
	/** Values last lent, by origin and name: also of what a site has deleted, because it may do so before it sets the next. */
	readonly #lent = new Map<string, string>();

	/**
	 * Stores cookies of a response. A lent one that the site renews stays lent: it is still the user's login. Returns the
	 * values of those.
	 */
	store(from: TargetUrl, lines: readonly string[], now = Date.now()): readonly string[] {
		const renewed: string[] = [];
		for (const line of lines) {
			const cookie = parseCookie(line, from, now);
			if (cookie === undefined) {
				continue;
			}
			const before = this.#hosts.get(from.hostname) ?? [];
			// A connection that anybody may have changed replaces nothing that came over a safe one.
			if (!from.isSecure && before.some((each) => each.isSecure && each.name === cookie.name)) {
				continue;
			}
			const lentTo = this.#lent.has(`${from.url.origin} ${cookie.name}`) ? from.url.origin : undefined;
			const isReplaced = (each: Cookie) => each.name === cookie.name && each.path === cookie.path;
			this.#keep(
				from.hostname,
				before.filter((each) => each.expiresAt > now && !isReplaced(each)),
				cookie.expiresAt > now ? [lentTo === undefined ? cookie : { ...cookie, lentTo, isRenewed: true }] : [],
			);
			if (lentTo !== undefined) renewed.push(cookie.value);
		}
		return renewed;
	}

	/**
	 * Adds cookies that the user stored for the site. Newer ones of the site stay until the user stores another value. Returns
	 * the names of all that a request to `target` carries then.
	 */
	lend(target: TargetUrl, cookies: readonly { readonly name: string; readonly value: string }[]): string[] {
		const names = new Set(cookies.map(({ name }) => name));
		const changed = new Set<string>();
		for (const { name, value } of cookies) {
			const key = `${target.url.origin} ${name}`;
			const before = this.#lent.get(key);
			if (before !== undefined && before !== value) changed.add(name);
			this.#lent.set(key, value);
		}
		const isLentBefore = (each: Cookie) =>
			each.lentTo === target.url.origin && names.has(each.name) && (!each.isRenewed || changed.has(each.name));
		const kept = (this.#hosts.get(target.hostname) ?? []).filter((each) => !isLentBefore(each));
		this.#hosts.set(target.hostname, kept);
		const known = new Set(this.for(target).map(({ name }) => name));
		const lent = cookies
			.filter(({ name }) => !known.has(name))
			.map((each) => ({
				...each,
				path: '/',
				isSecure: target.isSecure,
				expiresAt: Number.POSITIVE_INFINITY,
				lentTo: target.url.origin,
			}));
		this.#keep(target.hostname, kept, lent);
		return this.for(target).map(({ name }) => name);
	}

	for(target: TargetUrl, now = Date.now()): SentCookie[] {
		return (this.#hosts.get(target.hostname) ?? [])
			.filter((each) => each.expiresAt > now && (!each.isSecure || target.isSecure))
			.filter(({ lentTo }) => lentTo === undefined || lentTo === target.url.origin)
			.filter((each) => isCookiePathMatch(each.path, target.url.pathname))
			.sort((a, b) => b.path.length - a.path.length)
			.map(({ name, value, lentTo }) => ({ name, value, isLent: lentTo !== undefined }));
	}

	/** Set anew, so that the host used longest ago is first. */
	#keep(hostname: string, before: readonly Cookie[], added: readonly Cookie[]): void {
		this.#hosts.delete(hostname);
		this.#hosts.set(hostname, [...before, ...added].slice(-COOKIES_PER_HOST));
		const [oldest] = this.#hosts.keys();
		if (this.#hosts.size > COOKIE_HOSTS && oldest !== undefined) {
			this.#hosts.delete(oldest);
		}
	}

	/** Removes the cookies of `hostname`, or all when it is undefined, and returns how many were removed. */
	clear(hostname: string | undefined): number {
		const hosts = hostname === undefined ? [...this.#hosts.keys()] : [hostname];
		let removed = 0;
		for (const host of hosts) {
			removed += this.#hosts.get(host)?.length ?? 0;
			this.#hosts.delete(host);
		}
		return removed;
	}
}

interface HttpSession {
	readonly jar: CookieJar;
	readonly headers: Readonly<Record<string, string>>;
}

interface OwnedJars {
	readonly own: HttpSession;
	readonly sessions: Map<string, HttpSession>;
	opened: number;
}

/** Cookie jars, separate ones for each caller and each of its sessions. A caller is identified by its connection. */
export class CookieJars {
	readonly #owners = new Map<string, OwnedJars>();

	/** The caller's own jar, or the one of its session. Throws INVALID_PARAMS when there is no such session of it. */
	of(owner: string, session?: string): HttpSession {
		const { own, sessions } = this.#jarsOf(owner);
		const found = session === undefined ? own : sessions.get(session);
		if (found === undefined) {
			const message = `there is no session "${session}" of this run: http.sessionOpen opens one`;
			const said = text('This run has no HTTP session "{session}".', { session: session ?? '' });
			throw new ProwessError('INVALID_PARAMS', message, { session, said });
		}
		return found;
	}

	/** Returns the name of the session, by which only this caller can use it. Throws INVALID_STATE when it has too many. */
	open(owner: string, headers: HttpSession['headers']): string {
		const owned = this.#jarsOf(owner);
		if (owned.sessions.size >= HTTP_SESSIONS) {
			const message = `${HTTP_SESSIONS} sessions of this run are open, which is the limit. Close one with http.sessionClose`;
			const said = text('{n} HTTP sessions are open, which is the limit. Close one.', { n: HTTP_SESSIONS });
			throw new ProwessError('INVALID_STATE', message, { limit: HTTP_SESSIONS, said });
		}
		owned.opened += 1;
		const session = `s-${owned.opened}`;
		owned.sessions.set(session, { jar: new CookieJar(), headers });
		return session;
	}

	/** Forgets its cookies, and returns how many there were. */
	close(owner: string, session: string): number {
		const removed = this.of(owner, session).jar.clear(undefined);
		this.#owners.get(owner)?.sessions.delete(session);
		return removed;
	}

	/** Forgets all of an execution that makes no further requests. */
	forget(executionId: string): void {
		this.#owners.delete(`execution:${executionId}`);
	}

	#jarsOf(owner: string): OwnedJars {
		const owned = this.#owners.get(owner) ?? {
			own: { jar: new CookieJar(), headers: {} },
			sessions: new Map<string, HttpSession>(),
			opened: 0,
		};
		this.#owners.delete(owner);
		this.#owners.set(owner, owned);
		const [oldest] = this.#owners.keys();
		if (this.#owners.size > COOKIE_JARS && oldest !== undefined) {
			this.#owners.delete(oldest);
		}
		return owned;
	}
}

/**
 * Reads what the user stored for a site: the value of a `Cookie` header, as browsers show it. Undefined when it is none.
 */
export function parseStoredCookies(stored: string): { readonly name: string; readonly value: string }[] | undefined {
	const pairs = stored
		.trim()
		.replace(/^cookie:/i, '')
		.split(';')
		.map((pair) => pair.trim())
		.filter((pair) => pair !== '');
	const cookies = pairs.flatMap((pair) => {
		const [, name = '', value = ''] = /^([!-:<-~]+?)=([ -~]*)$/.exec(pair) ?? [];
		return name === '' || pair.length > COOKIE_CHARS ? [] : [{ name, value }];
	});
	return cookies.length === 0 || cookies.length < pairs.length ? undefined : cookies.slice(0, COOKIES_PER_HOST);
}

function parseCookie(line: string, from: TargetUrl, now: number): Cookie | undefined {
	const [pair = '', ...attributes] = line.split(';');
	const split = pair.indexOf('=');
	const name = pair.slice(0, split).trim();
	const value = pair.slice(split + 1).trim();
	if (
		split < 1 ||
		line.length > COOKIE_CHARS ||
		!/^[\u0021-\u007e]+$/.test(name) ||
		!/^[\u0020-\u007e]*$/.test(value)
	) {
		return undefined;
	}
	const given = new Map(
		attributes.map((attribute) => {
			const [key = '', ...rest] = attribute.split('=');
			return [key.trim().toLowerCase(), rest.join('=').trim()] as const;
		}),
	);
	const isSecure = given.has('secure');
	const domain = given.get('domain')?.replace(/^\./, '').toLowerCase();
	const isForeign = domain !== undefined && domain !== '' && !`.${from.hostname}`.endsWith(`.${domain}`);
	const path = given.get('path');
	const prefix = /^__(?:secure|host)-/i.exec(name)?.[0].toLowerCase();
	const breaksPrefix =
		(prefix !== undefined && !isSecure) ||
		(prefix === '__host-' && (path !== '/' || (domain !== undefined && domain !== '')));
	if (isForeign || (isSecure && !from.isSecure) || (name.startsWith('__') && !from.isSecure) || breaksPrefix) {
		return undefined;
	}
	return {
		name,
		value,
		isSecure,
		path: path?.startsWith('/') === true ? path : from.url.pathname.replace(/\/[^/]*$/, '') || '/',
		expiresAt: computeCookieExpiry(given, now),
	};
}

function computeCookieExpiry(given: ReadonlyMap<string, string>, now: number): number {
	const maxAge = given.get('max-age');
	if (maxAge !== undefined && /^-?\d{1,12}$/.test(maxAge)) {
		return now + Number(maxAge) * 1000;
	}
	const expires = Date.parse(given.get('expires') ?? '');
	return Number.isNaN(expires) ? Number.POSITIVE_INFINITY : expires;
}

function isCookiePathMatch(path: string, asked: string): boolean {
	return asked === path || asked.startsWith(path.endsWith('/') ? path : `${path}/`);
}
