/** All there is to know of one capability: what it is, where it comes from, what it asks for, its inputs, its files and its README. */
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import type { CapabilityFiles } from '../../../catalog/capability-files.ts';
import type { InstalledCapability as InstalledPackage } from '../../../protocol/marketplace.ts';
import type { PageAction, PageBlock } from '../../../protocol/pages/capability-page.ts';
import type { CommandId } from '../../editor/command-table.ts';
import { sentenceOf } from '../../notices/user-message.ts';
import type { InstalledCapability } from '../catalog.ts';
import { described } from '../texts/described.ts';
import { sourceText, problemLine } from '../texts/texts.ts';
import {
	type BuiltPage,
	code,
	codeFact,
	fact,
	filesBlock,
	line,
	type OfferedAction,
	readmeBlock,
	words,
} from './built-page.ts';
import { packageActions } from './package-page.ts';
import { levelText, permissionsBlock } from './permission-texts.ts';

interface CapabilityFacts {
	readonly capability: InstalledCapability;
	/** True when the user has consented to its content; undefined: this cannot be told, or no consent is asked for. */
	readonly isTrusted: boolean | undefined;
	/** Where it came from, when that is the marketplace. */
	readonly installed: InstalledPackage | undefined;
}

export async function capabilityPage({ capability, isTrusted, installed }: CapabilityFacts): Promise<BuiltPage> {
	const { manifest, path, warnings } = capability;
	const read = await readFiles(path);
	const files = read instanceof Error ? [] : read.files;
	// A command is one file, read as the SKILL.md it stands for.
	const { type } = await vscode.workspace.fs.stat(vscode.Uri.file(path)).then(undefined, () => ({ type: 0 }));
	const isOneFile = (type & vscode.FileType.File) !== 0;
	const placeOf = (file: string) => (isOneFile ? basename(path) : file);
	const paths = new Set(files.map((file) => placeOf(file.path)));
	const readme = readmeOf(files);
	return {
		content: {
			title: manifest.name,
			kicker: line(`${manifest.type} ${manifest.version}`),
			summary: line(described(capability.source, manifest.description)),
			blocks: [
				...(read instanceof Error ? [problem(sentenceOf(read))] : []),
				...warnings.map((warning): PageBlock => {
					const place = paths.has(warning.file) ? { place: { path: warning.file, line: warning.line } } : {};
					return { kind: 'problem', severity: 'warning', text: line(problemLine(warning)), ...place };
				}),
				factsOf(capability, isTrusted, read instanceof Error ? undefined : read.hash),
				permissionsBlock(manifest.permissions, manifest.level, manifest.allowedTools),
				...(manifest.inputs.length === 0 ? [] : [inputsOf(capability)]),
				...(manifest.runtime === undefined ? [] : [await toolsBlock(manifest, files)]),
				...(readme === undefined ? [] : [readmeBlock(readme)]),
				filesBlock(
					files.map((file) => ({ path: placeOf(file.path), bytes: file.bytes.byteLength })),
					true,
				),
			],
		},
		actions: [
			...actionsOf(capability, isTrusted),
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

function readmeOf(files: CapabilityFiles['files']): string | undefined {
	const file = files.find(({ path }) => /^readme\.md$/i.test(path)) ?? files.find(({ path }) => path === 'SKILL.md');
	return file?.bytes.toString('utf8');
}

function problem(text: string): PageBlock {
	return { kind: 'problem', severity: 'error', text };
}

function factsOf(
	{ manifest, path, source, shadows, isEnabled }: InstalledCapability,
	isTrusted: boolean | undefined,
	hash: string | undefined,
): PageBlock {
	const t = vscode.l10n.t;
	const trust = isTrusted === undefined ? [] : [fact(t('Trust'), trustText(isTrusted))];
	return {
		kind: 'facts',
		rows: [
			fact(t('State'), isEnabled ? t('enabled') : t('disabled')),
			fact(t('Source'), sourceText(source)),
			...shadows.map((place) => fact(t('Overrides'), `${sourceText(place.source)}, ${place.path}`)),
			...(manifest.author === undefined ? [] : [fact(t('Author'), manifest.author)]),
			fact(t('Level'), `${manifest.level}: ${levelText(manifest.level)}`),
			...trust,
			...(manifest.provides.length === 0 ? [] : [fact(t('Provides'), manifest.provides.join(', '))]),
			...(manifest.modelInvocable ? [] : [fact(t('Started by'), t('people only, not models'))]),
			...(manifest.license === undefined ? [] : [fact(t('License'), manifest.license)]),
			...(manifest.compatibility === undefined ? [] : [fact(t('Needs'), manifest.compatibility)]),
			...Object.entries(manifest.metadata ?? {}).map(([key, text]) => fact(t('Metadata'), `${key}: ${text}`)),
			codeFact(t('Folder'), path),
			...(hash === undefined ? [] : [codeFact(t('Content (sha256)'), hash)]),
		],
	};
}

function trustText(isTrusted: boolean): string {
	return isTrusted ? vscode.l10n.t('trusted until its files change') : vscode.l10n.t('asks before it runs');
}

function inputsOf({ manifest, source }: InstalledCapability): PageBlock {
	const t = vscode.l10n.t;
	return {
		kind: 'table',
		title: t('Inputs'),
		head: [t('Name'), t('Type'), t('Required'), t('Default'), t('Description')],
		rows: manifest.inputs.map(({ name, type, required, default: value, description }) => [
			code(name),
			words(type),
			words(required ? t('yes') : ''),
			value === undefined ? words('') : code(JSON.stringify(value)),
			words(described(source, description ?? '')),
		]),
	};
}

/** Builds the table of the tools that can be called, with their inputs. */
async function toolsBlock(
	manifest: InstalledCapability['manifest'],
	files: CapabilityFiles['files'],
): Promise<PageBlock> {
	const t = vscode.l10n.t;
	const { toolsOfFiles } = await import('../../../catalog/tools-of-files.ts');
	return {
		kind: 'table',
		title: t('Tools'),
		head: [t('Name'), t('Inputs'), t('Description')],
		rows: toolsOfFiles(manifest, { files }).map(({ name, description, inputs }) => [
			code(name),
			words(inputs.map(({ name: input, type, required }) => `${input}${required ? '' : '?'}: ${type}`).join(', ')),
			words(description),
		]),
	};
}

function actionsOf(capability: InstalledCapability, isTrusted: boolean | undefined): OfferedAction[] {
	const t = vscode.l10n.t;
	const { isEnabled, manifest, source } = capability;
	const on = { kind: 'capability', capability };
	const offer = (action: PageAction, label: string, command: CommandId): OfferedAction => ({
		action,
		label,
		command,
		on,
	});
	return [
		...(isEnabled ? [] : [offer('enable', t('Enable'), 'prowess.enableCapability')]),
		...(isEnabled && manifest.userInvocable ? [offer('run', t('Run…'), 'prowess.runCapability')] : []),
		...(isEnabled && isTrusted === false
			? [{ ...offer('trust', t('Not trusted'), 'prowess.trustCapability'), isOn: false }]
			: []),
		...(isTrusted === true ? [{ ...offer('untrust', t('Trusted'), 'prowess.untrustCapability'), isOn: true }] : []),
		...(isEnabled ? [offer('disable', t('Disable'), 'prowess.disableCapability')] : []),
		...(source === 'project' ? [] : [offer('override', t('Override in This Project'), 'prowess.overrideCapability')]),
		offer('openManifest', t('Open Manifest'), 'prowess.openManifest'),
	];
}
