/**
 * Programs side by side, each reading the output of the one before it; often a single program. A pipeline ends when all
 * its programs have. Node cannot put a process into the group of another, so each program has its own group, and the
 * pipeline signals them all.
 */
import type { Readable } from 'node:stream';
import type { CommandEnd } from '../../protocol/ops/definitions/commands/shell.ts';
import type { GroupSignal } from './process-group.ts';
import { type GroupWatch, type ProgramEnd, type ProgramOptions, RunningProgram } from './running-program.ts';
import type { OpenStreams, ProgramStreams } from './streams.ts';

export interface PipelineEnd {
	/** The last of its programs that failed, or its last one: their end is that of the whole. */
	readonly whole: CommandEnd | undefined;
	readonly failed: boolean;
	/** In the order of the pipe. */
	readonly each: readonly CommandEnd[];
}

export class Pipeline {
	/** Never rejects. */
	readonly ended: Promise<PipelineEnd>;
	readonly #programs: readonly RunningProgram[];

	private constructor(programs: readonly RunningProgram[], opened: readonly OpenStreams[]) {
		this.#programs = programs;
		this.ended = Promise.all(programs.map((program) => program.ended)).then(async (ends) => {
			await closeAll(opened);
			return toPipelineEnd(ends);
		});
	}

	/**
	 * Rejects with COMMAND_FAILED_TO_START when one does not start, and with the error of a file that cannot be opened; then
	 * none is left running.
	 */
	static async start(
		programs: readonly (Pick<ProgramOptions, 'file' | 'argv'> & { readonly streams?: ProgramStreams | undefined })[],
		place: Pick<ProgramOptions, 'cwd' | 'environment' | 'sandbox' | 'terminal'>,
		read: (stream: Readable) => void,
		groups: GroupWatch,
	): Promise<Pipeline> {
		const streams = await openAll(
			programs.map((program) => program.streams),
			place.sandbox?.temporary,
		);
		const opened = streams.filter((each) => each !== undefined);
		// Side by side: a sandbox takes its time.
		const starts = await Promise.allSettled(
			programs.map(async ({ file, argv }, index) => {
				const input = index === 0 ? 'nothing' : 'pipe';
				const output = index === programs.length - 1 ? 'read' : 'pipe';
				const options = { file, argv, ...place, input, output, streams: streams[index] } as const;
				const program = await RunningProgram.start(options, groups);
				program.outputs.forEach(read);
				return program;
			}),
		);
		const running = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
		const failed = starts.find((start) => start.status === 'rejected');
		if (failed === undefined) {
			for (const [index, program] of running.slice(1).entries()) running[index]?.pipeTo(program);
			return new Pipeline(running, opened);
		}
		const begun = new Pipeline(running, opened);
		begun.signal('SIGKILL');
		await begun.ended;
		throw failed.reason;
	}

	signal(signal: GroupSignal): void {
		for (const program of this.#programs) {
			program.signal(signal);
		}
	}
}

/** Opens the streams one after the other, in the order of the line; leaves none open when one cannot be opened. */
async function openAll(
	all: readonly (ProgramStreams | undefined)[],
	own: string | undefined,
): Promise<readonly (OpenStreams | undefined)[]> {
	const opened: (OpenStreams | undefined)[] = [];
	try {
		for (const streams of all) opened.push(await streams?.open(own));
	} catch (error) {
		await closeAll(opened.filter((each) => each !== undefined));
		throw error;
	}
	return opened;
}

async function closeAll(opened: readonly OpenStreams[]): Promise<void> {
	await Promise.all(opened.map((streams) => streams.close()));
}

function toPipelineEnd(ends: readonly ProgramEnd[]): PipelineEnd {
	const failure = ends.findLast(({ failed }) => failed);
	return {
		whole: (failure ?? ends.at(-1))?.end,
		failed: failure !== undefined,
		each: ends.map(({ end }) => end),
	};
}
