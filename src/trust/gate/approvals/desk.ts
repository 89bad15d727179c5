/**
 * Holds the questions that wait for the person. Each question has an id minted for it alone and gets exactly one
 * decision: from the port or from the desk, whichever is first. No answer in time is a no; a stopped question is void.
 * Each thread has at most one question open at a time, or one list of them.
 */
import { type DerivedSignal, deriveSignal, TimeoutError } from '../../../base/time/derived-signal.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { ApprovalDesk, GivenAnswer, GivenWords } from '../../../contract/approvals.ts';
import type { ActedThrough, ClientPrincipal } from '../../../protocol/approvals/access.ts';
import {
	type AnswerToAll,
	type Approval,
	type ClosedQuestion,
	type Desk,
	isOffered,
	isOfferedForAll,
	type DeskQuestion,
} from '../../../protocol/approvals/approvals.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { type ApprovalId, newId, type OpId, type QuestionId, type ThreadId } from '../../../protocol/rpc/ids.ts';
import { type Text, text } from '../../../protocol/text/text.ts';
import type { PersonPort } from '../../../contract/ports/ports.ts';
import type { Proposal } from '../../../contract/ops/op-implementation.ts';
import { OpenTrials, type RunTrial } from './open-trials.ts';
import { ThreadTurns } from './thread-turns.ts';

/** Turns of which it is known that they have asked; of an older one the next question counts as its first. */
const MAX_ASKED_LISTS = 100;

export interface ApprovalDraft extends Omit<Approval, 'id' | 'askedAt' | 'expiresAt' | 'trial'> {
	/** The change that the person may edit before they say yes; never shown to a page. */
	readonly proposal?: Proposal | undefined;
	/** Judges a rule that the person writes instead of those offered; absent: none may be written. */
	readonly whyNotRule?: RuleJudge;
	/** Runs on a copy of the workspace what it is about; absent: that cannot be tried. */
	readonly tryFirst?: RunTrial | undefined;
	/** Judges again while it is open: true where an answer to another question, or a new rule, has settled it. */
	isSettled?(): boolean;
}

/** Why a rule is none for the question, with what to do; undefined: it is one. */
type RuleJudge = (rule: string) => Text | undefined;

interface QuestionDraft {
	readonly opId: OpId;
	readonly threadId: ThreadId | null;
	readonly server?: string;
	readonly isOurs?: true;
	readonly question: string;
	readonly options: readonly string[];
}

interface DeskOptions {
	readonly person: PersonPort;
	/** Whom an answer is from that names no client; absent: nobody is named. */
	readonly own?: ClientPrincipal;
	/** Read anew for each question. */
	timeoutMs(): number;
	/** The session was started so that nobody is asked: when the port has no answer, there is none. */
	isUnattended(): boolean;
	/** Nobody is to be asked in that thread, although somebody is there. */
	refuses?(threadId: ThreadId | null): boolean;
	/** The port failed, or gave an answer that was not offered: both count as no answer of the port. */
	onPortFailure(error: unknown): void;
}

interface OpenDeskItem<T> {
	shown: T;
	settle(answer: unknown): void;
}

export class PersonDesk implements ApprovalDesk {
	readonly #options: DeskOptions;
	readonly #approvals = new Map<ApprovalId, OpenDeskItem<Approval>>();
	readonly #questions = new Map<QuestionId, OpenDeskItem<DeskQuestion>>();
	readonly #proposals = new Map<ApprovalId, Proposal>();
	readonly #ruleJudges = new Map<ApprovalId, RuleJudge>();
	readonly #trials = new OpenTrials();
	readonly #settledBy = new Map<ApprovalId, () => boolean>();
	readonly #changed = new Emitter<Desk>();
	readonly #closed = new Emitter<ClosedQuestion>();
	readonly #turns = new ThreadTurns();
	/** Lists of which something was asked, the latest last. */
	readonly #askedLists = new Set<string>();
	readonly onDidChange = this.#changed.event;
	readonly onDidClose = this.#closed.event;

	constructor(options: DeskOptions) {
		this.#options = options;
	}

