/**
 * *New Capability* and *Override in This Project* create folders that the user fills in. Existing files are never
 * overwritten.
 */
import * as vscode from 'vscode';
import type { WorkspacePort } from '../../../contract/ports/ports.ts';
import type { Capability } from '../../../catalog/registry/sources/capability-source.ts';
import { EXECUTOR_TEMPLATE, type SkillForm, type TemplateFolder } from '../../../catalog/registry/new-capability.ts';
import { builtInTypes } from '../../../catalog/executors.ts';
import {
	CAPABILITY_MANIFESTS,
	EXECUTOR_FILES,
	EXECUTORS_FOLDER,
	ItemName,
} from '../../../protocol/capability/manifest.ts';
import { inform } from '../../notices/notices.ts';

interface NewCapabilityPorts {
	readonly home: string;
	readonly workspace: Pick<WorkspacePort, 'folders'>;
}

/** False when the user went away. */
export async function createNewCapability(ports: NewCapabilityPorts): Promise<boolean> {
	const title = vscode.l10n.t('New Capability');
	const kind = await pickType(title);
	const root = kind === undefined ? undefined : await pickPlace(ports, title);
	if (kind === undefined || root === undefined) {
		return false;
	}
	const name = await vscode.window.showInputBox({
		title,
		prompt: vscode.l10n.t('Name (also the folder name)'),
		placeHolder: 'todo-report',
		ignoreFocusOut: true,
		validateInput: async (text) =>
			!ItemName.safeParse(text).success
				? vscode.l10n.t('Use lower-case letters, digits and hyphens, at most 64.')
				: (await isNameTaken(root, kind, text))
					? vscode.l10n.t('That name is already in use.')
					: undefined,
	});
	const description =
		name === undefined
			? undefined
			: await vscode.window.showInputBox({
					title,
					prompt: vscode.l10n.t('One-sentence description (helps you and the agent pick it)'),
					ignoreFocusOut: true,
				});
	if (name === undefined || description === undefined) {
		return false;
	}
	const { capabilityTemplate } = await import('../../../catalog/registry/capability-template.ts');
	for (const made of capabilityTemplate({ ...kind, name, description }).toReversed()) {
		await writeAndShow(root, made);
	}
	return true;
}

async function isNameTaken(root: vscode.Uri, { type }: NewKind, name: string): Promise<boolean> {
	return type === EXECUTOR_TEMPLATE
		? name === EXECUTORS_FOLDER ||
				builtInTypes.includes(name) ||
				(await isUriTaken(vscode.Uri.joinPath(root, EXECUTORS_FOLDER, name))) ||
				(await isUriTaken(vscode.Uri.joinPath(root, name)))
		: await isUriTaken(vscode.Uri.joinPath(root, type, name));
}

/** The manifest is shown last, and so is the one in front. */
async function writeAndShow(root: vscode.Uri, { folder, files }: TemplateFolder): Promise<void> {
	const uris: vscode.Uri[] = [];
	for (const [path, text] of Object.entries(files)) {
		const uri = vscode.Uri.joinPath(root, folder, path);
		await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
		uris.unshift(uri);
	}
	for (const uri of uris) {
		await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
	}
}

/** Copies it into the workspace, where it goes before the one it was copied from, and opens its manifest. */
export async function overrideInProject(ports: NewCapabilityPorts, { manifest, path }: Capability): Promise<boolean> {
	const root = await pickFolder(ports);
	if (root === undefined) {
		return false;
	}
	const folder = vscode.Uri.joinPath(root, manifest.type, manifest.name);
	if (await isUriTaken(folder)) {
		const text = vscode.l10n.t('{0} is already in this project.', manifest.name);
		inform(text);
	} else {
		await copyTo(folder, vscode.Uri.file(path));
	}
	await openManifest(folder);
	return true;
}

/** A command that is one file becomes the skill it stands for. */
async function copyTo(folder: vscode.Uri, from: vscode.Uri): Promise<void> {
	if (!(await isFileUri(from))) {
		await vscode.workspace.fs.copy(from, folder, { overwrite: false });
		return;
	}
	const { readCapabilityFiles } = await import('../../../catalog/capability-files.ts');
	for (const { path, bytes } of (await readCapabilityFiles(from.fsPath)).files) {
		await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, path), bytes);
	}
}

