/**
 * Approvals that wait at the terminal. A single one is asked by itself; several that wait when a question is about to
 * be asked are one list. Approvals that come while a list is shown wait for the next one.
 */
import type { GivenAnswer } from '../../contract/approvals.ts';
import { type AnswerToAll, type Approval, isOfferedForAll } from '../../protocol/approvals/approvals.ts';
import type { ProposedText } from '../../contract/ports/ports.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';

/** Answer to a list: one answer to all of it, or the index of the approval to answer alone. */
export type SaidToList = AnswerToAll | { readonly kind: 'one'; readonly index: number };

interface ApprovalTerminal {
	/** Questions come one after the other. */
	inTurn<T>(ask: () => Promise<T>): Promise<T>;
	/** Undefined: no answer, at the end of the input and when the signal aborts. */
	one(approval: Approval, signal: AbortSignal, more: MoreThanAnswer): Promise<GivenAnswer | undefined>;
	several(approvals: readonly Approval[], signal: AbortSignal): Promise<SaidToList | undefined>;
}

/** Actions that a person may take before they answer. */
interface MoreThanAnswer {
	/** Runs a command on a copy of the workspace, and gives the approval as it is then. */
	readonly tryFirst: (() => Promise<Approval>) | undefined;
	/** Text that they may change. */
	readonly proposed: ProposedText | undefined;
}

interface WaitingApproval extends MoreThanAnswer {
	readonly approval: Approval;
	readonly signal: AbortSignal;
	settle(answer: GivenAnswer | undefined): void;
}

export class WaitingApprovals {
	readonly #terminal: ApprovalTerminal;
	readonly #open = new Set<WaitingApproval>();
	#isAsking = false;

	constructor(terminal: ApprovalTerminal) {
		this.#terminal = terminal;
	}

	/** Undefined: nobody answered, or it is not asked any more. */
	ask(
		approval: Approval,
		signal: AbortSignal,
		{ tryFirst, proposed }: Partial<MoreThanAnswer> = {},
	): Promise<GivenAnswer | undefined> {
		return new Promise((resolve) => {
			const waiting: WaitingApproval = {
				approval,
				signal,
				tryFirst,
				proposed,
				settle: (answer) => {
					signal.removeEventListener('abort', onAbort);
					this.#open.delete(waiting);
					resolve(answer);
				},
			};
			const onAbort = () => waiting.settle(undefined);
			this.#open.add(waiting);
			signal.addEventListener('abort', onAbort, { once: true });
			if (signal.aborted) onAbort();
			void this.#askAll();
		});
	}

	async #askAll(): Promise<void> {
		if (this.#isAsking) return;
		this.#isAsking = true;
		try {
			while (this.#open.size > 0) {
				await this.#terminal.inTurn(() => this.#round());
			}
		} catch {
			// A terminal that fails answers nothing.
			for (const each of this.#open) each.settle(undefined);
		} finally {
			this.#isAsking = false;
		}
	}

	async #round(): Promise<void> {
		const shown = [...this.#open];
		const [first] = shown;
		if (first === undefined) return;
		if (shown.length === 1) {
			first.settle(await this.#terminal.one(first.approval, first.signal, first));
			return;
		}
		const said = await this.#toList(shown);
		if (said === 'changed') return;
		if (said?.kind === 'one') {
			const chosen = shown[said.index];
			chosen?.settle(await this.#terminal.one(chosen.approval, chosen.signal, chosen));
			return;
		}
		for (const each of shown) {
			if (said === undefined || isOfferedForAll(each.approval, said)) each.settle(said);
		}
	}

	/** `changed`: one of them is not asked any more, so the list is another one. */
	async #toList(shown: readonly WaitingApproval[]): Promise<SaidToList | undefined | 'changed'> {
		const life = new AbortController();
		const onAbort = () => life.abort(new ProwessError('CANCELLED', 'the list has changed'));
		for (const { signal } of shown) {
			signal.addEventListener('abort', onAbort, { once: true });
			if (signal.aborted) onAbort();
		}
		try {
			const said = await this.#terminal.several(
				shown.map(({ approval }) => approval),
				life.signal,
			);
			return life.signal.aborted ? 'changed' : said;
		} finally {
			for (const { signal } of shown) signal.removeEventListener('abort', onAbort);
		}
	}
}
