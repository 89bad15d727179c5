/**
 * Steps of executions, for the card of the call that started one: its reports, its ops, its requests to models, and those
 * of the executions below it, in the order they began. A capability may report thousands of times a second, so steps are
 * sent at a limited rate and the oldest are dropped. The last state of each step that is kept always arrives.
 */
import type { Disposable } from '../../base/disposable.ts';
import { cutText, joinToLine } from '../../base/text/one-line.ts';
import type { NotedStep } from '../../contract/ops/perform-op.ts';
import {
	endOpenSteps,
	isOpenStep,
	MAX_STEP_CHARS,
	MAX_STEP_FACTS_CHARS,
	MAX_STEPS_KEPT,
	type RunStep,
	type StepStatus,
} from '../../protocol/turn/run-steps.ts';
import { inEnglish, text, withArgs } from '../../protocol/text/text.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';
import { type Execution, withThoseAbove } from './execution.ts';

/** Least milliseconds from one telling to the next. */
const PACE_MS = 100;
/** Further milliseconds for each step that was told: many at once are told seldom. */
const PACE_PER_STEP_MS = 5;

type TellSteps = (steps: readonly RunStep[]) => void;

export class RunSteps {
	readonly #redactor: Pick<Redactor, 'redact' | 'redactDeep'>;
	readonly #feeds = new Map<string, StepFeed>();

	constructor(redactor: Pick<Redactor, 'redact' | 'redactDeep'>) {
		this.#redactor = redactor;
	}

	/** Tells of an execution from now on until its end; `tellsEnd`: the end is a step, too. */
	follow(execution: Execution, tell: TellSteps, tellsEnd: boolean): Disposable {
		const { id } = execution;
		const feed = new StepFeed(tell, this.#redactor);
		this.#feeds.set(id, feed);
		const end = () => {
			if (this.#feeds.get(id) === feed) this.#feeds.delete(id);
			feed.end();
		};
		void execution.result.then(({ success, error }) => {
			if (tellsEnd) {
				const status = success ? 'done' : error?.code === 'CANCELLED' ? 'cancelled' : 'failed';
				const said = text('The run has ended');
				feed.note(undefined, undefined, {
					kind: 'end',
					status,
					title: inEnglish(said),
					said,
					...(error && { error: { facts: {}, ...error } }),
				});
			}
			end();
		});
		return { dispose: end };
	}

	/** Notes a step of an execution for those who follow it or one above it. */
	note(execution: Execution, key: string | undefined, state: NotedStep): void {
		if (this.#feeds.size === 0) return;
		for (const { id } of withThoseAbove(execution)) {
			const from = id === execution.id ? undefined : `${execution.type} ${execution.name}`;
			this.#feeds.get(id)?.note(key, from, state);
		}
	}
}

/** Steps of one card: numbered as they begin, held until it is time to tell them. */
export class StepFeed {
	readonly #tell: TellSteps;
	readonly #redactor: Pick<Redactor, 'redact' | 'redactDeep'>;
	/** Steps that are not over, by their keys. */
	readonly #open = new Map<string, RunStep>();
	/** Steps to tell, by their numbers. */
	readonly #untold = new Map<number, RunStep>();
	#count = 0;
	#timer: NodeJS.Timeout | undefined;
	#nextAt = -Infinity;
	#isOver = false;

	constructor(tell: TellSteps, redactor: Pick<Redactor, 'redact' | 'redactDeep'>) {
		this.#tell = tell;
		this.#redactor = redactor;
	}

	note(key: string | undefined, from: string | undefined, state: NotedStep): void {
		if (this.#isOver) return;
		const earlier = key === undefined ? undefined : this.#open.get(key);
		const { id, at } = earlier ?? { id: ++this.#count, at: new Date().toISOString() };
		const step: RunStep = { id, at, ...(from === undefined ? {} : { from }), ...state };
		if (key !== undefined) {
			if (isOpenStep(step)) this.#open.set(key, step);
			else this.#open.delete(key);
		}
		this.#hold(step);
		this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, this.#nextAt - performance.now()));
	}

	/** Tells what is left, at once, and nothing afterwards. `status`: what becomes of steps that are still open. */
	end(status: StepStatus = 'cancelled'): void {
		if (this.#isOver) return;
		for (const step of endOpenSteps([...this.#open.values()], status)) this.#hold(step);
		this.#isOver = true;
		this.#flush();
	}

	#hold(step: RunStep): void {
		this.#untold.set(step.id, step);
		if (this.#untold.size > MAX_STEPS_KEPT) {
			const over = [...this.#untold.values()].find((each) => !isOpenStep(each));
			this.#untold.delete(over?.id ?? step.id);
		}
	}

	#flush(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		if (this.#untold.size === 0) return;
		const steps = [...this.#untold.values()].toSorted((a, b) => a.id - b.id).map((step) => this.#clean(step));
		this.#untold.clear();
		this.#nextAt = performance.now() + PACE_MS + PACE_PER_STEP_MS * steps.length;
		this.#tell(steps);
	}

	/** Redacts first and cuts second: a secret that is cut in half is not found any more. */
	#clean({ title, said, words, error, from, ...rest }: RunStep): RunStep {
		const line = (each: string): string => cutText(joinToLine(this.#redactor.redact(each)), MAX_STEP_CHARS);
		return {
			...rest,
			title: line(title),
			...(from === undefined ? {} : { from: line(from) }),
			...(said === undefined ? {} : { said: withArgs(said, line) }),
			...(words === undefined ? {} : { words: line(words) }),
			...(error === undefined ? {} : { error: this.#cleanError(error, line) }),
		};
	}

	#cleanError(
		{ code, message, facts }: NonNullable<RunStep['error']>,
		line: (text: string) => string,
	): NonNullable<RunStep['error']> {
		const clean = this.#redactor.redactDeep(facts) as Record<string, unknown>;
		const isShort = JSON.stringify(clean).length <= MAX_STEP_FACTS_CHARS;
		return { code, message: line(message), facts: isShort ? clean : {} };
	}
}