	get current(): Desk {
		return {
			approvals: [...this.#approvals.values()].map(({ shown }) => shown),
			questions: [...this.#questions.values()].map(({ shown }) => shown),
		};
	}

	/** True when nobody is asked in that thread: an op that needs an answer is refused. */
	isUnattended(threadId: ThreadId | null): boolean {
		return this.#options.isUnattended() || this.#options.refuses?.(threadId) === true;
	}

	approve(id: ApprovalId, answer: GivenAnswer): boolean {
		const open = this.#approvals.get(id);
		if (open === undefined) {
			return false;
		}
		const offered = isOffered(open.shown, answer) && (answer.text === undefined || this.#proposals.has(id));
		return offered && settleOpenItem(open, answer);
	}

	approveAll(ids: readonly ApprovalId[], answer: AnswerToAll, by: ActedThrough = {}): ApprovalId[] {
		const given: GivenAnswer = { ...answer, ...by };
		return ids.filter((id) => {
			const open = this.#approvals.get(id);
			return open !== undefined && isOfferedForAll(open.shown, answer) && settleOpenItem(open, given);
		});
	}

	/** Takes back what needs no answer any more, because what is allowed has changed. */
	reconsider(): void {
		for (const [id, isSettled] of this.#settledBy) {
			if (isSettled()) {
				settleOpenItem(this.#approvals.get(id), undefined);
			}
		}
	}

	tryFirst(id: ApprovalId): boolean {
		return this.#trials.start(id, (trial) => {
			const open = this.#approvals.get(id);
			if (open !== undefined) {
				open.shown = { ...open.shown, trial };
				this.#announce();
			}
		});
	}

	proposal(id: ApprovalId): Proposal | undefined {
		return this.#proposals.get(id);
	}

	whyNotRule(id: ApprovalId, rule: string): Text | undefined {
		const judge = this.#ruleJudges.get(id);
		return judge === undefined ? text('The question has gone, so nothing is saved.') : judge(rule);
	}

	approveWithRule(id: ApprovalId, kind: 'project' | 'always', rule: string): boolean {
		const open = this.#approvals.get(id);
		const isPossible = open !== undefined && isOffered(open.shown, { kind });
		return isPossible && this.whyNotRule(id, rule) === undefined && settleOpenItem(open, { kind, rule });
	}

	reply(id: QuestionId, words: string, by: ActedThrough = {}): boolean {
		return settleOpenItem(this.#questions.get(id), { words, ...by });
	}

	/**
	 * Waits until the thread has no other question open, then asks. `draft` is called at that moment: undefined means that
	 * an earlier answer has made the question needless, and so is the result. Questions of one `list` are open together.
	 * Rejects with APPROVAL_EXPIRED, or with the signal's reason.
	 */
	async ask(
		threadId: ThreadId | null,
		draft: () => ApprovalDraft | undefined,
		signal: AbortSignal,
		list?: string,
	): Promise<GivenAnswer | undefined> {
		return await this.#turns.inTurn(threadId, list, signal, async () => {
			const asked = draft();
			if (asked === undefined) {
				return undefined;
			}
			const { proposal, whyNotRule, isSettled, tryFirst, ...shown } = asked;
			if (isNothingShown(shown)) {
				throw new ProwessError('INVALID_STATE', `${shown.op} has nothing to show to whoever is asked`, {
					said: text('Nothing was asked about {op}, because there was nothing to show. It did not run.', {
						op: shown.op,
					}),
				});
			}
			const askedBefore = this.#noteAsked(list) ? { hasTurnAsked: true } : {};
			const offered = tryFirst === undefined ? {} : { trial: { state: 'offered' as const } };
			const approval: Approval = { ...shown, ...askedBefore, ...offered, id: newId('apr'), ...this.#times() };
			const { id } = approval;
			if (tryFirst !== undefined) {
				this.#trials.add(id, tryFirst);
			}
			if (proposal !== undefined) {
				this.#proposals.set(approval.id, proposal);
			}
			if (whyNotRule !== undefined) {
				this.#ruleJudges.set(approval.id, whyNotRule);
			}
			if (isSettled !== undefined) {
				this.#settledBy.set(approval.id, isSettled);
			}
			return await this.#decision<ApprovalId, Approval, GivenAnswer | undefined>(
				this.#approvals,
				approval,
				async (portSignal) => {
					const findShownNow = () => this.#approvals.get(id)?.shown ?? approval;
					const runTrialOnCopy = async () => {
						this.tryFirst(id);
						await this.#trials.settled(id);
						return findShownNow();
					};
					const answer = await this.#options.person.approve(approval, portSignal, runTrialOnCopy, proposal);
					if (answer !== undefined && !isOffered(findShownNow(), answer)) {
						throw new ProwessError('INVALID_STATE', `"${answer.kind}" was not offered`, {
							id: approval.id,
							said: text('This answer is not offered any more.'),
						});
					}
					return answer;
				},
				signal,
			).finally(() => {
				this.#trials.end(id);
				this.#proposals.delete(approval.id);
				this.#ruleJudges.delete(approval.id);
				this.#settledBy.delete(approval.id);
			});
		});
	}

	/** Returns true when something of the list was asked before. */
	#noteAsked(list: string | undefined): boolean {
		if (list === undefined) {
			return false;
		}
		const hasAsked = this.#askedLists.delete(list);
		this.#askedLists.add(list);
		const [oldest] = this.#askedLists;
		if (oldest !== undefined && this.#askedLists.size > MAX_ASKED_LISTS) {
			this.#askedLists.delete(oldest);
		}
		return hasAsked;
	}

