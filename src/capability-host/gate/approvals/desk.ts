/**
 * What waits for the person. Each question has an id minted for it alone and gets exactly one decision: from the port or
 * from the desk, whichever is first. No answer in time is a no; what is stopped is void. One question of a thread at a time.
 */
import { type DerivedSignal, deriveSignal, TimeoutError } from '../../../base/derived-signal.ts';
import { Emitter } from '../../../base/emitter.ts';
import {
	type Approval,
	type ApprovalAnswer,
	type Desk,
	isOffered,
	type Question,
} from '../../../protocol/approvals.ts';
import { ProwessError } from '../../../protocol/errors.ts';
import { type ApprovalId, newId, type OpId, type QuestionId, type ThreadId } from '../../../protocol/ids.ts';
import type { PersonPort } from '../../contract/ports.ts';
import type { ApprovalDesk } from '../../contract/desk.ts';
import { ThreadTurns } from './thread-turns.ts';

export type ApprovalDraft = Omit<Approval, 'id' | 'askedAt' | 'expiresAt'>;

interface QuestionDraft {
	readonly opId: OpId;
	readonly threadId: ThreadId | null;
	readonly question: string;
	readonly options: readonly string[];
}

interface DeskOptions {
	readonly person: PersonPort;
	/** Read anew for each question. */
	timeoutMs(): number;
	/** The session was started so that nobody is asked: when the port has no answer, there is none. */
	isUnattended(): boolean;
	/** The port failed, or gave an answer that was not offered: both count as no answer of the port. */
	onPortFailure(error: unknown): void;
}

interface Open<T> {
	readonly shown: T;
	settle(answer: unknown): void;
}

export class PersonDesk implements ApprovalDesk {
	readonly #options: DeskOptions;
	readonly #approvals = new Map<ApprovalId, Open<Approval>>();
	readonly #questions = new Map<QuestionId, Open<Question>>();
	readonly #changed = new Emitter<Desk>();
	readonly #turns = new ThreadTurns();
	readonly onDidChange = this.#changed.event;

	constructor(options: DeskOptions) {
		this.#options = options;
	}

	get current(): Desk {
		return {
			approvals: [...this.#approvals.values()].map(({ shown }) => shown),
			questions: [...this.#questions.values()].map(({ shown }) => shown),
		};
	}

	approve(id: ApprovalId, answer: ApprovalAnswer): boolean {
		const open = this.#approvals.get(id);
		return open !== undefined && isOffered(open.shown, answer) && take(open, answer);
	}

	reply(id: QuestionId, answer: string): boolean {
		return take(this.#questions.get(id), answer);
	}

	/**
	 * Waits until the thread has no other question open, then asks. `draft` is called at that moment: undefined means that
	 * an earlier answer has made the question needless, and so is the result. Rejects with APPROVAL_EXPIRED, or with the
	 * signal's reason.
	 */
	async ask(
		threadId: ThreadId | null,
		draft: () => ApprovalDraft | undefined,
		signal: AbortSignal,
	): Promise<ApprovalAnswer | undefined> {
		return await this.#turns.inTurn(threadId, signal, async () => {
			const asked = draft();
			if (asked === undefined) {
				return undefined;
			}
			const approval: Approval = { ...asked, id: newId('apr'), ...this.#times() };
			return await this.#decision(
				this.#approvals,
				approval,
				async (portSignal) => {
					const answer = await this.#options.person.approve(approval, portSignal);
					if (answer !== undefined && !isOffered(approval, answer)) {
						throw new ProwessError('INVALID_STATE', `"${answer.kind}" was not offered`, { id: approval.id });
					}
					return answer;
				},
				signal,
			);
		});
	}

	/** The person's own words. Rejects as `ask` does. */
	async question(draft: QuestionDraft, signal: AbortSignal): Promise<string> {
		return await this.#turns.inTurn(draft.threadId, signal, async () => {
			const question: Question = { ...draft, options: [...draft.options], id: newId('ask'), ...this.#times() };
			return await this.#decision(
				this.#questions,
				question,
				(portSignal) => this.#options.person.answer(question, portSignal),
				signal,
			);
		});
	}

	/** Resolves with the first answer from either side. */
	async #decision<I, S extends { readonly id: I }, A>(
		open: Map<I, Open<S>>,
		shown: S,
		askPort: (signal: AbortSignal) => Promise<A | undefined>,
		signal: AbortSignal,
	): Promise<A> {
		const { person } = this.#options;
		const isUnattended = this.#options.isUnattended();
		const timeoutMs = this.#options.timeoutMs();
		const life: DerivedSignal = deriveSignal(signal, { what: 'the answer of the user', timeoutMs });
		try {
			return await new Promise<A>((resolve, reject) => {
				const end = () => reject(life.signal.reason instanceof TimeoutError ? expired(timeoutMs) : signal.reason);
				if (life.signal.aborted) {
					end();
					return;
				}
				life.signal.addEventListener('abort', end, { once: true });
				open.set(shown.id, { shown, settle: resolve as (answer: unknown) => void });
				this.#announce();
				const noAnswer = () => {
					if (isUnattended || person.isOnlyWay === true) {
						reject(unanswered(isUnattended));
					}
				};
				askPort(life.signal).then(
					(answer) => {
						if (answer === undefined) {
							noAnswer();
						} else {
							take(open.get(shown.id), answer);
						}
					},
					(error: unknown) => {
						if (!life.signal.aborted) {
							this.#options.onPortFailure(error);
							noAnswer();
						}
					},
				);
			});
		} finally {
			open.delete(shown.id);
			// The port takes the question off the screen.
			life.abort(new ProwessError('CANCELLED', 'the question is decided'));
			life.dispose();
			this.#announce();
		}
	}

	#times(): { askedAt: string; expiresAt: string } {
		const now = Date.now();
		return {
			askedAt: new Date(now).toISOString(),
			expiresAt: new Date(now + this.#options.timeoutMs()).toISOString(),
		};
	}

	#announce(): void {
		try {
			this.#changed.fire(this.current);
		} catch (error) {
			this.#options.onPortFailure(error);
		}
	}
}

/** The first answer wins; the entry is closed before anything else can run. */
function take<T>(open: (Open<T> & { taken?: boolean }) | undefined, answer: unknown): boolean {
	if (open === undefined || open.taken === true) {
		return false;
	}
	open.taken = true;
	open.settle(answer);
	return true;
}

/** Of an unattended session the error carries the fact that the gate's denials carry, so that the way out is the same. */
function unanswered(isUnattended: boolean): ProwessError {
	const facts = isUnattended ? { unattended: { automatic: 'never' } } : {};
	return new ProwessError('APPROVAL_EXPIRED', 'nobody is there to answer', facts);
}

function expired(timeoutMs: number): ProwessError {
	const minutes = Math.max(1, Math.round(timeoutMs / 60_000));
	return new ProwessError('APPROVAL_EXPIRED', `nobody answered within ${minutes} minutes, which is a no`, {
		timeoutMs,
		minutes,
	});
}
