/** Connecting to addresses that were checked, and to no other. */
import type { LookupFunction, Socket } from 'node:net';
import type { HostAddress } from './resolve-host.ts';

export type CheckedAddresses = readonly [HostAddress, ...HostAddress[]];

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
