/**
 * Questions about ops that come next, put to the person as one list before the first of these ops runs. An answer counts when
 * the op has its turn and is still what was shown: it is prepared and judged anew then, and asked anew where it has become
 * something else. A no stays a no.
 */
import { type DerivedSignal, deriveSignal } from '../../../base/time/derived-signal.ts';
import { orAborted } from '../../../base/time/bounded-wait.ts';
import type { OpDetail } from '../../../protocol/approvals/approvals.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { FileDiff } from '../../../protocol/ops/definitions/files/files.ts';
import type { OpId } from '../../../protocol/rpc/ids.ts';
import type { Caller } from '../../../contract/ops/caller.ts';
import type { Prepared } from '../../../contract/ops/op-implementation.ts';
import type { RequestedOp } from '../../../contract/ops/perform-op.ts';
import { canonicalJson } from '../../record/store/chain/canonical-json.ts';
import type { Approved } from '../person/ask-person.ts';
import type { BrokerCall, StepVerdict } from '../call.ts';

/** An op that would be asked about as things stand. */
export interface AheadDraft {
	readonly call: BrokerCall;
	readonly prepared: Prepared<unknown>;
	put(signal: AbortSignal): Promise<StepVerdict<Approved>>;
}

/** Answer of the person, with the call that records it. */
interface AheadAnswer {
	readonly call: BrokerCall;
	readonly verdict: StepVerdict<Approved>;
}

/** A question that was put ahead, for the op whose turn it is now. */
export class EarlyQuestion {
	readonly asked: RequestedOp;
	readonly caller: Caller;
	readonly #life: DerivedSignal;
	readonly #draft: Promise<AheadDraft | undefined>;
	/** Undefined: nobody was asked, or the question was taken back. */
	readonly #answer: Promise<AheadAnswer | undefined>;
	#given: AheadAnswer | undefined;

	/** `whenAll`: resolves when the whole list is drafted, so that all of it is put together. */
	constructor(
		{ asked, caller, life }: { readonly asked: RequestedOp; readonly caller: Caller; readonly life: DerivedSignal },
		draft: Promise<AheadDraft | undefined>,
		whenAll: Promise<unknown>,
	) {
		this.asked = asked;
		this.caller = caller;
		this.#life = life;
		this.#draft = draft;
		this.#answer = whenAll.then(() => this.#put()).catch(() => undefined);
		void this.#answer.then((given) => {
			this.#given = given;
		});
	}

	/** Resolves when it is answered or taken back. */
	get settled(): Promise<unknown> {
		return this.#answer;
	}

	/** A no that was given, which holds whatever lets the op pass by now. */
	get refusal(): AheadAnswer | undefined {
		return this.#given?.verdict.kind === 'refused' ? this.#given : undefined;
	}

	/** The answer, if it is to what `prepared` would do; undefined: the op is to be asked about in its turn. */
	async answerTo(prepared: Prepared<unknown>, signal: AbortSignal): Promise<AheadAnswer | undefined> {
		const draft = await orAborted(this.#draft, signal);
		const isSame = draft !== undefined && isSameAct(draft.prepared, prepared);
		if (!isSame && this.refusal === undefined) {
			this.withdraw();
			return undefined;
		}
		const given = await orAborted(this.#answer, signal);
		const isOfOtherText =
			given?.verdict.kind === 'go' && given.verdict.value.text !== undefined && !isSameText(draft, prepared);
		return isOfOtherText ? undefined : given;
	}

	/** From here on nobody can answer it. */
	withdraw(): void {
		this.#life.abort(new ProwessError('CANCELLED', 'the question is not asked any more'));
		this.#life.dispose();
	}

	async #put(): Promise<AheadAnswer | undefined> {
		const draft = await this.#draft;
		const { signal } = this.#life;
		signal.throwIfAborted();
		return draft === undefined ? undefined : { call: draft.call, verdict: await draft.put(signal) };
	}
}

/** The person edited a text: theirs fits only where it is to replace the same one. */
function isSameText(draft: AheadDraft | undefined, prepared: Prepared<unknown>): boolean {
	return draft?.prepared.proposal?.before === prepared.proposal?.before;
}

export class EarlyQuestions {
	readonly #open = new Map<OpId, { readonly question: EarlyQuestion; leave(): void }>();

	/**
	 * `draft` gives undefined for what is not asked now. Resolves when each op has had its turn and no question is open;
	 * when `signal` aborts, what is left is taken back. Never rejects.
	 */
	async ask(
		list: readonly RequestedOp[],
		caller: Caller,
		draft: (asked: RequestedOp, signal: AbortSignal) => Promise<AheadDraft | undefined>,
		signal: AbortSignal,
	): Promise<void> {
		const drafts = list.map((asked) => {
			const life = deriveSignal(signal);
			// A draft that fails here fails again in the turn of its op, which reports the error.
			const drafted = orAborted(draft(asked, life.signal), life.signal).catch(() => undefined);
			return { asked, caller, life, drafted };
		});
		const whenAll = Promise.all(drafts.map(({ drafted }) => drafted));
		const ends = drafts.map(async ({ drafted, ...about }) => {
			const question = new EarlyQuestion(about, drafted, whenAll);
			const taken = new Promise<void>((leave) => this.#open.set(about.asked.opId, { question, leave }));
			await Promise.all([taken, question.settled]);
		});
		try {
			await orAborted(Promise.all(ends), signal);
		} catch {
			// Taken back, each with its own signal.
		} finally {
			for (const { asked, life } of drafts) {
				this.#open.delete(asked.opId);
				life.dispose();
			}
		}
	}

	/** The question about that op of that caller, whose turn has come; undefined when none was put ahead. */
	take(opId: OpId, caller: Caller): EarlyQuestion | undefined {
		const open = this.#open.get(opId);
		if (open === undefined || !isSameCaller(open.question.caller, caller)) {
			return undefined;
		}
		this.#open.delete(opId);
		open.leave();
		return open.question;
	}

	find(opId: OpId): Pick<EarlyQuestion, 'asked' | 'caller'> | undefined {
		return this.#open.get(opId)?.question;
	}

	/** Takes back what these callers have open. */
	stop(isMeant: (caller: Caller) => boolean): void {
		for (const [opId, { question, leave }] of this.#open) {
			if (isMeant(question.caller)) {
				this.#open.delete(opId);
				question.withdraw();
				leave();
			}
		}
	}
}

function isSameCaller(one: Caller, other: Caller): boolean {
	return one.kind === 'agent' && other.kind === 'agent' && one.threadId === other.threadId;
}

/**
 * Compares two preparations of one op. They are the same act when they touch the same targets, run the same bytes, and
 * write and remove the same lines. Line positions in a file do not count, because an earlier edit of the same answer
 * moves them.
 */
function isSameAct(one: Prepared<unknown>, other: Prepared<unknown>): boolean {
	return serializeAct(one) === serializeAct(other);
}

function serializeAct({ targets, detail }: Prepared<unknown>): string {
	return canonicalJson({ targets, detail: withoutPlace(detail) });
}

function withoutPlace(detail: OpDetail): unknown {
	const withoutPlaces = (diff: FileDiff) => ({
		...diff,
		patch: diff.patch.split('\n').filter((line) => /^[+-]/.test(line)),
	});
	switch (detail.kind) {
		case 'diff':
			return { ...detail, diff: withoutPlaces(detail.diff) };
		case 'diffs':
			return { ...detail, diffs: detail.diffs.map(withoutPlaces) };
		default:
			return detail;
	}
}
