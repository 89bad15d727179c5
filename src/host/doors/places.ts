/** Places for connections at a door: whoever holds one without a whole request keeps nobody else out. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopbackAddress } from '../../machine/http/server-here.ts';

export interface Places {
	/** Connections at a time. */
	readonly connections: number;
	/** Of one other machine; absent: as many. */
	readonly connectionsOfMachine?: number;
}

interface Holder {
	readonly socket: Socket;
	readonly machine: string;
	/** The request that came last, until it is answered. */
	request?: IncomingMessage;
	/** A page speaks over it. */
	isUpgraded?: boolean;
}

/**
 * Beyond the most, in all and of one other machine, the connection goes that has waited longest: without a request, between two,
 * or amid one. Where none waits, the new one goes. Call `keepUpgraded` with each request that becomes a socket of a page.
 */
export function limitPlaces(server: Server, { connections, connectionsOfMachine = connections }: Places) {
	/** By the other end, which a connection and its encrypted one name alike; those that have waited longest first. */
	const holders = new Map<string, Holder>();
	const holderOf = ({ socket }: IncomingMessage) => holders.get(nameEnd(socket));
	const makeRoom = (crowd: readonly Holder[], most: number) => {
		if (crowd.length > most) (crowd.find(isWaiting) ?? crowd.at(-1))?.socket.destroy();
	};
	server.on('connection', (socket: Socket) => {
		const end = nameEnd(socket);
		const holder: Holder = { socket, machine: nameMachine(socket) };
		holders.set(end, holder);
		socket.once('close', () => {
			if (holders.get(end) === holder) holders.delete(end);
		});
		const open = () => [...holders.values()].filter((each) => !each.socket.destroyed);
		if (!isLoopbackAddress(holder.machine)) {
			makeRoom(
				open().filter(({ machine }) => machine === holder.machine),
				connectionsOfMachine,
			);
		}
		makeRoom(open(), connections);
	});
	server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
		const [end, holder] = [nameEnd(request.socket), holderOf(request)];
		if (holder === undefined) return;
		holder.request = request;
		response.once('close', () => {
			if (holders.get(end) !== holder || holder.request !== request) return;
			delete holder.request;
			// It waits from now on.
			holders.delete(end);
			holders.set(end, holder);
		});
	});
	return {
		keepUpgraded(request: IncomingMessage): void {
			const holder = holderOf(request);
			if (holder !== undefined) holder.isUpgraded = true;
		},
	};
}

function isWaiting({ request, isUpgraded }: Holder): boolean {
	return isUpgraded !== true && request?.complete !== true;
}

function nameEnd({ remoteAddress, remotePort }: Socket): string {
	return `${remoteAddress} ${remotePort}`;
}

/** A socket of both families names an address of the older one as one of the newer. */
function nameMachine({ remoteAddress = '' }: Socket): string {
	return remoteAddress.replace(/^::ffff:/, '');
}
