/** The end of a page that is our own: what every page has, and how one begins. */
import { type ComponentChild, render } from 'preact';
import type { RequestDef } from '../../protocol/rpc/message.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type * as z from '../../protocol/text/zod.ts';
import { TextProvider } from './text-actions.ts';
import { createTranslator } from './translate.ts';

/**
 * Parts that every page of ours has: the element it draws into, the state that the editor keeps for it, and the far end
 * of its messages.
 */
export interface PageEnd {
	readonly root: HTMLElement;
	readonly editor: EditorState;
	readonly peer: Peer;
	/** Aborted when the page goes. */
	readonly signal: AbortSignal;
}

/** State that the editor keeps for the next page. */
export interface EditorState {
	getState(): unknown;
	setState(state: unknown): void;
}

interface StartedPage<Started> {
	draw(started: Started): ComponentChild;
	/** Absent: nothing on the page can be copied. */
	copy?(text: string): void;
}

type StartRequest<Started> = RequestDef<z.ZodType<unknown, object>, z.ZodType<Started>>;

/** Draws a page with the answer to its first request. A page that is gone before it has its answer draws nothing. */
export function drawStarted<Started extends { readonly strings: Readonly<Record<string, string>> }>(
	{ root, peer, signal }: PageEnd,
	start: StartRequest<Started>,
	{ draw, copy = ignoreRequest }: StartedPage<Started>,
): void {
	void peer.call(start, {}, signal).then((started) => {
		const text = { t: createTranslator(started.strings), copy, openLink: ignoreRequest, openFile: ignoreRequest };
		render(<TextProvider value={text}>{draw(started)}</TextProvider>, root);
	}, ignoreRequest);
}

function ignoreRequest(): void {}
