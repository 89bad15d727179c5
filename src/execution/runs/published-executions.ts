/** Lets other processes of the user see the executions of this host, and stops those that they want to be stopped. */
import { DisposableStore } from '../../base/disposable.ts';
import type { LeftProcess } from '../../protocol/execution/execution.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { ExecutionInfo } from './execution.ts';
import { executionsOfHosts, removeRecord, wishesToStop, writeRecord } from './executions-of-hosts.ts';
import { STOP_WISH_POLL_MS } from '../processes/limits.ts';
import type { RunningExecutions } from './running-executions.ts';

type WatchedExecutions = Pick<RunningExecutions, 'didStart' | 'didClose' | 'get'>;

export class PublishedExecutions {
	readonly #home: string;
	readonly #executions: WatchedExecutions;
	readonly #log: LogPort;
	readonly #listening = new DisposableStore();
	/** Last write or removal for each execution; the next one waits for it. */
	readonly #writes = new Map<string, Promise<void>>();
	readonly #live = new Set<string>();
	#sweep: Promise<unknown> | undefined;
	#looking: NodeJS.Timeout | undefined;

	constructor(home: string, executions: WatchedExecutions, log: LogPort) {
		this.#home = home;
		this.#executions = executions;
		this.#log = log;
		this.#listening.add(executions.didStart.event((started) => this.#publish(started)));
		// Not at its end: whoever waits for the record's end waits until its process is gone.
		this.#listening.add(
			executions.didClose.event(({ executionId, leftovers }) => this.#withdraw(executionId, leftovers)),
		);
	}

	/** When nothing runs any more. No record of this host is left. */
	async close(): Promise<void> {
		this.#listening.dispose();
		for (const executionId of this.#live) {
			this.#withdraw(executionId, []);
		}
		await Promise.all([this.#sweep, ...this.#writes.values()]);
	}

	#publish({ executionId, type, name, startedAt }: ExecutionInfo): void {
		this.#live.add(executionId);
		this.#sweep ??= executionsOfHosts(this.#home).catch((error: unknown) => this.#couldNot('sweep', error));
		this.#afterOthers(executionId, () => writeRecord(this.#home, { executionId, type, name, startedAt }));
		// An execution keeps its host running, looking for wishes does not.
		this.#looking ??= setInterval(() => void this.#look(), STOP_WISH_POLL_MS).unref();
	}

	#withdraw(executionId: string, leftovers: readonly LeftProcess[]): void {
		this.#live.delete(executionId);
		this.#afterOthers(executionId, () => removeRecord(this.#home, executionId, leftovers));
		if (this.#live.size === 0) {
			clearInterval(this.#looking);
			this.#looking = undefined;
		}
	}

	async #look(): Promise<void> {
		for (const executionId of await wishesToStop(this.#home)) {
			const execution = this.#live.has(executionId) ? this.#executions.get(executionId) : undefined;
			if (execution !== undefined && execution.status() !== 'stopping') {
				void execution.stop('another process of the user asked for it');
			}
		}
	}

	/** An execution goes on, and ends, whether or not others can see it. */
	#afterOthers(executionId: string, work: () => Promise<void>): void {
		const before = this.#writes.get(executionId) ?? Promise.resolve();
		const write = before.then(work).catch((error: unknown) => this.#couldNot('tell others of', error));
		this.#writes.set(executionId, write);
		void write.then(() => {
			if (this.#writes.get(executionId) === write) {
				this.#writes.delete(executionId);
			}
		});
	}

	#couldNot(what: string, error: unknown): void {
		this.#log.warn(`could not ${what} executions`, { error: String(error) });
	}
}
