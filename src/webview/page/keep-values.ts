/** Hands what is typed into a form to the extension, at most once per interval, and the rest when the page goes. */
import { MAX_KEPT_TEXT } from '../../protocol/pages/capability-page.ts';

const VALUES_KEEP_INTERVAL_MS = 100;

/** Texts by the names of fields, of the form of the page at `of`. */
interface TypedValues {
	readonly of: string;
	readonly values: Readonly<Record<string, string>>;
}

interface KeepsValues {
	keep(typed: TypedValues): void;
	/** At once what is typed so far. */
	hand(): void;
	/** Discards typed text that was not handed over yet. */
	drop(): void;
}

export function keepValues(send: (typed: TypedValues) => void, signal: AbortSignal): KeepsValues {
	let waiting: TypedValues | undefined;
	let timer: ReturnType<typeof setTimeout> | undefined;

	function handOverValues(): void {
		clearTimeout(timer);
		timer = undefined;
		if (waiting !== undefined) {
			const { of, values } = waiting;
			waiting = undefined;
			const short = Object.entries(values).filter(([, text]) => text.length <= MAX_KEPT_TEXT);
			send({ of, values: Object.fromEntries(short) });
		}
	}

	window.addEventListener('pagehide', handOverValues, { signal });
	return {
		keep(typed) {
			if (waiting !== undefined && waiting.of !== typed.of) {
				handOverValues();
			}
			waiting = typed;
			timer ??= setTimeout(handOverValues, VALUES_KEEP_INTERVAL_MS);
		},
		hand: handOverValues,
		drop() {
			waiting = undefined;
		},
	};
}
