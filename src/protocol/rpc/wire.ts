import type { Disposable } from '../../base/disposable.ts';

/** Transport of a Peer. Signals and errors are ours; an adapter translates. */
export interface Wire {
	/** Settles exactly once: with the answer, with the far end's WireError, with the caller's abort reason, or with FAR_END_GONE. */
	sendRequest(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
	/** Never rejects: a notification to a far end that is gone has nobody to tell. */
	sendNotification(method: string, params: unknown): void;
	onRequest(method: string, handler: (params: unknown, signal: AbortSignal) => Promise<unknown>): Disposable;
	onNotification(method: string, handler: (params: unknown) => void): Disposable;
}

/** Gets a wire, and gives the one that is used in its place. */
export type WrapWire = (wire: Wire) => Wire;

/** JSON-RPC's numbers, and ours in its range for implementations. */
export const WIRE_CODES = {
	invalidParams: -32602,
	methodNotFound: -32601,
	internalError: -32603,
	farEndGone: -32097,
	/** A ProwessError crossed the wire; `data.code` says which. */
	domainError: -32000,
} as const;

/** An error as it crosses a wire. */
export class WireError extends Error {
	override readonly name = 'WireError';
	readonly code: number;
	readonly data: unknown;

	constructor(code: number, message: string, data?: unknown) {
		super(message);
		this.code = code;
		this.data = data;
	}
}

export function isWireError(value: unknown): value is WireError {
	// A bundle that is loaded late has a class of its own.
	return value instanceof Error && value.name === 'WireError' && 'code' in value && typeof value.code === 'number';
}
