/** Files that the user picks for a message: those of the workspace are named, pictures from elsewhere are stored with the thread. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { orAborted } from '../../../base/time/bounded-wait.ts';
import type { WorkspacePort } from '../../../contract/ports/ports.ts';
import type { Peer } from '../../../protocol/rpc/peer.ts';
import type { ContextRef } from '../../../protocol/thread/context.ts';
import { imageTooLarge, detectImageType, MAX_IMAGE_BYTES } from '../../../protocol/ops/images.ts';
import { threadRequests } from '../../../protocol/thread/thread-requests.ts';
import { warn } from '../../notices/notices.ts';
import { toWorkspacePath } from '../../editor/workspace-paths.ts';

interface PickPorts {
	readonly workspace: WorkspacePort;
	server(): Promise<Peer>;
}

/** Empty when the user picks none. Rejects for a picture that is too large. */
export async function pickFiles({ workspace, server }: PickPorts, signal: AbortSignal): Promise<ContextRef[]> {
	const [folder] = workspace.folders;
	const picked = await vscode.window.showOpenDialog({
		canSelectMany: true,
		title: vscode.l10n.t('Attach files or pictures'),
		openLabel: vscode.l10n.t('Attach'),
		...(folder === undefined ? {} : { defaultUri: vscode.Uri.file(folder.path) }),
	});
	const refs: ContextRef[] = [];
	const left: string[] = [];
	for (const uri of picked ?? []) {
		const path = uri.scheme === 'file' ? toWorkspacePath(workspace.folders, uri.fsPath) : undefined;
		const ref = path === undefined ? await attachPicture(uri, server, signal) : ({ kind: 'file', path } as const);
		if (ref === undefined) {
			left.push(basename(uri.path));
		} else {
			refs.push(ref);
		}
	}
	if (left.length > 0) {
		warn(
			vscode.l10n.t('Only pictures can be attached from outside of the workspace. Not attached: {0}', left.join(', ')),
		);
	}
	return refs;
}

/** Undefined: it is none. */
async function attachPicture(
	uri: vscode.Uri,
	server: () => Promise<Peer>,
	signal: AbortSignal,
): Promise<ContextRef | undefined> {
	const name = basename(uri.path);
	const { size } = await orAborted(vscode.workspace.fs.stat(uri), signal);
	if (size > MAX_IMAGE_BYTES) {
		throw imageTooLarge(name, size);
	}
	const bytes = await orAborted(vscode.workspace.fs.readFile(uri), signal);
	if (detectImageType(bytes) === undefined) {
		return undefined;
	}
	const data = Buffer.from(bytes).toString('base64');
	return { kind: 'image', ...(await (await server()).call(threadRequests.attach, { data, name }, signal)) };
}
