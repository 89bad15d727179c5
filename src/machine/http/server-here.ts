/** A server on this machine, such as the one a developer has started: by a name that means this machine and nothing else. */
import { BlockList, isIP, isIPv4 } from 'node:net';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { ownPorts } from './own-ports.ts';
import { type HostAddress, type Resolve, resolveAddresses } from './resolve-host.ts';
import type { TargetUrl } from './target-url.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');

/**
 * Tells from the letters of the name alone that it means this machine: names other than `localhost` are not looked up
 * to find out.
 */
export function isHere({ hostname }: TargetUrl): boolean {
	return /(?:^|\.)localhost$/.test(hostname) || (isIP(hostname) !== 0 && isLoopbackAddress(hostname));
}

/** Returns the host as rules write it, always with the port, because each port is another server. */
export function hostHere({ host, port }: TargetUrl): string {
	return /:\d+$/.test(host.replace(/^\[.*\]/, '')) ? host : `${host}:${port}`;
}

/** Rejects with HOST_REFUSED for a port of Prowess itself, or of a program that it runs in. */
export async function refuseOwnPort(target: TargetUrl): Promise<void> {
	if ((await ownPorts()).has(target.port)) {
		const host = hostHere(target);
		const message = `${host} is a port of Prowess itself, or of the editor that it runs in`;
		throw new ProwessError('HOST_REFUSED', message, { host });
	}
}

/** Every address has to be of this machine; the connection goes to these and to no other. */
export async function resolveHere(
	target: TargetUrl,
	resolve: Resolve,
	signal: AbortSignal,
): Promise<readonly [HostAddress, ...HostAddress[]]> {
	const found = await resolveAddresses(target, resolve, signal);
	const elsewhere = found.find(({ address }) => !isLoopbackAddress(address));
	if (elsewhere !== undefined) {
		const message = `${target.host} is at ${elsewhere.address}, which is not this machine`;
		throw new ProwessError('HOST_REFUSED', message, { host: target.host, address: elsewhere.address });
	}
	return found;
}

/** True for an address that no other machine reaches; false for what is no address. */
export function isLoopbackAddress(address: string): boolean {
	// An IPv4 address within IPv6 is written so only to be taken for another one.
	return isIPv4(address) ? loopback.check(address, 'ipv4') : address === '::1';
}
