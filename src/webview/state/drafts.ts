/** Drafts: the text and references being typed, per thread. */
import type { ContextRef } from '../../protocol/thread/context.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';

export interface ThreadDraft {
	readonly text: string;
	readonly refs: readonly ContextRef[];
}

/** Drafts by thread id; `new` is the thread that does not exist yet. */
export type Drafts = Readonly<Record<string, ThreadDraft>>;

export const EMPTY_DRAFT: ThreadDraft = { text: '', refs: [] };
const MAX_DRAFTS = 50;
const MAX_DRAFT_REFS = 100;

function draftKey(threadId: ThreadId | null): string {
	return threadId ?? 'new';
}

export function readThreadDraft(drafts: Drafts, threadId: ThreadId | null): ThreadDraft {
	const key = draftKey(threadId);
	return (Object.hasOwn(drafts, key) ? drafts[key] : undefined) ?? EMPTY_DRAFT;
}

/** Sets one draft; an empty one is dropped, and of too many the oldest. */
export function withDraft(drafts: Drafts, threadId: ThreadId | null, draft: ThreadDraft): Drafts {
	return withDraftAt(drafts, draftKey(threadId), draft);
}

export function withDraftAt(drafts: Drafts, key: string, draft: ThreadDraft): Drafts {
	const others = Object.entries(drafts).filter(([other]) => other !== key);
	const own: [string, ThreadDraft][] = draft.text === '' && draft.refs.length === 0 ? [] : [[key, draft]];
	return Object.fromEntries([...others, ...own].slice(-MAX_DRAFTS));
}

/** Adds what is not yet there. */
export function withRefs(draft: ThreadDraft, refs: readonly ContextRef[]): ThreadDraft {
	const known = new Set(draft.refs.map((ref) => JSON.stringify(ref)));
	const added = refs.filter((ref) => !known.has(JSON.stringify(ref)));
	return { ...draft, refs: [...draft.refs, ...added].slice(0, MAX_DRAFT_REFS) };
}

/**
 * Returns what was typed and attached behind a message while it was on its way; the whole draft when the message itself
 * was changed.
 */
export function withoutSent(draft: ThreadDraft, sent: ThreadDraft): ThreadDraft {
	if (!draft.text.startsWith(sent.text)) {
		return draft;
	}
	const gone = new Set(sent.refs.map((ref) => JSON.stringify(ref)));
	return {
		text: draft.text.slice(sent.text.length),
		refs: draft.refs.filter((ref) => !gone.has(JSON.stringify(ref))),
	};
}
