/** Bounds of the store. */
export const storeLimits = {
	/** Longest wait of a statement for another process's write transaction. */
	busyTimeoutMs: 5_000,
	/** Larger files are not checked page by page at the start: it would be felt. */
	quickCheckMaxBytes: 16_000_000,
	/** After it the write-ahead log is copied into the file. */
	checkpointPages: 1_000,
	/** A lease that is not renewed within this time belongs to nobody. */
	leaseMs: 15_000,
	/** A lease that ends later counts for nothing: the clocks of machines that share a disk differ by less. */
	maxLeaseMs: 24 * 60 * 60_000,
	/** Time between two signs of life of a process that holds claims. */
	beatMs: 15_000,
	/**
	 * A holder that cannot be seen from here loses its claims when it was not heard of for so long; also when its last sign of
	 * life is so far ahead: a clock was put back.
	 */
	claimMs: 2 * 60_000,
	/** Pictures that no message has taken are kept so long: a draft may wait for days. */
	unusedImageMs: 30 * 24 * 60 * 60_000,
	/** Words of a search that count. */
	searchWords: 8,
} as const;
