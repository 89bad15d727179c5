/**
 * The person of a job that is worked on. Nobody is there: the first question is kept, and the job rests until somebody answers.
 * When it goes on, the answer counts once, for exactly what it was given for.
 */
import { createHash, randomUUID } from 'node:crypto';
import { orAborted } from '../../base/time/bounded-wait.ts';
import type { JobQuestion } from '../../contract/ports/work-port.ts';
import type { PersonPort } from '../../contract/ports/ports.ts';
import type { Approval, ApprovalAnswer, DeskQuestion } from '../../protocol/approvals/approvals.ts';
import type { JobAnswer, JobAsks } from '../../protocol/jobs.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { escapeUnseen, visibleLine } from '../terminal/visible.ts';

export class ParkingPerson implements PersonPort {
	readonly isOnlyWay = true;
	readonly #show: (approval: Approval) => string;
	readonly #onPark: () => void;
	#answer: JobAnswer | undefined;
	#question: JobQuestion | undefined;
	#place: readonly string[] = [];

	/** `onPark` is called once, with the first question that has no answer. */
	constructor(answer: JobAnswer | undefined, show: (approval: Approval) => string, onPark: () => void) {
		this.#answer = answer;
		this.#show = show;
		this.#onPark = onPark;
	}

	/** Undefined: nothing was asked that had no answer. */
	get question(): JobQuestion | undefined {
		return this.#question;
	}

	/** From now on an answer counts only for what is asked at this place of a script: the same at another one is another question. */
	moveTo(place: readonly string[]): void {
		this.#place = place;
	}

	/** The answer was used already, or it is not known whether it was. */
	forgetAnswer(): void {
		this.#answer = undefined;
	}

	async approve(approval: Approval, signal: AbortSignal): Promise<ApprovalAnswer | undefined> {
		const { op, title, act, warning, detail, isOnceOffered, threadScope } = approval;
		const digest = hashQuestion([...this.#place, op, title, act, warning, detail]);
		const yes = isOnceOffered ? 'once' : threadScope === null ? null : 'thread';
		const given = this.#take(digest);
		if (given !== undefined) {
			return given.isYes && yes !== null ? { kind: yes } : { kind: 'deny', reason: given.words };
		}
		const scope = yes === 'thread' && threadScope !== null ? inEnglish(threadScope) : '';
		return await this.#park(
			{ kind: 'approval', digest, title: visibleLine(title), shown: this.#show(approval), yes, scope },
			signal,
		);
	}

	async answer(
		{ question, options }: Pick<DeskQuestion, 'question' | 'options'>,
		signal: AbortSignal,
	): Promise<string | undefined> {
		const digest = hashQuestion([...this.#place, question, options]);
		const given = this.#take(digest);
		const shown = escapeUnseen(question);
		return given?.words ?? (await this.#park({ kind: 'words', digest, shown, options: [...options] }, signal));
	}

	#take(digest: string): JobAnswer | undefined {
		const given = this.#answer?.digest === digest ? this.#answer : undefined;
		if (given !== undefined) this.#answer = undefined;
		return given;
	}

	/** Never resolves: the turn is stopped, and nothing may come of the question before. */
	async #park(asks: JobAsks, signal: AbortSignal): Promise<never> {
		if (this.#question === undefined) {
			this.#question = { id: randomUUID(), asks };
			this.#onPark();
		}
		return await orAborted(new Promise<never>(() => {}), signal);
	}
}

function hashQuestion(parts: readonly unknown[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