	/** The person's own words. Rejects as `ask` does. */
	async question(draft: QuestionDraft, signal: AbortSignal): Promise<GivenWords> {
		return await this.#turns.inTurn(draft.threadId, undefined, signal, async () => {
			const question: DeskQuestion = { ...draft, options: [...draft.options], id: newId('ask'), ...this.#times() };
			return await this.#decision<QuestionId, DeskQuestion, GivenWords>(
				this.#questions,
				question,
				async (portSignal) => {
					const said = await this.#options.person.answer(question, portSignal);
					return typeof said === 'string' ? { words: said } : said;
				},
				signal,
			);
		});
	}

	/** Resolves with the first answer from either side. */
	async #decision<
		I extends ApprovalId | QuestionId,
		S extends { readonly id: I; readonly threadId: ThreadId | null },
		A extends GivenAnswer | GivenWords | undefined,
	>(
		open: Map<I, OpenDeskItem<S>>,
		shown: S,
		askPort: (signal: AbortSignal) => Promise<A | undefined>,
		signal: AbortSignal,
	): Promise<A> {
		const { person } = this.#options;
		if (this.#options.refuses?.(shown.threadId) === true) {
			throw createNoAnswerError(true);
		}
		const isUnattended = this.#options.isUnattended();
		const timeoutMs = this.#options.timeoutMs();
		const life: DerivedSignal = deriveSignal(signal, { what: 'the answer of the user', timeoutMs });
		const { id, threadId } = shown;
		let closed: ClosedQuestion = { id, threadId, how: 'void' };
		try {
			const answer = await new Promise<A>((resolve, reject) => {
				const rejectStopped = () =>
					reject(life.signal.reason instanceof TimeoutError ? createExpiryError(timeoutMs) : signal.reason);
				if (life.signal.aborted) {
					rejectStopped();
					return;
				}
				life.signal.addEventListener('abort', rejectStopped, { once: true });
				open.set(shown.id, { shown, settle: resolve as (answer: unknown) => void });
				this.#announce();
				const noAnswer = () => {
					if (isUnattended || person.isOnlyWay === true) {
						reject(createNoAnswerError(isUnattended));
					}
				};
				askPort(life.signal).then(
					(answer) => {
						if (answer === undefined) {
							noAnswer();
						} else {
							settleOpenItem(open.get(shown.id), answer);
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
			if (answer === undefined) {
				return answer;
			}
			const by = answer.through ?? this.#options.own;
			closed = { id, threadId, how: 'answered', ...(by && { by }) };
			return { ...answer, ...(by && { through: by }) };
		} catch (error) {
			const isExpired = life.signal.aborted && life.signal.reason instanceof TimeoutError;
			closed = { id, threadId, how: isExpired ? 'expired' : 'void' };
			throw error;
		} finally {
			open.delete(shown.id);
			// The port takes the question off the screen, and can say why.
			life.abort(new ProwessError('CANCELLED', 'the question is decided', { ...closed }));
			life.dispose();
			this.#announce(closed);
		}
	}

	#times(): { askedAt: string; expiresAt: string } {
		const now = Date.now();
		return {
			askedAt: new Date(now).toISOString(),
			expiresAt: new Date(now + this.#options.timeoutMs()).toISOString(),
		};
	}

	#announce(closed?: ClosedQuestion): void {
		try {
			if (closed !== undefined) this.#closed.fire(closed);
			this.#changed.fire(this.current);
		} catch (error) {
			this.#options.onPortFailure(error);
		}
	}
}

/** Nobody can agree to what has neither a title nor any content. */
function isNothingShown({ title, detail }: Pick<Approval, 'title' | 'detail'>): boolean {
	const content = 'text' in detail ? detail.text : 'path' in detail ? detail.path : detail.kind;
	return title.trim() === '' && (detail.kind === 'command' ? detail.argv.join('') : content).trim() === '';
}

/** The first answer wins; the entry is closed before anything else can run. */
function settleOpenItem<T>(open: (OpenDeskItem<T> & { taken?: boolean }) | undefined, answer: unknown): boolean {
	if (open === undefined || open.taken === true) {
		return false;
	}
	open.taken = true;
	open.settle(answer);
	return true;
}

/**
 * Returns the error for a missing answer. In an unattended session it carries the same fact as the gate's denials, so
 * that the way out is the same.
 */
function createNoAnswerError(isUnattended: boolean): ProwessError {
	const facts = isUnattended ? { unattended: { automatic: 'never' } } : {};
	return new ProwessError('APPROVAL_EXPIRED', 'nobody is there to answer', facts);
}

function createExpiryError(timeoutMs: number): ProwessError {
	const minutes = Math.max(1, Math.round(timeoutMs / 60_000));
	return new ProwessError('APPROVAL_EXPIRED', `nobody answered within ${minutes} minutes, which is a no`, {
		timeoutMs,
		minutes,
	});
}
