/** Shows what a link into the editor names, and says that a link did it. The user decides on everything else. */
import * as vscode from 'vscode';
import type { TrustedBase } from '../host/trusted-base.ts';
import type { ChatView } from './chat/chat-view.ts';
import type { CapabilityViews } from './capabilities/view/capability-views.ts';
import { inform, warn, withProgress } from './notices/notices.ts';
import type { EditorSignIn } from './mcp/sign-in-port.ts';
import { parseLink, PROMPT_CHARS } from './mcp/parse-link.ts';

interface LinkPorts {
	readonly chat: Pick<ChatView, 'insert' | 'showThread'>;
	readonly pages: CapabilityViews['pages'];
	readonly signIn: Pick<EditorSignIn, 'take'>;
	base(): Promise<TrustedBase>;
}

export async function followLink(ports: LinkPorts, { path, query }: vscode.Uri): Promise<void> {
	const link = parseLink(path, query);
	switch (link.kind) {
		case 'prompt':
			await ports.chat.insert({ refs: [], text: link.text, send: false });
			inform(vscode.l10n.t('A link has filled in this message. Nothing was sent: read it first.'));
			return;
		case 'thread':
			await ports.chat.showThread(link.threadId);
			return;
		case 'capability':
			await showLinkedCapability(ports, link.name);
			return;
		case 'signIn':
			if (!ports.signIn.take(link.query)) {
				warn(vscode.l10n.t('A page answered a sign-in that nobody waits for any more. Start it again.'));
			}
			return;
		case 'refused':
			warn(describeLinkRefusal(link.why));
	}
}

/**
 * Shows the page of the capability in the marketplace, from which the user may install it. Asks only indexes that the
 * user has listed.
 */
async function showLinkedCapability({ base, pages }: LinkPorts, name: string): Promise<void> {
	const { marketplace } = await base();
	const { items } = await withProgress(vscode.l10n.t('Reading the marketplace'), (signal) =>
		marketplace.search({}, signal),
	);
	const found = items.find((item) => item.name === name);
	if (found !== undefined) {
		pages.show({
			kind: 'package',
			of: JSON.stringify({ name, type: found.type, index: found.location }),
			title: found.name,
		});
		return;
	}
	const add = vscode.l10n.t('Add an Index');
	const text = vscode.l10n.t('A link names the capability {0}, which none of your indexes offers.', name);
	if ((await warn(text, add)) === add) {
		await vscode.commands.executeCommand('prowess.addIndex');
	}
}

function describeLinkRefusal(why: 'unknown' | 'empty' | 'tooLong'): string {
	switch (why) {
		case 'unknown':
			return vscode.l10n.t('A link into Prowess was not followed: it names nothing that can be shown.');
		case 'empty':
			return vscode.l10n.t('A link into Prowess was not followed: its message is empty.');
		case 'tooLong':
			return vscode.l10n.t(
				'A link into Prowess was not followed: its message has more than {0} characters.',
				PROMPT_CHARS,
			);
	}
}
