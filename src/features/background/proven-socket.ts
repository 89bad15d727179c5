/**
 * A socket that this process listens on for others of the same home. Node cannot tell whose process connects, so the folder
 * of the socket keeps others out, and a proof those that get past it: nothing is served before it.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { makePrivateFolder } from '../../machine/home-files/private-folder.ts';
import { greetingRequests } from '../../protocol/background.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { Peer } from '../../protocol/rpc/peer.ts';
import { text } from '../../protocol/text/text.ts';
import { createProof, isSameProof } from './background-record.ts';
import { backgroundLimits } from './limits.ts';
import { socketWire } from './socket-wire.ts';

/** Prefix of the folder for a socket whose path in the home would be too long. */
const SHORT_FOLDER = 'prowess-';

interface ProvenSocket extends Disposable {
	/** Path of the socket, or name of the pipe on Windows. */
	readonly address: string;
	/** Secret that those that connect have to know. */
	readonly secret: string;
}

/** Listens until it is disposed. The result of `serve` is disposed with its connection. `lineBytes`: most of one message. */
export async function listenForProven(
	place: string,
	lineBytes: number,
	serve: (peer: Peer) => Disposable,
): Promise<ProvenSocket> {
	const [address, secret] = [freshAddress(place), randomBytes(32).toString('base64url')];
	const unproven = new Set<Socket>();
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
		makeRoom(unproven);
		acceptAttachment(socket, { unproven, secret, lineBytes, serve });
	});
	try {
		await startListening(server, address);
	} catch (error) {
		removeSocket(address);
		throw error;
	}
	return {
		address,
		secret,
		dispose() {
			server.close();
			sockets.forEach((socket) => socket.destroy());
			removeSocket(address);
		},
	};
}

/** Makes a folder for sockets, which only the user can open. Throws INVALID_STATE for a link, and for a folder of another user. */
export function makeSocketFolder(folder: string): void {
	makePrivateFolder(folder);
	refuseUnlessOurs(folder);
	chmodSync(folder, 0o700);
}

/** Throws INVALID_STATE for a folder of another user, who could read the secret in it and exchange the socket. */
function refuseUnlessOurs(folder: string): void {
	const { uid } = lstatSync(folder);
	if (process.getuid !== undefined && uid !== process.getuid()) {
		throw new ProwessError('INVALID_STATE', `${folder} belongs to another user (${uid}); move it away`, {
			path: folder,
			said: text('{path} belongs to another user. Move it away.', { path: folder }),
		});
	}
}

/** Lets go of the connections that have waited longest without a proof, so that those who say nothing keep nobody out. */
function makeRoom(unproven: Set<Socket>): void {
	for (const oldest of unproven) {
		if (unproven.size < backgroundLimits.mostUnproven) return;
		unproven.delete(oldest);
		oldest.destroy();
	}
}

/** Accepts only `greet` and `prove`, for at most `proveMs`; serves what it is for after the proof. */
function acceptAttachment(
	socket: Socket,
	{
		unproven,
		secret,
		lineBytes,
		serve,
	}: {
		readonly unproven: Set<Socket>;
		readonly secret: string;
		readonly lineBytes: number;
		serve(peer: Peer): Disposable;
	},
): void {
	unproven.add(socket);
	const peer = new Peer(socketWire(socket, lineBytes));
	const served = new DisposableStore();
	const nonce = randomBytes(32).toString('base64url');
	const late = setTimeout(() => socket.destroy(), backgroundLimits.proveMs);
	socket.once('close', () => {
		unproven.delete(socket);
		clearTimeout(late);
		served.dispose();
	});
	const greeting = peer.serve(greetingRequests, {
		greet: async (caller) => ({ nonce, proof: createProof(secret, 'host', caller.nonce) }),
		async prove({ proof }) {
			if (!isSameProof(proof, createProof(secret, 'caller', nonce))) {
				socket.destroySoon();
				throw new ProwessError('INVALID_STATE', 'the caller cannot read the home of this host', {});
			}
			clearTimeout(late);
			unproven.delete(socket);
			greeting.dispose();
			served.add(serve(peer));
			return {};
		},
	});
}

async function startListening(server: Server, address: string): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(address, () => {
			server.off('error', reject);
			resolve();
		});
	});
	if (process.platform !== 'win32') {
		// Nobody has come in before: its folder was closed to others already.
		chmodSync(address, 0o600);
	}
}

/** Returns a place to listen at: a pipe on Windows, else the socket, or one with a name that the system takes. */
export function freshAddress(socket: string, platform: NodeJS.Platform = process.platform): string {
	if (platform === 'win32') {
		return `\\\\.\\pipe\\prowess-${randomUUID()}`;
	}
	if (Buffer.byteLength(socket) <= backgroundLimits.socketPathBytes) {
		return socket;
	}
	const short = [tmpdir(), '/tmp'].find(
		(folder) =>
			Buffer.byteLength(folder) + SHORT_FOLDER.length + 'XXXXXX/socket'.length <= backgroundLimits.socketPathBytes,
	);
	return join(mkdtempSync(join(realpathSync(short ?? '/tmp'), SHORT_FOLDER)), 'socket');
}

/** With the folder that was made for it. */
export function removeSocket(address: string, platform: NodeJS.Platform = process.platform): void {
	if (platform === 'win32') {
		return;
	}
	rmSync(address, { force: true });
	const folder = dirname(address);
	if (basename(folder).startsWith(SHORT_FOLDER)) {
		rmSync(folder, { recursive: true, force: true });
	}
}
