/**
 * The background host's end: one for each home, by a lock of the system that goes with the process, however that ends. Node
 * cannot tell whose process connects, so the folder of the socket keeps others out, and a proof those that get past it.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import {
	backgroundNotifications,
	backgroundRequests,
	type BackgroundState,
	type EndedWork,
	greetingRequests,
} from '../../protocol/background.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { Peer } from '../../protocol/rpc/peer.ts';
import { text } from '../../protocol/text/text.ts';
import { replaceDurably } from '../../machine/home-files/durable-file.ts';
import { makePrivateFolder } from '../../machine/home-files/private-folder.ts';
import { holdLock } from '../../machine/home-files/file-lock.ts';
import {
	backgroundPlace,
	type BackgroundRecord,
	backgroundRecord,
	isSameProof,
	createProof,
} from './background-record.ts';
import { backgroundLimits } from './limits.ts';
import { socketWire } from './socket-wire.ts';

/** Requests and events of the background host for programs that attach to it. */
export interface Attachable {
	state(): BackgroundState;
	look(): void;
	stop(): void;
	readonly onDidEnd: Event<EndedWork>;
}

/** Prefix of the folder for a socket whose path in the home would be too long. */
const SHORT_FOLDER = 'prowess-';

/** Listens until it is disposed. Rejects with INVALID_STATE where another process does, and names it. */
export async function listenInBackground(
	home: string,
	{ version, startedAt }: Pick<BackgroundRecord, 'version' | 'startedAt'>,
	host: Attachable,
): Promise<Disposable> {
	const place = backgroundPlace(home);
	makePrivateFolder(place.folder);
	refuseUnlessOurs(place.folder);
	chmodSync(place.folder, 0o700);
	const before = await backgroundRecord(home);
	const lock = await holdLock(place.lock);
	if (lock === undefined) {
		const { pid, startedAt: since } = (await backgroundRecord(home)) ?? before ?? { pid: 0, startedAt };
		const at = new Date(since).toISOString();
		throw new ProwessError('INVALID_STATE', `the background host of ${home} is process ${pid}, since ${at}`, {
			pid,
			said: text('Prowess runs in the background already: process {pid}, since {at}.', { pid, at }),
		});
	}
	const life = new DisposableStore();
	life.add(lock);
	try {
		if (before !== undefined) {
			removeSocket(before.address);
		}
		const record: BackgroundRecord = {
			pid: process.pid,
			version,
			startedAt,
			address: freshAddress(place.socket),
			secret: randomBytes(32).toString('base64url'),
		};
		const unproven = new Set<Socket>();
		const server = createServer((socket) => {
			makeRoom(unproven);
			acceptAttachment(socket, unproven, record.secret, host);
		});
		await startListening(server, record.address);
		const sockets = new Set<Socket>();
		server.on('connection', (socket: Socket) => {
			sockets.add(socket);
			socket.once('close', () => sockets.delete(socket));
		});
		life.add({
			dispose() {
				server.close();
				sockets.forEach((socket) => socket.destroy());
				removeSocket(record.address);
				rmSync(place.record, { force: true });
			},
		});
		await replaceDurably(place.record, JSON.stringify(record));
		return life;
	} catch (error) {
		life.dispose();
		throw error;
	}
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

/** Accepts only `greet` and `prove`, for at most `proveMs`; serves the host's requests after the proof. */
function acceptAttachment(socket: Socket, unproven: Set<Socket>, secret: string, host: Attachable): void {
	unproven.add(socket);
	const peer = new Peer(socketWire(socket));
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
			served.add(host.onDidEnd((ended) => peer.notify(backgroundNotifications.ended, ended)));
			served.add(
				peer.serve(backgroundRequests, {
					state: async () => host.state(),
					async look() {
						host.look();
						return {};
					},
					async stop() {
						// After the answer.
						setImmediate(() => host.stop());
						return {};
					},
				}),
			);
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

function freshAddress(socket: string): string {
	if (process.platform === 'win32') {
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
function removeSocket(address: string): void {
	if (process.platform === 'win32') {
		return;
	}
	rmSync(address, { force: true });
	const folder = dirname(address);
	if (basename(folder).startsWith(SHORT_FOLDER)) {
		rmSync(folder, { recursive: true, force: true });
	}
}
