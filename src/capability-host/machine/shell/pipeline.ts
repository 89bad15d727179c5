/**
 * Programs side by side, each reading what the one before it writes; often just one. It ends when all of them have. Node puts
 * no process into the group of another, so each program has its own, and the pipeline signals them all.
 */
import type { Readable } from 'node:stream';
import type { CommandEnd } from '../../../protocol/ops/definitions/shell.ts';
import type { GroupSignal } from './process-group.ts';
import { type GroupWatch, type ProgramEnd, type ProgramOptions, RunningProgram } from './running-program.ts';

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

	private constructor(programs: readonly RunningProgram[]) {
		this.#programs = programs;
		this.ended = Promise.all(programs.map((program) => program.ended)).then(endOf);
	}

	/** Rejects with COMMAND_FAILED_TO_START when one does not start; then none is left running. */
	static async start(
		programs: readonly Pick<ProgramOptions, 'file' | 'argv'>[],
		place: Pick<ProgramOptions, 'cwd' | 'environment' | 'sandbox'>,
		read: (stream: Readable) => void,
		groups: GroupWatch,
	): Promise<Pipeline> {
		// Side by side: a sandbox takes its time.
		const starts = await Promise.allSettled(
			programs.map(async ({ file, argv }, index) => {
				const input = index === 0 ? 'nothing' : 'pipe';
				const output = index === programs.length - 1 ? 'read' : 'pipe';
				const program = await RunningProgram.start({ file, argv, ...place, input, output }, groups);
				read(program.stderr);
				if (output === 'read') {
					read(program.stdout);
				}
				return program;
			}),
		);
		const running = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
		const failed = starts.find((start) => start.status === 'rejected');
		if (failed === undefined) {
			for (const [index, program] of running.slice(1).entries()) running[index]?.pipeTo(program);
			return new Pipeline(running);
		}
		const begun = new Pipeline(running);
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

function endOf(ends: readonly ProgramEnd[]): PipelineEnd {
	const failure = ends.findLast(({ failed }) => failed);
	return {
		whole: (failure ?? ends.at(-1))?.end,
		failed: failure !== undefined,
		each: ends.map(({ end }) => end),
	};
}
