/** Which addresses of a name may be connected to: public ones. Everything that leads back to this machine or its network may not. */
import { BlockList, isIP, isIPv4 } from 'node:net';

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
export function isPublicAddress(address: string): boolean {
	const plain = address.split('%')[0] ?? '';
	if (isIPv4(plain)) {
		return !refusedRanges.check(plain, 'ipv4');
	}
	return (
		isIP(plain) === 6 && plain === address && globalUnicast.check(plain, 'ipv6') && !refusedRanges.check(plain, 'ipv6')
	);
}
