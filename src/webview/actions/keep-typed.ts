/** Hands what is typed to the extension, which outlives the page: what changed, at most once per interval, and the rest when the page goes. */
import type { Disposable } from '../../base/disposable.ts';
import { chatNotifications } from '../../protocol/pages/chat-view.ts';
import { Draft, type KeptMessage, type TypedInput } from '../../protocol/pages/typed-input.ts';
import type { ActionContext } from './asking.ts';
import { EMPTY_DRAFT } from '../state/drafts.ts';
import type { QueuedMessage } from '../state/queue.ts';
import type { ViewState } from '../state/view-state.ts';

const TYPED_KEEP_INTERVAL_MS = 100;

type TypedState = Pick<ViewState, 'drafts' | 'queues'>;

interface KeepsTyped extends Disposable {
	/**
	 * Begins to hand over what is typed, once the typed input that the previous page kept has come. Handing over
	 * earlier would replace that.
	 */
	begin(typed: TypedInput): void;
	/** Another page hands over what was typed there, which is not handed back. */
	take(typed: TypedInput): void;
}

export function keepTyped({ store, peer }: ActionContext): KeepsTyped {
	let kept: TypedState | undefined;
	let timer: ReturnType<typeof setTimeout> | undefined;

	function handOverTyped(): void {
		if (kept === undefined) {
			return;
		}
		const { drafts, queues } = store.state;
		const changed = findTypedChanges(kept, { drafts, queues });
		kept = { drafts, queues };
		if (changed !== undefined) {
			peer.notify(chatNotifications.keep, changed);
			timer = setTimeout(() => {
				timer = undefined;
				handOverTyped();
			}, TYPED_KEEP_INTERVAL_MS);
		}
	}

	let isTaking = false;
	const listening = store.onDidChange(() => {
		if (!isTaking && timer === undefined) {
			handOverTyped();
		}
	});
	window.addEventListener('pagehide', handOverTyped);
	return {
		begin(typed) {
			kept ??= typed;
		},
		take(typed) {
			handOverTyped();
			isTaking = true;
			store.dispatch({ type: 'typed', typed });
			isTaking = false;
			const { drafts, queues } = store.state;
			kept = { drafts, queues };
		},
		dispose() {
			clearTimeout(timer);
			window.removeEventListener('pagehide', handOverTyped);
			listening.dispose();
		},
	};
}

function findTypedChanges(before: TypedState, now: TypedState): TypedInput | undefined {
	const drafts = listChangedEntries(before.drafts, now.drafts, EMPTY_DRAFT).map(
		([key, { text, refs }]): [string, Draft] => [key, { text, refs: [...refs] }],
	);
	const queues = listChangedEntries(before.queues, now.queues, []).map(
		([key, queue]) => [key, queue.map(withoutState)] as const,
	);
	// A draft beyond the limit would be refused with all others.
	const sound = drafts.filter(([, draft]) => Draft.safeParse(draft).success);
	return sound.length + queues.length === 0
		? undefined
		: { drafts: Object.fromEntries(sound), queues: Object.fromEntries(queues) };
}

/** Returns the entries that differ; an entry that is gone has the value `empty`. */
function listChangedEntries<T>(
	before: Readonly<Record<string, T>>,
	now: Readonly<Record<string, T>>,
	empty: T,
): readonly (readonly [string, T])[] {
	const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
	return [...keys].filter((key) => before[key] !== now[key]).map((key) => [key, now[key] ?? empty]);
}

/** Leaves out `isSending`, because a new page does not know whether a message is on its way. */
function withoutState({ id, text, refs }: QueuedMessage): KeptMessage {
	return { id, text, refs: [...refs] };
}
