/**
 * A process that waits for its execution: started and connected, within the same walls as any other, with nothing to
 * read yet but its own program. The process serves a single execution and ends with it.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { EXECUTION_PROTOCOL } from '../../protocol/execution/execution.ts';
import { text } from '../../protocol/text/text.ts';
import type { Bubblewrap } from '../../machine/sandbox/sandbox.ts';
import type { ProcessLimits } from '../../machine/sandbox/watch/watch-limits.ts';
import type { CommandGuard } from '../../machine/shell/command-guard.ts';
import { type ChannelEvents, ExecutorChannel } from './executor-channel.ts';
import { ExecutorProcess } from './executor-process.ts';
import type { Executor } from '../../catalog/executors.ts';
import { READY_TIMEOUT_MS, STANDBY_BYTES, STANDBY_FILES } from './limits.ts';
import { makeScratch, removeScratch } from './scratch.ts';
import type { CapabilityFiles } from '../../catalog/capability-files.ts';
import { writeBeside, writeCapability } from './snapshot.ts';
import type { InheritedChannel } from './waiting-channel.ts';

export interface StandbyProcessOptions {
	readonly executor: Executor;
	readonly scratchRoot: string;
	readonly bwrap: Bubblewrap | undefined;
	readonly channel: InheritedChannel;
	readonly guard: CommandGuard;
	readonly heartbeatMs?: number;
	readonly limits?: ProcessLimits | undefined;
}

/** Few and small: its files are written once more, for this execution alone. */
export function fitsStandby({ files }: CapabilityFiles): boolean {
	const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
	return files.length <= STANDBY_FILES && bytes <= STANDBY_BYTES;
}

export class StandbyProcess {
	readonly process: ExecutorProcess;
	/** Resolves when it is connected and waits for its call. Rejects when it never will. */
	readonly ready: Promise<void>;
	readonly channel: ExecutorChannel;
	/** Resolves when the process has ended and its folders are removed, as one's own are. Never rejects. */
	readonly removed: Promise<void>;
	readonly #snapshot: string;

	private constructor(process: ExecutorProcess, folder: string, heartbeatMs: number | undefined) {
		this.process = process;
		this.removed = process.removed.then(() => removeScratch(folder));
		this.#snapshot = snapshotIn(folder);
		const { promise, resolve: connected, reject: failed } = Promise.withResolvers<void>();
		this.ready = promise;
		// Nobody may be waiting any more.
		this.ready.catch(() => undefined);
		const giveUp = (why: string) => {
			failed(
				new ProwessError('CONNECTION_FAILED', `a process that should stand by ${why}${process.lastOutput}`, {
					said: text('The capability could not be started: {why}', { why: `${why}${process.lastOutput}` }),
				}),
			);
			process.kill();
		};
		let isReady = false;
		this.channel = new ExecutorChannel(
			process.wire,
			{
				onFrame(frame) {
					if (frame.type !== 'ready' || frame.protocol !== EXECUTION_PROTOCOL || isReady) {
						giveUp('spoke out of turn');
					}
					isReady = true;
					connected();
				},
				onForged: () => giveUp('claimed to be somebody'),
				onViolation: giveUp,
				onUnanswered: () => giveUp('does not answer'),
				onClosed: () => giveUp('has closed its channel'),
			},
			heartbeatMs,
		);
		const timer = setTimeout(() => giveUp('did not connect in time'), READY_TIMEOUT_MS);
		const clearTimer = () => clearTimeout(timer);
		this.ready.then(clearTimer, clearTimer);
	}

	static async start({
		executor,
		scratchRoot,
		bwrap,
		channel,
		guard,
		heartbeatMs,
		limits,
	}: StandbyProcessOptions): Promise<StandbyProcess> {
		const folder = makeScratch(scratchRoot);
		const snapshot = snapshotIn(folder);
		try {
			await mkdir(snapshot, { mode: 0o700 });
			await writeBeside(snapshot);
			const process = await ExecutorProcess.start({
				...executor,
				snapshot,
				bwrap,
				channel,
				guard,
				limits,
				scratchRoot: folder,
				variables: undefined,
			});
			return new StandbyProcess(process, folder, heartbeatMs);
		} catch (error) {
			await removeScratch(folder);
			throw error;
		}
	}

	/** Puts a capability where the process can read it, and nobody else writes. Resolves with its folder there. */
	async place(files: CapabilityFiles): Promise<string> {
		return await writeCapability(this.#snapshot, files);
	}

	/** From now on the channel is that of the execution. */
	handTo(events: ChannelEvents): void {
		this.channel.handTo(events);
	}

	async end(): Promise<void> {
		this.process.kill();
		await this.removed;
		this.channel.close();
	}
}

function snapshotIn(folder: string): string {
	return join(folder, 'snapshot');
}
