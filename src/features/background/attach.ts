/** The end of whoever attaches to another host of the same home. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { backgroundRequests, type BackgroundState, greetingRequests } from '../../protocol/background.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { Peer } from '../../protocol/rpc/peer.ts';
import { type BackgroundRecord, backgroundRecord, isOnlyOurs, isSameProof, createProof } from './background-record.ts';
import { backgroundLimits } from './limits.ts';
import { socketWire } from './socket-wire.ts';

export interface Attachment extends Disposable {
	readonly peer: Peer;
	readonly pid: number;
	/** The host has ended, or let go of us. */
	readonly onDidClose: Event<void>;
}

/** Undefined: none runs. Rejects with INVALID_STATE where something else answers in its place. */
export async function attachToBackground(home: string, signal: AbortSignal): Promise<Attachment | undefined> {
	const record = await backgroundRecord(home);
	return record && (await attachTo(record, backgroundLimits.lineBytes, signal));
}

/** Resolves with what the background host does now; undefined: none runs. Rejects as above, and where it does not answer in time. */
export async function readBackgroundState(home: string): Promise<BackgroundState | undefined> {
	const limit = { what: 'asking the background host', timeoutMs: backgroundLimits.stateMs };
	return await withTimeLimit(limit, async (signal) => {
		const attachment = await attachToBackground(home, signal);
		try {
			return await attachment?.peer.call(backgroundRequests.state, {}, signal);
		} finally {
			attachment?.dispose();
		}
	});
}

/** Undefined: nothing listens there any more. Rejects with INVALID_STATE where something answers that does not know the secret. */
export async function attachTo(
	{ address, secret, pid }: Pick<BackgroundRecord, 'address' | 'secret' | 'pid'>,
	lineBytes: number,
	signal: AbortSignal,
): Promise<Attachment | undefined> {
	const createAttachError = (why: string) => new ProwessError('INVALID_STATE', `${address}: ${why}`, { address });
	const limit = deriveSignal(signal, { what: 'attaching to another host', timeoutMs: backgroundLimits.proveMs });
	let socket: Socket | undefined;
	try {
		if (!isOnlyOurs(address)) {
			throw createAttachError('others can write in the folder of the socket');
		}
		socket = await connectSocket(address, limit.signal);
		if (socket === undefined) {
			return undefined;
		}
		const closed = new Emitter<void>();
		const ends = socket;
		const peer = new Peer(socketWire(socket, lineBytes));
		socket.once('close', () => closed.fire());
		const nonce = randomBytes(32).toString('base64url');
		const greeted = await peer.call(greetingRequests.greet, { nonce }, limit.signal);
		if (!isSameProof(greeted.proof, createProof(secret, 'host', nonce))) {
			throw createAttachError('what answers there is not the host of this home that wrote the record');
		}
		await peer.call(greetingRequests.prove, { proof: createProof(secret, 'caller', greeted.nonce) }, limit.signal);
		return { peer, pid, onDidClose: closed.event, dispose: () => void ends.destroy() };
	} catch (error) {
		socket?.destroy();
		throw error;
	} finally {
		limit.dispose();
	}
}

/** Undefined where nothing listens: the host was killed. */
async function connectSocket(address: string, signal: AbortSignal): Promise<Socket | undefined> {
	return await new Promise((resolve, reject) => {
		const socket = connect(address);
		const settleConnect = (how: () => void) => {
			signal.removeEventListener('abort', abort);
			how();
		};
		const abort = () => {
			socket.destroy();
			settleConnect(() => reject(signal.reason as Error));
		};
		signal.addEventListener('abort', abort, { once: true });
		socket.once('connect', () => settleConnect(() => resolve(socket)));
		socket.once('error', (error: NodeJS.ErrnoException) => {
			const isGone = error.code === 'ENOENT' || error.code === 'ECONNREFUSED';
			settleConnect(() => (isGone ? resolve(undefined) : reject(error)));
		});
	});
}
