/**
 * A long-lived process with many calls in flight. Whatever becomes of it, each call is told exactly once: by its
 * result, or by the reason why none will come. The first line that breaks a rule ends the process.
 */
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { type HostLine, readWorkerLine, type WorkerLine } from '../../../protocol/execution/worker.ts';
import { text } from '../../../protocol/text/text.ts';
import { ENDED_CALLS_KEPT, MAX_UNREAD_BYTES, WORKER_GRACE_MS, WORKER_LINES_PER_SECOND } from '../limits.ts';
import type { ExecutorProcess } from '../executor-process.ts';
import type { Received } from '../wires/executor-wire.ts';

type WorkerCallRequest = Extract<HostLine, { __type__: 'call' }>['__call__'];

/** Events of one call. Exactly one of `onResult` and `onGone` is called, once, and no event after it. */
export interface WorkerCallEvents {
	/** Takes a dispatch. Returns the problem with it; undefined when the dispatch is going to be answered. */
	onDispatch(dispatch: Extract<WorkerLine, { type: 'dispatch' }>): string | undefined;
	onResult(result: Extract<WorkerLine, { type: 'result' }>): void;
	onGone(error: ProwessError): void;
	/** Something to be recorded that is neither a decision nor an effect. */
	note(op: string, text: string): void;
}

interface WorkerProcessOptions {
	readonly graceMs?: number;
	/** Told when it has no call in flight any more; and at its end. */
	readonly onIdle: () => void;
	readonly onEnd: () => void;
}

export class WorkerProcess {
	/** Resolves when nothing of it is left. Never rejects. */
	readonly closed: Promise<void>;
	readonly #process: ExecutorProcess;
	readonly #options: WorkerProcessOptions;
	readonly #calls = new Map<string, WorkerCallEvents>();
	/** In the order of their ends. */
	readonly #ended = new Set<string>();
	/**
	 * Lines to send once the worker has said that it is there; undefined from then on. A call written earlier could be
	 * carried out by a worker whose host was killed while its sandbox was still being made, and no one would end that
	 * worker.
	 */
	#unsent: string[] | undefined = [];
	#last: WorkerCallEvents | undefined;
	#lastDispatch = 0;
	#second = { from: performance.now(), lines: 0 };
	#isOver = false;
	#isRetired = false;
	#grace: ReturnType<typeof setTimeout> | undefined;

	constructor(process: ExecutorProcess, options: WorkerProcessOptions) {
		this.#process = process;
		this.#options = options;
		process.wire.follow({
			onOpen: () => {},
			onReceived: (received) => this.#take(received),
			onFault: (problem) => this.#violation(`a line that is ${problem}`),
			onRefused: () => {},
			onClosed: () => {},
		});
		this.closed = this.#follow();
	}

	get pid(): number {
		return this.#process.pid;
	}

	/** The last of what it printed, whichever call it was for. */
	get output(): string {
		return this.#process.output;
	}

	get leftovers(): ExecutorProcess['leftovers'] {
		return this.#process.leftovers;
	}

	get inFlight(): number {
		return this.#calls.size;
	}

	/** True while the worker takes calls. */
	get isOpen(): boolean {
		return !this.#isOver && !this.#isRetired;
	}

	/** Known before it is written, so that no answer comes too early. */
	call(id: string, call: WorkerCallRequest, events: WorkerCallEvents): void {
		if (!this.isOpen) {
			events.onGone(
				new ProwessError('PROCESS_CRASHED', 'the worker has ended', { said: text('The worker has ended.') }),
			);
			return;
		}
		this.#calls.set(id, events);
		this.#last = events;
		this.#send({ __type__: 'call', __id__: id, __call__: call });
	}

	answer(line: Extract<HostLine, { __type__: 'dispatch_result' }>): void {
		this.#send(line);
	}

