/**
 * Why a store refuses. `newer`: a later version of ours wrote the file, which is left as it is. `fenced`: another
 * process has taken the thread over, nothing was written. `busy`: another process holds it.
 */
export class StoreError extends Error {
	override readonly name = 'StoreError';
	readonly code: 'newer' | 'unavailable' | 'busy' | 'fenced' | 'missing';
	readonly facts: Readonly<Record<string, unknown>>;

	constructor(
		code: StoreError['code'],
		message: string,
		facts: Readonly<Record<string, unknown>> = {},
		cause?: unknown,
	) {
		super(message, cause === undefined ? undefined : { cause });
		this.code = code;
		this.facts = facts;
	}
}

/** SQLite's code for a file that another connection holds, for longer than it is waited for. */
const SQLITE_BUSY = 5;

/** Returns true when nothing was done because another process holds the file. */
export function isLockedError(error: unknown): boolean {
	const code = (error as { readonly errcode?: unknown } | null)?.errcode;
	return typeof code === 'number' && (code & 0xff) === SQLITE_BUSY;
}
