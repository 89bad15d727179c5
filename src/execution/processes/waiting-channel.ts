/** The ways in which the process of an executor comes by its channel, before there is a process. */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { ipcEnvironment } from '../../protocol/execution/execution.ts';
import { DescriptorWire } from './wires/descriptor-wire.ts';
import type { ExecutorWire } from './wires/executor-wire.ts';
import { IpcWire } from './wires/ipc-wire.ts';
import { LinesWire } from './wires/lines-wire.ts';
import { LoopbackWire } from './wires/loopback-wire.ts';

/**
 * `descriptor` and `ipc` are inherited; `loopback` is a port, only for an executor that asks for one; `lines` are the standard
 * input and output of a worker.
 */
export type ChannelKind = 'descriptor' | 'ipc' | 'loopback' | 'lines';
export type InheritedChannel = Exclude<ChannelKind, 'loopback' | 'lines'>;

export interface WaitingChannel {
	/** Variables that the process needs in its environment to find the channel. */
	readonly environment: Readonly<Record<string, string>>;
	readonly stdio: readonly ('ignore' | 'pipe')[];
	/** The wire to a process that was started so. */
	connect(child: ChildProcess): ExecutorWire;
	/** Lets go of the channel; called when there will be no process. */
	dispose(): void;
}

export const CHANNEL_DESCRIPTOR = 3;
const TOKEN_BYTES = 32;

/** With a token of its own, good for one opening. Rejects when the system gives it no port. */
export async function openWaitingChannel(kind: ChannelKind): Promise<WaitingChannel> {
	if (kind === 'lines') {
		// Nobody else can come by these pipes.
		return {
			environment: {},
			stdio: ['pipe', 'pipe', 'pipe'],
			connect: (child) => new LinesWire(child),
			dispose: () => {},
		};
	}
	const token = randomBytes(TOKEN_BYTES).toString('base64url');
	if (kind === 'loopback') {
		return throughPort(await LoopbackWire.listen(token), token);
	}
	return {
		environment: kind === 'ipc' ? ipcEnvironment(CHANNEL_DESCRIPTOR) : {},
		stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
		connect(child) {
			const socket = child.stdio[CHANNEL_DESCRIPTOR] as unknown as Socket;
			socket.on('error', () => undefined);
			return kind === 'ipc' ? new IpcWire(socket, token) : new DescriptorWire(socket, token);
		},
		dispose: () => {},
	};
}

function throughPort(wire: LoopbackWire, token: string): WaitingChannel {
	return {
		environment: { SOCKET_PORT: String(wire.port) },
		stdio: ['pipe', 'pipe', 'pipe'],
		connect({ stdin }) {
			stdin?.on('error', () => undefined);
			// Not in the environment, which every process of this user can read.
			stdin?.end(`${token}\n`);
			return wire;
		},
		dispose: () => wire.close('done'),
	};
}