/** Opens the manifest in the folder of a capability or executor, or the file itself for a command that is one file. */
export async function openManifest(folder: vscode.Uri): Promise<void> {
	if (await isFileUri(folder)) {
		await vscode.window.showTextDocument(folder, { preview: false });
		return;
	}
	const entries = await vscode.workspace.fs.readDirectory(folder);
	const files = entries.flatMap(([name, kind]) => (kind === vscode.FileType.File ? [name] : []));
	const known = [...CAPABILITY_MANIFESTS, ...EXECUTOR_FILES];
	const file = known.find((name) => files.includes(name)) ?? files[0];
	if (file !== undefined) {
		await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, file), { preview: false });
	}
}

async function isFileUri(uri: vscode.Uri): Promise<boolean> {
	return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
}

interface NewKind {
	readonly type: string;
	readonly form?: SkillForm;
}

async function pickType(title: string): Promise<NewKind | undefined> {
	const t = vscode.l10n.t;
	const types: readonly (vscode.QuickPickItem & { readonly kindOfNew: NewKind })[] = [
		{
			kindOfNew: { type: 'skill' },
			label: t('Skill'),
			detail: t('does one task, in JavaScript or TypeScript'),
		},
		{
			kindOfNew: { type: 'skill', form: 'node-worker' },
			label: t('Skill with Tools, in JavaScript'),
			detail: t('several functions that the agent calls, in one process that stays'),
		},
		{
			kindOfNew: { type: 'skill', form: 'python-worker' },
			label: t('Skill with Tools, in Python'),
			detail: t('the same in Python, which needs bubblewrap'),
		},
		{
			kindOfNew: { type: 'skill', form: 'instructions' },
			label: t('Written Skill'),
			detail: t('a SKILL.md that the agent follows, as in Agent Skills'),
		},
		{ kindOfNew: { type: 'power' }, label: t('Power'), detail: t('does work in several steps, with a model') },
		{ kindOfNew: { type: 'talent' }, label: t('Talent'), detail: t('gives advice and changes nothing') },
		{
			kindOfNew: { type: EXECUTOR_TEMPLATE },
			label: t('Executor'),
			detail: t('runs capabilities of a type of your own, with an example of that type'),
		},
	];
	const placeHolder = t('Type of capability');
	return (await vscode.window.showQuickPick(types, { title, placeHolder, ignoreFocusOut: true }))?.kindOfNew;
}

async function pickPlace(ports: NewCapabilityPorts, title: string): Promise<vscode.Uri | undefined> {
	const places = [
		{ label: vscode.l10n.t('In this project'), description: '.prowess/capabilities', isProject: true },
		{ label: vscode.l10n.t('For you, in every project'), description: ports.home, isProject: false },
	].filter(({ isProject }) => !isProject || ports.workspace.folders.length > 0);
	const placeHolder = vscode.l10n.t('Where?');
	const picked = await vscode.window.showQuickPick(places, { title, placeHolder, ignoreFocusOut: true });
	return picked === undefined
		? undefined
		: picked.isProject
			? await pickFolder(ports)
			: vscode.Uri.joinPath(vscode.Uri.file(ports.home), 'capabilities');
}

/** `.prowess/capabilities` of the workspace folder that is meant. */
async function pickFolder({ workspace: { folders } }: NewCapabilityPorts): Promise<vscode.Uri | undefined> {
	if (folders.length === 0) {
		inform(vscode.l10n.t('Open a folder first.'));
		return undefined;
	}
	const placeHolder = vscode.l10n.t('Which folder?');
	const items = folders.map(({ name, path }) => ({ label: name, description: path, path }));
	const options = { placeHolder, ignoreFocusOut: true };
	const picked = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, options);
	return picked === undefined
		? undefined
		: vscode.Uri.joinPath(vscode.Uri.file(picked.path), '.prowess', 'capabilities');
}

async function isUriTaken(uri: vscode.Uri): Promise<boolean> {
	try {
		await vscode.workspace.fs.stat(uri);
		return true;
	} catch {
		// A path that cannot be examined counts as free, but is not overwritten: writing there fails and reports the
		// error.
		return false;
	}
}
