/**
 * Channel between host and executor over Node's IPC: one JSON text a line, one frame a line. A line that is not a frame is
 * one of these words, as a JSON string. The host's first line is the token, and the executor's answer opens the channel.
 */

export const IPC_PING = 'ping';
export const IPC_PONG = 'pong';

export function ipcOpening(token: string): string {
	return `open ${token}`;
}

/** Returns the variables by which a Node process finds its end of the channel. */
export function ipcEnvironment(descriptor: number): Record<string, string> {
	return { NODE_CHANNEL_FD: String(descriptor), NODE_CHANNEL_SERIALIZATION_MODE: 'json' };
}
