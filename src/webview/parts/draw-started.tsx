/** Draws a page with the answer to its first request. A page that is gone before it has its answer draws nothing. */
import { type ComponentChild, render } from 'preact';
import type { RequestDef } from '../../protocol/rpc/message.ts';
import type * as z from '../../protocol/text/zod.ts';
import { TextProvider } from './text-actions.ts';
import type { PageEnd } from './page-end.ts';
import { createTranslator } from './translate.ts';

interface StartedPage<Started> {
	draw(started: Started): ComponentChild;
	/** Absent: nothing on the page can be copied. */
	copy?(text: string): void;
}

type StartRequest<Started> = RequestDef<z.ZodType<unknown, object>, z.ZodType<Started>>;

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
