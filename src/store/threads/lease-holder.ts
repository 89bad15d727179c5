/** Kind of process that holds a thread: the one behind an editor's window, or that of a command line. */
export type HolderKind = 'editor' | 'cli';

/** Holder of leases: a process. */
export interface LeaseHolder {
	/** Names this process, so that another one can see whether it still lives. */
	readonly owner: string;
	/**
	 * Returns true when the process of that name still lives, or may. `heardAt`: when it was last heard of by what it
	 * has written, in milliseconds since 1970; 0 where that does not say.
	 */
	isAlive(owner: string, heardAt: number): boolean;
	now(): number;
}

/** Holder of claims, which are not renewed one by one: the process itself is heard of as long as it lives. */
export interface ClaimHolder extends LeaseHolder {
	/** From now on others hear of this process. Called before each claim. */
	beat(): void;
}
