/** Frames of the chat on their way to the host: what a browser can do by itself goes no further. */
import { WIRE_CODES } from '../../protocol/rpc/wire.ts';
import { text } from '../../protocol/text/text.ts';
import type { Translate } from '../parts/translate.ts';

interface CarryingPage {
	readonly t: Translate;
	send(frame: unknown): void;
	/** Answers the chat. */
	receive(frame: unknown): void;
	title(title: string): void;
	/** Resolves with the answer: references to files that the user picks. */
	pick(): Promise<object>;
}

interface ChatFrame {
	readonly kind?: string;
	readonly id?: number;
	readonly method?: string;
	readonly params?: { readonly text?: string; readonly url?: string; readonly title?: string };
}

export async function carryFrame(frame: unknown, page: CarryingPage): Promise<void> {
	const { kind, id, method, params } = frame as ChatFrame;
	if (kind === 'notification' && method === 'view/title') {
		page.title(params?.title ?? '');
	} else if (kind === 'request' && method === 'view/copy') {
		page.receive({ ...(await copyText(params?.text ?? '', page.t)), id });
	} else if (kind === 'request' && method === 'view/openLink') {
		openInTab(params?.url ?? '', page.t);
		page.receive({ kind: 'result', id, result: {} });
	} else if (kind === 'request' && method === 'view/pickFiles') {
		page.receive({ ...(await page.pick()), id });
	} else {
		page.send(frame);
	}
}

/** Returns the answer. Browsers give a page the clipboard only with an address of this machine or one that is encrypted. */
async function copyText(copied: string, t: Translate): Promise<object> {
	try {
		await navigator.clipboard.writeText(copied);
		return { kind: 'result', result: {} };
	} catch (error) {
		const said = text(t('This browser does not let the page copy. Select the text and copy it yourself.'));
		const data = { code: 'NOT_AVAILABLE_HERE', facts: { said } };
		return { kind: 'error', code: WIRE_CODES.domainError, message: String(error), data };
	}
}

/** Opens an address of the web once the user has seen where it leads. */
function openInTab(link: string, t: Translate): void {
	const url = URL.canParse(link) ? new URL(link) : undefined;
	if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return;
	if (confirm(`${t('Open this address?')}\n\n${url.href}`)) window.open(url.href, '_blank', 'noopener,noreferrer');
}
