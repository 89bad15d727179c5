/**
 * Single connection to the proxy of a sandbox, from its first byte to its end: read which command asks for which host,
 * ask whether it may, then pass bytes.
 */
import { connect, type Socket } from 'node:net';
import { startDeadline } from '../../../base/time/deadline.ts';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { HTTP_CONNECT_TIMEOUT_MS } from '../../http/limits.ts';
import { type CheckedAddresses, lookupAmong, refuseUnchecked } from '../../http/resolve-host.ts';
import type { TargetUrl } from '../../http/target-url.ts';
import type { Admission, CommandNetwork, InnerServer } from './command-network.ts';
import { CONNECTION_IDLE_MS, REQUEST_HEAD_MS } from './limits.ts';
import { type ProxyRequest, readProxyRequest, WHO_ARE_YOU } from './proxy-request.ts';

interface ProxiedNetwork extends Pick<CommandNetwork, 'follow'> {
	admit(target: TargetUrl): Promise<Admission | InnerServer>;
}

/** Never rejects: what goes wrong ends the connection, and the client is told where its form allows it. */
export async function serveProxyConnection(
	client: Socket,
	networkOf: (credential: string) => ProxiedNetwork | undefined,
): Promise<void> {
	client.on('error', () => client.destroy());
	const request = await readRequestInTime(client);
	if (request === undefined) {
		client.destroySoon();
		return;
	}
	const network = request.credential === undefined ? undefined : networkOf(request.credential);
	if (network === undefined) {
		client.end(
			request.credential === undefined ? WHO_ARE_YOU : request.refusal('not allowed', 'Nobody asks with this.'),
		);
		return;
	}
	const { target } = request;
	const admission = await network.admit(target);
	if (client.destroyed) {
		return;
	}
	if (admission.kind !== 'admitted' && admission.kind !== 'inner') {
		client.end(request.refusal(admission.kind === 'refused' ? 'not allowed' : 'not reached', admission.why));
		return;
	}
	try {
		const followTo = (connection: Socket) => network.follow(target, connection);
		const host =
			admission.kind === 'inner'
				? await admission.connect()
				: await connectionTo(target, admission.addresses, followTo);
		if (admission.kind === 'inner') followTo(host);
		joinConnections(client, host, request);
	} catch (error) {
		client.end(request.refusal('not reached', `${target.host} was not reached: ${toErrorMessage(error)}`));
	}
}

async function readRequestInTime(client: Socket): Promise<ProxyRequest | undefined> {
	const late = startDeadline(REQUEST_HEAD_MS, () => client.destroy());
	try {
		return await readProxyRequest(client);
	} catch {
		// The client has its answer where there is one.
		return undefined;
	} finally {
		late.dispose();
	}
}

function connectionTo(
	{ hostname, port }: TargetUrl,
	addresses: CheckedAddresses,
	follow: (connection: Socket) => void,
): Promise<Socket> {
	return new Promise((resolve, reject) => {
		const host = connect({
			host: hostname,
			port,
			lookup: lookupAmong(addresses),
			autoSelectFamily: true,
			allowHalfOpen: true,
		});
		const late = startDeadline(HTTP_CONNECT_TIMEOUT_MS, () => {
			host.destroy(new Error(`no connection within ${HTTP_CONNECT_TIMEOUT_MS} ms`));
		});
		follow(host);
		host.once('error', reject);
		host.once('close', () => {
			late.dispose();
			reject(new Error('the connection was closed'));
		});
		host.once('connect', () => {
			late.dispose();
			refuseUnchecked(host, addresses);
			resolve(host);
		});
	});
}

/** No faster than the slower of the two; each may end its half first. */
function joinConnections(client: Socket, host: Socket, { connected, first }: ProxyRequest): void {
	host.setTimeout(CONNECTION_IDLE_MS, () => host.destroy(new Error(`nothing went for ${CONNECTION_IDLE_MS} ms`)));
	host.on('error', () => client.destroy());
	client.on('close', () => host.destroy());
	host.on('close', () => {
		if (!host.readableEnded) client.destroy();
	});
	if (client.destroyed || host.destroyed) {
		client.destroy();
		host.destroy();
		return;
	}
	if (connected.length > 0) client.write(connected);
	if (first.length > 0) host.write(first);
	client.pipe(host);
	host.pipe(client);
}
