/** All there is to know of one capability: what it is, where it comes from, what it asks for, its inputs, its files and its README. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import type { CapabilityFiles } from '../../../catalog/capability-files.ts';
import type { InstalledCapability as InstalledPackage } from '../../../protocol/capability/marketplace.ts';
import type { PageAction, PageBlock } from '../../../protocol/pages/capability-page.ts';
import type { EditorCommandId } from '../../editor/command-table.ts';
import { explainError } from '../../notices/user-message.ts';
import type { CatalogCapability } from '../catalog.ts';
import { describeSource, problemLine, translateDescription } from '../texts/texts.ts';
import {
	type BuiltPage,
	toCodeValue,
	codeFact,
	createFact,
	filesBlock,
	type OfferedAction,
	readmeBlock,
	toWordsValue,
} from './built-page.ts';
import { packageActions } from './package-page.ts';
import { describeRiskLevel, permissionsBlock } from './permission-texts.ts';

interface CapabilityPageFacts {
	readonly capability: CatalogCapability;
	/** True when the user has consented to its content; undefined: this cannot be told, or no consent is asked for. */
	readonly isTrusted: boolean | undefined;
	/** Where it came from, when that is the marketplace. */
	readonly installed: InstalledPackage | undefined;
}

export async function capabilityPage({ capability, isTrusted, installed }: CapabilityPageFacts): Promise<BuiltPage> {
	const { manifest, path, warnings } = capability;
	const read = await readFiles(path);
	const files = read instanceof Error ? [] : read.files;
	// A command is one file, read as the SKILL.md it stands for.
	const { type } = await vscode.workspace.fs.stat(vscode.Uri.file(path)).then(undefined, () => ({ type: 0 }));
	const isOneFile = (type & vscode.FileType.File) !== 0;
	const toShownPath = (file: string) => (isOneFile ? basename(path) : file);
	const paths = new Set(files.map((file) => toShownPath(file.path)));
	const readme = findReadmeText(files);
	return {
		content: {
			title: manifest.name,
			kicker: escapeToLine(`${manifest.type} ${manifest.version}`),
			summary: escapeToLine(translateDescription(capability.source, manifest.description)),
			blocks: [
				...(read instanceof Error ? [createErrorBlock(explainError(read))] : []),
				...warnings.map((warning): PageBlock => {
					const place = paths.has(warning.file) ? { place: { path: warning.file, line: warning.line } } : {};
					return { kind: 'problem', severity: 'warning', text: escapeToLine(problemLine(warning)), ...place };
				}),
				createCapabilityFacts(capability, isTrusted, read instanceof Error ? undefined : read.hash),
				permissionsBlock(manifest.permissions, manifest.level, manifest.allowedTools),
				...(manifest.inputs.length === 0 ? [] : [createInputsTable(capability)]),
				...(manifest.runtime === undefined ? [] : [await toolsBlock(manifest, files)]),
				...(readme === undefined ? [] : [readmeBlock(readme)]),
				filesBlock(
					files.map((file) => ({ path: toShownPath(file.path), bytes: file.bytes.byteLength })),
					true,
				),
			],
		},
		actions: [
			...listCapabilityActions(capability, isTrusted),
			...(installed === undefined ? [] : packageActions(installed, undefined)),
		],
		files: { folder: isOneFile ? dirname(path) : path, paths },
	};
}

/** Reads the files that would run, the same way as a start does; returns the error when they cannot be read. */
async function readFiles(path: string): Promise<CapabilityFiles | Error> {
	const { readCapabilityFiles } = await import('../../../catalog/capability-files.ts');
	return readCapabilityFiles(path).catch((error: unknown) =>
		error instanceof Error ? error : new Error(String(error)),
	);
}

function findReadmeText(files: CapabilityFiles['files']): string | undefined {
	const file = files.find(({ path }) => /^readme\.md$/i.test(path)) ?? files.find(({ path }) => path === 'SKILL.md');
	return file?.bytes.toString('utf8');
}

function createErrorBlock(text: string): PageBlock {
	return { kind: 'problem', severity: 'error', text };
}

