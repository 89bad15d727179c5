/** Files in the place of a program's standard streams, opened by the host: the program gets descriptors and no path. */

/** A descriptor, `nothing`, or where the program's output or its errors go without it. */
type Sink = number | 'nothing' | 'stdout' | 'stderr';

export interface OpenStreams {
	/** A descriptor; undefined: as without it. */
	readonly stdin: number | 'nothing' | undefined;
	readonly stdout: Sink;
	readonly stderr: Sink;
	/** Once the program has ended, or has not started; never rejects. */
	close(): Promise<void>;
}

export interface ProgramStreams {
	/** Right before the program starts, whose sandbox has the folder `own` in place of `/tmp`. Rejects with an error of the file. */
	open(own: string | undefined): Promise<OpenStreams>;
}
