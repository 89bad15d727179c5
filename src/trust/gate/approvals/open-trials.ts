/** Trials of what open questions are about: each runs once, and ends with its question. */
import { toErrorMessage } from '../../../base/text/message-of.ts';
import type { EndedTrial, ShownTrial } from '../../../protocol/approvals/approvals.ts';
import { isProwessError } from '../../../protocol/errors/errors.ts';
import type { ApprovalId } from '../../../protocol/rpc/ids.ts';
import { isText, type Text, text } from '../../../protocol/text/text.ts';

/** Resolves with what is shown of it. */
export type RunTrial = (signal: AbortSignal) => Promise<EndedTrial>;

interface OpenTrial {
	readonly run: RunTrial;
	readonly life: AbortController;
	ended: Promise<void> | undefined;
}

export class OpenTrials {
	readonly #open = new Map<ApprovalId, OpenTrial>();

	add(id: ApprovalId, run: RunTrial): void {
		this.#open.set(id, { run, life: new AbortController(), ended: undefined });
	}

	/** `show` hears of each state. False when there is none, or it runs or has run. */
	start(id: ApprovalId, show: (trial: ShownTrial) => void): boolean {
		const trial = this.#open.get(id);
		if (trial === undefined || trial.ended !== undefined) {
			return false;
		}
		show({ state: 'running' });
		const { signal } = trial.life;
		trial.ended = trial.run(signal).then(show, (error: unknown) => {
			if (!signal.aborted) show({ state: 'failed', why: whyFailed(error) });
		});
		return true;
	}

	/** Resolves when the one that runs has ended. */
	async settled(id: ApprovalId): Promise<void> {
		await this.#open.get(id)?.ended;
	}

	/** The question is decided: one that still runs is stopped. */
	end(id: ApprovalId): void {
		this.#open.get(id)?.life.abort();
		this.#open.delete(id);
	}
}

function whyFailed(error: unknown): Text {
	const said = isProwessError(error) ? error.facts['said'] : undefined;
	return isText(said) ? said : text('{words}', { words: toErrorMessage(error) });
}
