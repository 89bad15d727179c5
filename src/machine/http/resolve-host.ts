/** The addresses of a host, asked for once and checked; the connection goes to these and to no other. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { orAborted } from '../../base/time/or-aborted.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { isPublicAddress } from './address-rules.ts';
import type { TargetUrl } from './target-url.ts';

export interface HostAddress {
	readonly address: string;
	readonly family: 4 | 6;
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly HostAddress[]>;

export const systemResolve: Resolve = async (hostname) => {
	const found = await lookup(hostname, { all: true });
	return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/** `allowed`: hosts that the user's own settings let have any address, as `host` or `host:port`. */
export async function resolveHost(
	target: TargetUrl,
	allowed: readonly string[],
	resolve: Resolve,
	signal: AbortSignal,
): Promise<readonly [HostAddress, ...HostAddress[]]> {
	const found = await resolveAddresses(target, resolve, signal);
	const inner = found.find(({ address }) => !isPublicAddress(address));
	if (inner !== undefined && !isListedHost(target, allowed)) {
		throw hostRefusedError(target.host, inner.address);
	}
	return found;
}

/** All addresses, whatever they are; never none. */
export async function resolveAddresses(
	{ hostname, host }: TargetUrl,
	resolve: Resolve,
	signal: AbortSignal,
): Promise<readonly [HostAddress, ...HostAddress[]]> {
	const family = isIP(hostname);
	const [first, ...others] =
		family === 0
			? await lookupHost(hostname, resolve, signal)
			: [{ address: hostname, family: family === 6 ? 6 : 4 } as const];
	if (first === undefined) {
		throw new ProwessError('REQUEST_FAILED', `${hostname} has no address`, {
			host,
			said: text('The host {host} has no address.', { host }),
		});
	}
	return [first, ...others];
}

/** Nobody is asked about a host that is refused in any case: an address as it is written, or this machine's own name. */
export function refuseInnerHost(target: TargetUrl, allowed: readonly string[]): void {
	const { hostname, host } = target;
	const isHere = /(?:^|\.)localhost$/.test(hostname);
	if ((isHere || (isIP(hostname) !== 0 && !isPublicAddress(hostname))) && !isListedHost(target, allowed)) {
		throw hostRefusedError(host, isHere ? '127.0.0.1' : hostname);
	}
}

function hostRefusedError(host: string, address: string): ProwessError {
	const message = `${host} is at ${address}, on this machine or its network`;
	return new ProwessError('HOST_REFUSED', message, { host, address });
}

export function isListedHost({ host, hostname, port }: TargetUrl, listed: readonly string[]): boolean {
	const plain = host.startsWith('[') ? `[${hostname}]` : hostname;
	return listed.some((name) => [host, plain, `${plain}:${port}`].includes(name.toLowerCase()));
}

/** The system's resolver cannot be stopped; it is no longer waited for. */
async function lookupHost(hostname: string, resolve: Resolve, signal: AbortSignal): Promise<readonly HostAddress[]> {
	signal.throwIfAborted();
	try {
		return await orAborted(resolve(hostname), signal);
	} catch (error) {
		signal.throwIfAborted();
		const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
		throw new ProwessError(
			'REQUEST_FAILED',
			`the host ${hostname} cannot be found (${why})`,
			{ host: hostname, said: text('The host {host} cannot be found ({why}).', { host: hostname, why }) },
			error,
		);
	}
}
