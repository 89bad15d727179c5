/** Pictures and sounds of results as files, where the user chooses. */
import * as vscode from 'vscode';
import { orAborted } from '../../../base/time/bounded-wait.ts';
import type { WorkspacePort } from '../../../contract/ports/ports.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { checkedMedia, formatMediaFileName, type ImageRef } from '../../../protocol/ops/images.ts';
import type { Peer } from '../../../protocol/rpc/peer.ts';
import { threadRequests } from '../../../protocol/thread/thread-requests.ts';

interface SavePorts {
	readonly workspace: WorkspacePort;
	server(): Promise<Peer>;
}

/** Does nothing when the user chooses no file. Rejects with INVALID_STATE when it is not stored, or cannot be written. */
export async function saveMediaAsFile(
	{ id, name: given }: Pick<ImageRef, 'id' | 'name'>,
	{ workspace, server }: SavePorts,
	signal: AbortSignal,
): Promise<void> {
	const { t } = vscode.l10n;
	const { data } = await (await server()).call(threadRequests.image, { id }, signal);
	if (data === null) {
		throw new ProwessError('INVALID_STATE', vscode.l10n.t('{name} is no longer stored.', { name: given ?? id }));
	}
	const bytes = Buffer.from(data, 'base64');
	const name = formatMediaFileName({ type: checkedMedia(bytes, given ?? id).type, name: given });
	const [folder] = workspace.folders;
	const uri = await vscode.window.showSaveDialog({
		title: t('Save {name}', { name }),
		...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(vscode.Uri.file(folder.path), name) }),
	});
	if (uri === undefined) {
		return;
	}
	try {
		await orAborted(Promise.resolve(vscode.workspace.fs.writeFile(uri, bytes)), signal);
	} catch (error) {
		signal.throwIfAborted();
		const reason = error instanceof Error ? error.message : String(error);
		throw new ProwessError('INVALID_STATE', vscode.l10n.t('{0} could not be saved: {1}', uri.fsPath, reason));
	}
}
