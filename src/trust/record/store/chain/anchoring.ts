/**
 * Writes the anchors of a host: after a number of rows, after some time, and at its end. With the first it also writes
 * those of chains whose host was killed before it could. A failed write is tried again with the next.
 */
import { toErrorMessage } from '../../../../base/text/message-of.ts';
import { type AnchorFile, type AnchorLine, anchorText } from './anchors.ts';
import type { LedgerStore } from '../ledger-store.ts';
import { ANCHOR_EVERY_MS, ANCHOR_EVERY_ROWS } from '../limits.ts';

interface AnchoringDeps {
	readonly file: AnchorFile;
	readonly store: LedgerStore;
	/** Receives the written lines, so that they can be kept elsewhere as well. */
	onWritten(text: string): void;
	onFailed(why: string): void;
}

export class Anchoring {
	readonly #deps: AnchoringDeps;
	#rows = 0;
	#isFirst = true;
	#timer: NodeJS.Timeout | undefined;

	constructor(deps: AnchoringDeps) {
		this.#deps = deps;
	}

	/** Counts added rows, and writes anchors at once or after some time. */
	count(rows: number): void {
		this.#rows += rows;
		if (this.#rows >= ANCHOR_EVERY_ROWS) {
			this.write();
		} else if (rows > 0) {
			this.#timer ??= setTimeout(() => this.write(), ANCHOR_EVERY_MS).unref();
		}
	}

	/** Writes no more by itself: its database goes. */
	end(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	/** Writes the anchors that are due, if any. Never throws. */
	write(): void {
		this.end();
		if (this.#rows > 0) {
			this.#append(() => this.#heads());
		}
	}

	/** The differences so far are not said any more: what is there now counts. */
	acknowledge(): void {
		const at = new Date().toISOString();
		const { store } = this.#deps;
		this.#append(() => [
			{ acknowledged: true, at },
			{ removed: store.removedDigest(), at },
			...store.heads().map((head) => ({ ...head, at })),
		]);
	}

	#append(linesOf: () => readonly AnchorLine[]): void {
		const { file, store, onWritten, onFailed } = this.#deps;
		try {
			// No anchor may outlive its row when the power fails.
			store.flush();
			const lines = linesOf();
			file.append(lines);
			onWritten(anchorText(lines));
			this.#rows = 0;
			this.#isFirst = false;
		} catch (error) {
			onFailed(toErrorMessage(error));
		}
	}

	#heads(): AnchorLine[] {
		const { file, store } = this.#deps;
		const at = new Date().toISOString();
		if (!this.#isFirst) {
			return [{ ...store.end, at }];
		}
		const log = file.read();
		const last = new Map(log.anchors.map((anchor) => [anchor.writer, anchor]));
		const removed = store.removedDigest();
		// A chain that differs from its anchor gets no new anchor, which would hide the difference.
		const heads = store
			.heads()
			.filter(({ writer, seq }) => {
				const anchor = last.get(writer);
				return anchor === undefined || (seq > anchor.seq && store.holds(anchor));
			})
			.map((head) => ({ ...head, at }));
		return [...(log.removed.has(removed) ? [{ removed, at }] : []), ...heads];
	}
}
