/** Kind of process that holds a thread: the one behind an editor's window, or that of a command line. */
export type HolderKind = 'editor' | 'cli';

/** Holder of leases: a process. */
export interface LeaseHolder {
	/** Names this process, so that another one can see whether it still lives. */
	readonly owner: string;
	/** False when the process of that name is known to be gone; true also when nothing is known. */
	isAlive(owner: string): boolean;
	now(): number;
}