	/** Nobody waits for it any more; it may still say so itself. */
	cancel(id: string): void {
		if (this.#calls.has(id)) this.#send({ __type__: 'cancel', __id__: id });
	}

	/** Drops a call, whose outcome nobody waits for. */
	forget(id: string): void {
		if (this.#calls.delete(id)) this.#keepEnded(id);
	}

	/** Takes no more calls, and ends when those in flight have ended, or after a moment. */
	retire(): void {
		if (this.#isRetired || this.#isOver) return;
		this.#isRetired = true;
		if (this.#calls.size === 0) {
			void this.#process.stop();
		} else {
			this.#grace = setTimeout(() => this.#process.kill(), this.#options.graceMs ?? WORKER_GRACE_MS);
		}
	}

	/** Ends it now, in order: at the end of its input. */
	async stop(): Promise<void> {
		this.#isRetired = true;
		this.#process.wire.close('done');
		await this.#process.stop();
		await this.closed;
	}

	async #follow(): Promise<void> {
		void this.#process.exceeded.then((error) => {
			this.#note('execution.exceeded', error.message);
			this.#end(error);
		});
		// Lines that the worker wrote before its end still count.
		const { code, signal } = await this.#process.ended;
		const how = signal === null ? `code ${code}` : signal;
		const message = `Worker process exited (${how})${this.#process.lastOutput}`;
		this.#end(
			new ProwessError('PROCESS_CRASHED', message, { code, signal, said: text('The worker ended ({how}).', { how }) }),
		);
		await this.#process.removed;
	}

	#take({ data }: Received): void {
		if (this.#isOver) return;
		const now = performance.now();
		if (now - this.#second.from >= 1_000) this.#second = { from: now, lines: 0 };
		this.#second.lines += 1;
		if (this.#second.lines > WORKER_LINES_PER_SECOND) {
			this.#violation(`more than ${WORKER_LINES_PER_SECOND} lines a second`);
			return;
		}
		const checked = readWorkerLine(data.toString('utf8'));
		if (!checked.ok) {
			this.#violation(`a line that is ${checked.problem}`);
			return;
		}
		const { line } = checked;
		if (line.type === 'ready') {
			this.#begin();
			return;
		}
		if (this.#unsent !== undefined) {
			this.#violation(`a ${line.type} before it was ready`);
			return;
		}
		if (line.type === 'dispatch') {
			if (line.number <= this.#lastDispatch) {
				this.#violation(`dispatch ${line.dispatchId} after d-${this.#lastDispatch}`);
				return;
			}
			this.#lastDispatch = line.number;
		}
		const events = this.#calls.get(line.callId);
		if (events === undefined) this.#late(line);
		else if (line.type === 'dispatch') this.#dispatched(line, events);
		else this.#settle(line.callId, (call) => call.onResult(line));
	}

	#begin(): void {
		const unsent = this.#unsent;
		if (unsent === undefined) {
			this.#violation('a second line that it is ready');
			return;
		}
		this.#unsent = undefined;
		for (const text of unsent) this.#process.wire.send(text);
	}

	#dispatched(line: Extract<WorkerLine, { type: 'dispatch' }>, events: WorkerCallEvents): void {
		const problem = events.onDispatch(line);
		if (problem !== undefined) this.#violation(problem);
	}

	/** For a call that has ended; a call that there never was is a forgery. */
	#late(line: Exclude<WorkerLine, { type: 'ready' }>): void {
		if (!this.#ended.has(line.callId)) {
			this.#violation(`a ${line.type} for a call that it was never given`);
			return;
		}
		this.#last?.note('execution.late', `${line.type} of ${line.callId}, which has ended`);
		if (line.type === 'dispatch') {
			const message = 'the call has ended';
			this.#send({
				__type__: 'dispatch_result',
				__dispatch_id__: line.dispatchId,
				__error__: { code: 'CANCELLED', message },
			});
		}
	}

	#settle(id: string, tell: (events: WorkerCallEvents) => void): void {
		const events = this.#calls.get(id);
		this.#calls.delete(id);
		this.#keepEnded(id);
		if (events !== undefined) tell(events);
		if (this.#calls.size === 0) {
			if (this.#isRetired) void this.#process.stop();
			else this.#options.onIdle();
		}
	}

	#keepEnded(id: string): void {
		this.#ended.add(id);
		const [oldest] = this.#ended;
		if (this.#ended.size > ENDED_CALLS_KEPT && oldest !== undefined) this.#ended.delete(oldest);
	}

	#violation(problem: string): void {
		this.#note('execution.violation', `PROTOCOL_VIOLATION: ${problem}`);
		this.#end(new ProwessError('PROTOCOL_VIOLATION', `the worker broke the protocol: ${problem}`));
	}

	/** Records a note with one of the worker's calls in flight, or with the last call. */
	#note(op: string, what: string): void {
		const [told = this.#last] = this.#calls.values();
		told?.note(op, what);
	}

	/** All calls are told, and the process is killed if it still runs. */
	#end(error: ProwessError): void {
		if (this.#isOver) return;
		this.#isOver = true;
		clearTimeout(this.#grace);
		this.#process.wire.close('violation');
		this.#process.kill();
		const calls = [...this.#calls.values()];
		this.#calls.clear();
		for (const call of calls) call.onGone(error);
		this.#options.onEnd();
	}

	#send(line: HostLine): void {
		if (this.#isOver) return;
		const waiting = (this.#unsent ?? []).reduce((bytes, each) => bytes + each.length, this.#process.wire.unreadBytes);
		if (waiting > MAX_UNREAD_BYTES) {
			this.#violation(`it does not read: ${waiting} bytes wait for it`);
			return;
		}
		const text = JSON.stringify(line);
		if (this.#unsent === undefined) this.#process.wire.send(text);
		else this.#unsent.push(text);
	}
}
