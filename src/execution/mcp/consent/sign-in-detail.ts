/** Text of the question before the browser opens a foreign page on which the user signs in. */
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import { cutText } from '../../../base/text/one-line.ts';
import type { ConsentDetail } from '../../../protocol/approvals/consent.ts';
import { text, withArgs } from '../../../protocol/text/text.ts';
import { ASKED_ADDRESS_CHARS } from '../limits.ts';
import { formatServerAddress, type McpServer } from '../server.ts';

export function signInDetail(server: McpServer, page: URL): ConsentDetail {
	const escapeLine = (words: string) => escapeInvisible(words, 'line');
	const may = [
		text('open a page of {host} in your browser, where you sign in', { host: page.host }),
		text('be reached in your name by Prowess, until you sign out'),
	];
	return {
		kind: 'consent',
		description: '',
		may: may.map((meaning) => ({ permission: null, meaning: withArgs(meaning, escapeLine) })),
		mayNot: [],
		notEnforced: [],
		enforced: [text('Your password stays in the browser. What Prowess is given is kept apart from your secrets.')],
		maker: [withArgs(text('The server {address} wants it.', { address: formatServerAddress(server) }), escapeLine)],
		level: 'RESTRICTED',
		levelMeaning: text('sign in only if you know {host}', { host: escapeLine(page.host) }),
		details: [{ label: text('Page:'), value: escapeLine(cutText(page.href, ASKED_ADDRESS_CHARS)) }],
	};
}
