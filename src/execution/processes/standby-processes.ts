/**
 * Processes that stand by: one for each executor that was used, so that the next execution need not wait for a process to
 * start. None before the first use, none when they are switched off, and none for longer than it is likely to be of use.
 */
import type { LogPort } from '../../contract/ports/ports.ts';
import { STANDBY_IDLE_MS } from './limits.ts';
import { StandbyProcess, type StandbyProcessOptions } from './standby-process.ts';

interface WaitingStandby {
	readonly standby: StandbyProcess;
	readonly idle: ReturnType<typeof setTimeout>;
}

interface StandbyOptions {
	/** Asked each time. */
	readonly isOn: () => boolean;
	readonly log: LogPort;
	readonly idleMs?: number;
}

export class StandbyProcesses {
	readonly #options: StandbyOptions;
	/** Ready processes, by the executor's program. */
	readonly #waiting = new Map<string, WaitingStandby>();
	readonly #starting = new Map<string, Promise<void>>();
	#isClosed = false;

	constructor(options: StandbyOptions) {
		this.#options = options;
	}

	get pids(): readonly number[] {
		return [...this.#waiting.values()].map(({ standby }) => standby.process.pid);
	}

	/** Hands a ready process over to the caller, who owns it from then on; undefined: none is ready. */
	take(program: string): StandbyProcess | undefined {
		const waiting = this.#waiting.get(program);
		if (waiting === undefined || !this.#options.isOn()) {
			return undefined;
		}
		clearTimeout(waiting.idle);
		this.#waiting.delete(program);
		return waiting.standby.process.isRunning ? waiting.standby : undefined;
	}

	/** In the background: sees to it that one is ready for the next time. */
	refill(options: StandbyProcessOptions): void {
		const { program } = options.executor;
		if (!this.#isClosed && this.#options.isOn() && !this.#waiting.has(program) && !this.#starting.has(program)) {
			const starting = this.#start(options).finally(() => this.#starting.delete(program));
			this.#starting.set(program, starting);
		}
	}

	/** Ends them all; there will be no more. */
	async close(): Promise<void> {
		this.#isClosed = true;
		await Promise.all(this.#starting.values());
		await Promise.all([...this.#waiting.keys()].map((program) => this.#end(program)));
	}

	/** Never rejects: without it, an execution starts its own. */
	async #start(options: StandbyProcessOptions): Promise<void> {
		const { program } = options.executor;
		try {
			const standby = await StandbyProcess.start(options);
			try {
				await standby.ready;
			} catch (error) {
				await standby.end();
				throw error;
			}
			const idle = setTimeout(() => void this.#end(program), this.#options.idleMs ?? STANDBY_IDLE_MS);
			this.#waiting.set(program, { standby, idle });
			void standby.process.exited.then(() => {
				if (this.#waiting.get(program)?.standby === standby) void this.#end(program);
			});
		} catch (error) {
			this.#options.log.debug('no process stands by', { program, error: String(error) });
		}
	}

	async #end(program: string): Promise<void> {
		const waiting = this.#waiting.get(program);
		if (waiting !== undefined) {
			clearTimeout(waiting.idle);
			this.#waiting.delete(program);
			await waiting.standby.end();
		}
	}
}
