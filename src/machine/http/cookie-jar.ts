/**
 * Cookies of one caller, in memory. Each goes back to the very host that set it and to no other: without a list of public
 * suffixes, a `Domain` cannot be told from a whole country's.
 */
import { COOKIE_CHARS, COOKIE_HOSTS, COOKIE_JARS, COOKIES_PER_HOST } from './limits.ts';
import type { TargetUrl } from './target-url.ts';

interface Cookie {
	readonly name: string;
	readonly value: string;
	readonly path: string;
	readonly isSecure: boolean;
	readonly expiresAt: number;
}

class CookieJar {
	readonly #hosts = new Map<string, readonly Cookie[]>();

	store(from: TargetUrl, lines: readonly string[], now = Date.now()): void {
		for (const line of lines) {
			const cookie = parseCookie(line, from, now);
			if (cookie === undefined) {
				continue;
			}
			const others = (this.#hosts.get(from.hostname) ?? []).filter(
				(each) => each.expiresAt > now && !(each.name === cookie.name && each.path === cookie.path),
			);
			const kept = cookie.expiresAt > now ? [...others, cookie] : others;
			// Set anew, so that the host used longest ago is first.
			this.#hosts.delete(from.hostname);
			this.#hosts.set(from.hostname, kept.slice(-COOKIES_PER_HOST));
			const [oldest] = this.#hosts.keys();
			if (this.#hosts.size > COOKIE_HOSTS && oldest !== undefined) {
				this.#hosts.delete(oldest);
			}
		}
	}

	for(target: TargetUrl, now = Date.now()): { name: string; value: string }[] {
		return (this.#hosts.get(target.hostname) ?? [])
			.filter((each) => each.expiresAt > now && (!each.isSecure || target.isSecure))
			.filter((each) => isCookiePathMatch(each.path, target.url.pathname))
			.sort((a, b) => b.path.length - a.path.length)
			.map(({ name, value }) => ({ name, value }));
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

/** Cookie jars, a separate one for each caller. A caller is identified by its connection. */
export class CookieJars {
	readonly #jars = new Map<string, CookieJar>();

	of(owner: string): CookieJar {
		const jar = this.#jars.get(owner) ?? new CookieJar();
		this.#jars.delete(owner);
		this.#jars.set(owner, jar);
		const [oldest] = this.#jars.keys();
		if (this.#jars.size > COOKIE_JARS && oldest !== undefined) {
			this.#jars.delete(oldest);
		}
		return jar;
	}
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
	if (isForeign || (isSecure && !from.isSecure) || (name.startsWith('__') && !from.isSecure)) {
		return undefined;
	}
	const path = given.get('path');
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
