/**
 * Parses links that lead from elsewhere into this editor: `vscode://prowess.prowess/prompt?text=…`,
 * `/capability?name=…` and `/thread?id=…`. The author of a link is a stranger, so its content is shown, and never run
 * or sent.
 */
import { escapeHidden } from '../../base/text/hidden-characters.ts';
import { ThreadId } from '../../protocol/rpc/ids.ts';

type EditorLink =
	| { readonly kind: 'prompt'; readonly text: string }
	| { readonly kind: 'capability'; readonly name: string }
	| { readonly kind: 'thread'; readonly threadId: ThreadId }
	/** Answer of a page on which the user signed in. */
	| { readonly kind: 'signIn'; readonly query: URLSearchParams }
	/** `tooLong`: nobody would read it before it is sent. */
	| { readonly kind: 'refused'; readonly why: 'unknown' | 'empty' | 'tooLong' };

export const PROMPT_CHARS = 10_000;
/** Path with which a browser comes back from a sign-in. */
export const SIGN_IN_PATH = '/mcp-sign-in';
const LINKED_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** `query`: decoded once, as the editor hands it over. */
export function parseLink(path: string, query: string): EditorLink {
	const given = new URLSearchParams(query);
	switch (path) {
		case '/prompt':
			return parsePromptLink(given.get('text') ?? '');
		case '/capability': {
			const name = given.get('name') ?? '';
			return LINKED_NAME.test(name) ? { kind: 'capability', name } : { kind: 'refused', why: 'unknown' };
		}
		case '/thread': {
			const id = ThreadId.safeParse(given.get('id'));
			return id.success ? { kind: 'thread', threadId: id.data } : { kind: 'refused', why: 'unknown' };
		}
		case SIGN_IN_PATH:
			return { kind: 'signIn', query: given };
		default:
			return { kind: 'refused', why: 'unknown' };
	}
}

/** Hidden characters are written out: the user reads what the model would. */
function parsePromptLink(text: string): EditorLink {
	const shown = escapeHidden(text).trim();
	if (shown === '') {
		return { kind: 'refused', why: 'empty' };
	}
	return shown.length > PROMPT_CHARS ? { kind: 'refused', why: 'tooLong' } : { kind: 'prompt', text: shown };
}
