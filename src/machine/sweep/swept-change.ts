/** Requests of the host to its sweep worker, and the answers. */

/** File, link or folder that is another one after a command than before. */
export interface SweptChange {
	/** Below the folder, with slashes. */
	readonly path: string;
	/** Undefined: there was no such file. */
	readonly before: SweptContent | undefined;
	/** Undefined: it is gone. */
	readonly after: SweptContent | undefined;
	/** Time of the last change of the folder of a file that is gone. */
	readonly goneMs?: number;
}

export interface SweptContent {
	/** Undefined: what it held is not known, because it is too large or was never read. For a link, where it leads. */
	readonly bytes: Uint8Array | undefined;
	readonly permissions: number;
	/** Absent: a file. */
	readonly kind?: 'link' | 'folder';
	/** Time of its last change, as the system keeps it; absent of what was there before. */
	readonly changedMs?: number;
}

export interface SweepResult {
	readonly changes: readonly SweptChange[];
	/** Files of which nobody has read what they hold: too large, or more than there was time or room for. */
	readonly uncovered: number;
}

export interface SweepRequest {
	/** `before` brings the copy up to date; `after` says what differs from it, and brings it up to date. */
	readonly kind: 'before' | 'after';
	/** Absolute path of a workspace folder. */
	readonly root: string;
	/** Bytes that the copy of a folder may take. */
	readonly keptBytes: number;
	/** A folder with more files is refused. */
	readonly maxFiles: number;
}

/** Calls that the sweep worker answers. */
export interface SweepCalls {
	sweep(request: SweepRequest): SweepResult;
}

export interface SweepStart {
	/** Where copies lie. */
	readonly folder: string;
}
