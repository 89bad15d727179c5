/** All there is to know of one capability, as a page of Markdown: what it is, what it asks for, its files and its README. */
import * as vscode from 'vscode';
import { limits } from '../limits.ts';
import { problemText } from '../../protocol/manifest/problem.ts';
import type { InstalledCapability } from './catalog.ts';
import { foreignMarkdown, inlineCode, plainText, table } from './markdown-text.ts';
import { overrideText, sourceText } from './texts.ts';

export async function capabilityPage(capability: InstalledCapability): Promise<string> {
	const { manifest, path, source, shadows, isEnabled, warnings } = capability;
	const t = vscode.l10n.t;
	const folder = vscode.Uri.file(path);
	const files = await filesIn(folder);
	const facts = [
		`- **${t('Source')}**: ${sourceText(source)}${shadows.length === 0 ? '' : ` (${overrideText(shadows)})`}`,
		`- **${t('State')}**: ${isEnabled ? t('on') : t('off')}`,
		`- **${t('Version')}**: ${plainText(manifest.version)}`,
		`- **${t('Level')}**: ${manifest.level}`,
		`- **${t('Permissions')}**: ${manifest.permissions.length === 0 ? t('none') : manifest.permissions.join(', ')}`,
		...(manifest.provides.length === 0
			? []
			: [`- **${t('Provides')}**: ${manifest.provides.map(inlineCode).join(', ')}`]),
		`- **${t('Folder')}**: ${inlineCode(path)}`,
		`- **${t('Content')}**: sha256 ${inlineCode(await hashOf(path))}`,
		...warnings.map((warning) => `- **${t('Warning')}**: ${inlineCode(problemText(warning))}`),
	];
	const inputs = manifest.inputs.map(({ name, type, required, default: value, description }) => [
		inlineCode(name),
		type,
		required ? t('yes') : '',
		value === undefined ? '' : inlineCode(JSON.stringify(value)),
		plainText(description ?? ''),
	]);
	const readme = await readmeIn(folder, files);
	return [
		`# ${plainText(manifest.name)} (${plainText(manifest.type)})`,
		plainText(manifest.description),
		facts.join('\n'),
		...(inputs.length === 0
			? []
			: [`## ${t('Inputs')}`, table([t('Name'), t('Type'), t('Required'), t('Default'), t('Description')], inputs)]),
		`## ${t('Files')}`,
		files.map((file) => `- ${inlineCode(file)}`).join('\n'),
		...(readme === undefined ? [] : ['---', foreignMarkdown(readme)]),
		'',
	].join('\n\n');
}

/** What a consent is tied to; else why it cannot be had. */
async function hashOf(path: string): Promise<string> {
	const { readCapabilityFiles } = await import('../../capability-host/execution/snapshot.ts');
	return readCapabilityFiles(path).then(
		({ hash }) => hash,
		(error: unknown) => (error instanceof Error ? error.message : String(error)),
	);
}

async function filesIn(folder: vscode.Uri, below = ''): Promise<string[]> {
	const entries = await vscode.workspace.fs.readDirectory(folder);
	const files: string[] = [];
	for (const [name, kind] of entries.toSorted(([a], [b]) => a.localeCompare(b))) {
		if (files.length >= limits.pageFiles) {
			break;
		}
		if (kind === vscode.FileType.Directory && name !== 'node_modules') {
			files.push(...(await filesIn(vscode.Uri.joinPath(folder, name), `${below}${name}/`)));
		} else {
			files.push(kind === vscode.FileType.Directory ? `${below}${name}/…` : `${below}${name}`);
		}
	}
	return files.slice(0, limits.pageFiles);
}

async function readmeIn(folder: vscode.Uri, files: readonly string[]): Promise<string | undefined> {
	const name = files.find((file) => /^readme\.md$/i.test(file)) ?? files.find((file) => file === 'SKILL.md');
	if (name === undefined) {
		return undefined;
	}
	const uri = vscode.Uri.joinPath(folder, name);
	const { size } = await vscode.workspace.fs.stat(uri);
	return size > limits.readmeBytes ? undefined : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
