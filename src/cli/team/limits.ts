/** Limits of the package and of commands of a team. */
export const teamCommandLimits = {
	/** Bytes of the package's program, unpacked. */
	programBytes: 8_000_000,
	archiveBytes: 8_000_000,
	manifestBytes: 65_536,
	/** From the command to the answer of the database. */
	databaseMs: 30_000,
	/** Characters of an address. */
	addressBytes: 4_096,
} as const;
