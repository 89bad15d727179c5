/** Fields of a run that name something: a file of the workspace, or a secret, whose value no page, thread or record gets. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import type { WorkspacePort } from '../../../contract/ports/ports.ts';
import type { CapabilityInput } from '../../../protocol/capability/manifest.ts';
import { storeSecret, type UserSecretPorts } from '../../ports/user-secrets.ts';
import { toAbsolutePath, toWorkspacePath } from '../../editor/workspace-paths.ts';
import { inform } from '../../notices/notices.ts';
import { type PickedFieldValue } from './built-page.ts';

export interface FieldPorts {
	readonly workspace: Pick<WorkspacePort, 'folders'>;
	readonly userSecrets: UserSecretPorts;
}

type ReadFieldValue = { readonly value: unknown } | { readonly problem: unknown };

/** A sentence for each field that names no file of the workspace, or no secret that is stored. */
export async function namingNothing(
	inputs: readonly CapabilityInput[],
	read: ReadonlyMap<string, ReadFieldValue>,
	{ workspace, userSecrets }: FieldPorts,
): Promise<[name: string, problem: string][]> {
	const problems: [string, string][] = [];
	const secrets = inputs.some(({ format }) => format === 'secret') ? await userSecrets.secrets.list() : [];
	for (const { name, format } of inputs) {
		const typed = read.get(name);
		const value = typed !== undefined && 'value' in typed ? typed.value : undefined;
		if (format === undefined || typeof value !== 'string') {
			continue;
		}
		const problem =
			format === 'file'
				? await fileProblem(workspace, value)
				: secrets.includes(value)
					? undefined
					: vscode.l10n.t('No secret of this name is stored.');
		if (problem !== undefined) {
			problems.push([name, problem]);
		}
	}
	return problems;
}

async function fileProblem({ folders }: FieldPorts['workspace'], path: string): Promise<string | undefined> {
	const absolute = toAbsolutePath(folders, path.trim());
	if (absolute === undefined) {
		return vscode.l10n.t('{0} is outside the workspace.', escapeToLine(path));
	}
	try {
		const { type } = await vscode.workspace.fs.stat(vscode.Uri.file(absolute));
		return (type & vscode.FileType.File) === 0
			? vscode.l10n.t('{0} is a folder, not a file.', escapeToLine(path))
			: undefined;
	} catch {
		return vscode.l10n.t('There is no file {0} in the workspace.', escapeToLine(path));
	}
}

/** Asks the user for a file, or for a new secret; the field then holds its path or its name. */
export async function pickFor(
	input: CapabilityInput | undefined,
	{ workspace, userSecrets }: FieldPorts,
): Promise<PickedFieldValue> {
	switch (input?.format) {
		case 'file':
			return { value: await pickFile(workspace), choices: [] };
		case 'secret': {
			const value = await storeSecret(userSecrets);
			return { value, choices: [...(await userSecrets.secrets.list())].toSorted() };
		}
		default:
			return { value: undefined, choices: [] };
	}
}

async function pickFile({ folders }: FieldPorts['workspace']): Promise<string | undefined> {
	const [folder] = folders;
	const picked = await vscode.window.showOpenDialog({
		title: vscode.l10n.t('Choose a file of the workspace'),
		openLabel: vscode.l10n.t('Choose'),
		...(folder === undefined ? {} : { defaultUri: vscode.Uri.file(folder.path) }),
	});
	const [uri] = picked ?? [];
	if (uri === undefined) {
		return undefined;
	}
	const path = uri.scheme === 'file' ? toWorkspacePath(folders, uri.fsPath) : undefined;
	if (path === undefined) {
		inform(vscode.l10n.t('{0} is outside the workspace.', uri.fsPath));
	}
	return path;
}