function createCapabilityFacts(
	{ manifest, path, source, overrides, isEnabled }: CatalogCapability,
	isTrusted: boolean | undefined,
	hash: string | undefined,
): PageBlock {
	const t = vscode.l10n.t;
	const trust = isTrusted === undefined ? [] : [createFact(t('Trust'), trustText(isTrusted))];
	return {
		kind: 'facts',
		rows: [
			createFact(t('State'), isEnabled ? t('enabled') : t('disabled')),
			createFact(t('Source'), describeSource(source)),
			...overrides.map((place) => createFact(t('Overrides'), `${describeSource(place.source)}, ${place.path}`)),
			...(manifest.author === undefined ? [] : [createFact(t('Author'), manifest.author)]),
			createFact(t('In short'), describeRiskLevel(manifest.level)),
			...trust,
			...(manifest.provides.length === 0 ? [] : [createFact(t('Provides'), manifest.provides.join(', '))]),
			...(manifest.modelInvocable ? [] : [createFact(t('Started by'), t('people only, not models'))]),
			...(manifest.license === undefined ? [] : [createFact(t('License'), manifest.license)]),
			...(manifest.compatibility === undefined ? [] : [createFact(t('Needs'), manifest.compatibility)]),
			...Object.entries(manifest.metadata ?? {}).map(([key, text]) => createFact(t('Metadata'), `${key}: ${text}`)),
			codeFact(t('Folder'), path),
			...(hash === undefined ? [] : [codeFact(t('Content (sha256)'), hash)]),
		],
	};
}

function trustText(isTrusted: boolean): string {
	return isTrusted ? vscode.l10n.t('trusted until its files change') : vscode.l10n.t('asks before it runs');
}

function createInputsTable({ manifest, source }: CatalogCapability): PageBlock {
	const t = vscode.l10n.t;
	return {
		kind: 'table',
		title: t('Inputs'),
		head: [t('Name'), t('Type'), t('Required'), t('Default'), t('Description')],
		rows: manifest.inputs.map(({ name, type, required, default: value, description }) => [
			toCodeValue(name),
			toWordsValue(type),
			toWordsValue(required ? t('yes') : ''),
			value === undefined ? toWordsValue('') : toCodeValue(JSON.stringify(value)),
			toWordsValue(translateDescription(source, description ?? '')),
		]),
	};
}

/** Builds the table of the tools that can be called, with their inputs. */
async function toolsBlock(
	manifest: CatalogCapability['manifest'],
	files: CapabilityFiles['files'],
): Promise<PageBlock> {
	const t = vscode.l10n.t;
	const { toolsOfFiles } = await import('../../../catalog/tools-of-files.ts');
	return {
		kind: 'table',
		title: t('Tools'),
		head: [t('Name'), t('Inputs'), t('Description')],
		rows: toolsOfFiles(manifest, { files }).map(({ name, description, inputs }) => [
			toCodeValue(name),
			toWordsValue(
				inputs.map(({ name: input, type, required }) => `${input}${required ? '' : '?'}: ${type}`).join(', '),
			),
			toWordsValue(description),
		]),
	};
}

function listCapabilityActions(capability: CatalogCapability, isTrusted: boolean | undefined): OfferedAction[] {
	const t = vscode.l10n.t;
	const { isEnabled, manifest, source } = capability;
	const on = { kind: 'capability', capability };
	const createAction = (action: PageAction, label: string, command: EditorCommandId): OfferedAction => ({
		action,
		label,
		command,
		on,
	});
	return [
		...(isEnabled ? [] : [createAction('enable', t('Enable'), 'prowess.enableCapability')]),
		...(isEnabled && manifest.userInvocable ? [createAction('run', t('Run…'), 'prowess.runCapability')] : []),
		...(isEnabled && isTrusted === false
			? [{ ...createAction('trust', t('Not trusted'), 'prowess.trustCapability'), isOn: false }]
			: []),
		...(isTrusted === true
			? [{ ...createAction('untrust', t('Trusted'), 'prowess.untrustCapability'), isOn: true }]
			: []),
		...(isEnabled ? [createAction('disable', t('Disable'), 'prowess.disableCapability')] : []),
		...(source === 'project'
			? []
			: [createAction('override', t('Override in This Project'), 'prowess.overrideCapability')]),
		createAction('openManifest', t('Open Manifest'), 'prowess.openManifest'),
	];
}
