/**
 * Requests that every page of ours may make of the editor. A link is opened after the person was asked: by the editor, or
 * by us for what the editor opens without asking.
 */
import * as vscode from 'vscode';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { askInDialog } from '../notices/notices.ts';
import { isLocalAddress } from './local-address.ts';

export const pageActs = {
	copy: async ({ text }: { readonly text: string }) => {
		await vscode.env.clipboard.writeText(text);
		return {};
	},
	openLink: async ({ url }: { readonly url: string }) => {
		await openLink(url);
		return {};
	},
} as const;

/** Rejects with INVALID_PARAMS for what is no address of the web, and with INVALID_STATE for the editor's own. */
async function openLink(link: string): Promise<void> {
	const url = URL.canParse(link) ? new URL(link) : undefined;
	if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
		throw new ProwessError(
			'INVALID_PARAMS',
			vscode.l10n.t('Only http and https can be opened, not {0}.', link.slice(0, 100)),
		);
	}
	const target = vscode.Uri.parse(url.href, true);
	if (isLocalAddress(url.hostname)) {
		const open = vscode.l10n.t('Open');
		const question = vscode.l10n.t('Open an address of this machine? Programs that listen there may act on a visit.');
		if ((await askInDialog(question, [url.href], open)) !== open) {
			return;
		}
	}
	await refuseEditorAddress(target);
	await vscode.env.openExternal(target);
}

/**
 * Rejects with INVALID_STATE for an address of the editor. In a browser the editor is a page, and it may serve programs of this
 * machine below its own address: what opens there could do all that the editor can.
 */
export async function refuseEditorAddress(target: vscode.Uri): Promise<void> {
	if (vscode.env.uiKind !== vscode.UIKind.Web) return;
	const own = await vscode.env.asExternalUri(vscode.Uri.parse(`${vscode.env.uriScheme}://prowess.prowess/`));
	const opened = await vscode.env.asExternalUri(target);
	if (opened.authority === own.authority) {
		const host = target.authority.replace(/^.*@/, '');
		throw new ProwessError(
			'INVALID_STATE',
			vscode.l10n.t('{0} would open as a part of the editor itself, so it is not opened.', host),
		);
	}
}
