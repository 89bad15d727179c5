/** The addresses of a host, asked for once and checked; the connection goes to these and to no other. */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4, type LookupFunction, type Socket } from 'node:net';
import { orAborted } from '../../base/time/bounded-wait.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import type { TargetUrl } from './target-url.ts';

export interface HostAddress {
	readonly address: string;
	readonly family: 4 | 6;
}

/** Addresses that were checked: a connection goes to these. */
export type CheckedAddresses = readonly [HostAddress, ...HostAddress[]];

// Addresses that may be connected to are public: all that leads back to this machine or its network is refused.
const refusedRanges = new BlockList();
for (const [net, prefix] of [
	...[['0.0.0.0', 8] as const, ['10.0.0.0', 8] as const, ['100.64.0.0', 10] as const, ['127.0.0.0', 8] as const],
	// Link-local, with the metadata services of clouds
	...[['169.254.0.0', 16] as const, ['172.16.0.0', 12] as const, ['192.168.0.0', 16] as const],
	...[['192.0.0.0', 24] as const, ['192.0.2.0', 24] as const, ['192.88.99.0', 24] as const],
	...[['198.18.0.0', 15] as const, ['198.51.100.0', 24] as const, ['203.0.113.0', 24] as const],
	// Metadata of Oracle and Azure, multicast, reserved
	...[['192.0.0.192', 32] as const, ['168.63.129.16', 32] as const],
	...[['224.0.0.0', 4] as const, ['240.0.0.0', 4] as const],
] as const) {
	refusedRanges.addSubnet(net, prefix, 'ipv4');
}
/** Allowed IPv6 addresses: global unicast only, without the ranges that carry an IPv4 address or a tunnel. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
for (const [net, prefix] of [
	['2001::', 23],
	['2001:db8::', 32],
	['2002::', 16],
	['3fff::', 20],
] as const) {
	refusedRanges.addSubnet(net, prefix, 'ipv6');
}

/** `address` as a resolver gives it: four decimal parts, or IPv6 with or without a zone. */
function isPublicAddress(address: string): boolean {
	const plain = address.split('%')[0] ?? '';
	if (isIPv4(plain)) {
		return !refusedRanges.check(plain, 'ipv4');
	}
	return (
		isIP(plain) === 6 && plain === address && globalUnicast.check(plain, 'ipv6') && !refusedRanges.check(plain, 'ipv6')
	);
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

/** A name is never asked for again: what was checked is what is connected to. */
export function lookupAmong(addresses: CheckedAddresses): LookupFunction {
	const [first] = addresses;
	return (_name, asked, found) =>
		asked.all === true ? found(null, [...addresses]) : found(null, first.address, first.family);
}

/** Ends a connection that stands to another address. */
export function refuseUnchecked(socket: Socket, addresses: CheckedAddresses): void {
	const { remoteAddress } = socket;
	if (!addresses.some(({ address }) => address === remoteAddress)) {
		socket.destroy(new Error(`connected to ${remoteAddress}, which was not checked`));
	}
}
