/** A package of the marketplace, fetched and checked but not installed: what it asks for, who vouches for it, its files and its README. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import type { InstalledCapability, MarketplaceDetails } from '../../../protocol/capability/marketplace.ts';
import type { PageAction, PageBlock } from '../../../protocol/pages/capability-page.ts';
import { type PluginPart, PLUGINS_FOLDER } from '../../../protocol/capability/plugin.ts';
import type { EditorCommandId } from '../../editor/command-table.ts';
import type { CatalogCapability } from '../catalog.ts';
import { describeScope, describeSource, typeText } from '../texts/texts.ts';
import { type BuiltPage, codeFact, createFact, filesBlock, type OfferedAction, readmeBlock } from './built-page.ts';
import { describeRiskLevel, permissionsBlock } from './permission-texts.ts';

/**
 * `installed`: those of the same type and name, in their scopes. `inEffect`: capability of that type and name, wherever it
 * came from.
 */
export function packagePage(
	details: MarketplaceDetails,
	installed: readonly InstalledCapability[],
	inEffect: CatalogCapability | undefined,
): BuiltPage {
	const { listing, permissions, level, readme, files, parts, notTaken } = details;
	const install = {
		action: 'install',
		label: vscode.l10n.t('Install…'),
		command: 'prowess.installCapability',
	} as const;
	const [here] = installed;
	return {
		content: {
			title: listing.name,
			kicker: escapeToLine(`${typeText(listing.type)} ${listing.version}`),
			summary: escapeToLine(listing.description),
			blocks: [
				createPackageFacts(details, installed),
				listing.type === PLUGINS_FOLDER ? partsBlock(parts, notTaken) : permissionsBlock(permissions, level),
				...(readme === null ? [] : [readmeBlock(readme)]),
				filesBlock(files, false),
			],
		},
		actions:
			here === undefined
				? [{ ...install, on: { kind: 'offer', listing } }]
				: [...listRunActions(inEffect, here), ...packageActions(here, listing.version)],
	};
}

/** Offers to run what is installed and enabled. */
function listRunActions(inEffect: CatalogCapability | undefined, { path }: InstalledCapability): OfferedAction[] {
	return inEffect?.path === path && inEffect.isEnabled && inEffect.manifest.userInvocable
		? [
				{
					action: 'run',
					label: vscode.l10n.t('Run…'),
					command: 'prowess.runCapability',
					on: { kind: 'capability', capability: inEffect },
				},
			]
		: [];
}

/**
 * Returns the actions for an installed package. `newest`: version that the index offers; undefined when it was not
 * looked up.
 */
export function packageActions(installed: InstalledCapability, newest: string | undefined): OfferedAction[] {
	const t = vscode.l10n.t;
	const { version, isEnabled, previousVersion } = installed;
	const on = { kind: 'package', installed, update: undefined };
	const createAction = (action: PageAction, label: string, command: EditorCommandId): OfferedAction => ({
		action,
		label,
		command,
		on,
	});
	const state = isEnabled
		? createAction('disable', t('Disable'), 'prowess.disableCapability')
		: createAction('enable', t('Enable'), 'prowess.enableCapability');
	return [
		...(newest === version ? [] : [createAction('update', t('Update…'), 'prowess.updateCapability')]),
		// The page of the capability offers this by itself.
		...(newest === undefined ? [] : [state]),
		...(previousVersion === null ? [] : [createAction('rollBack', t('Roll Back'), 'prowess.rollBackCapability')]),
		createAction('uninstall', t('Uninstall…'), 'prowess.uninstallCapability'),
	];
}

function createPackageFacts(
	{ listing, level, permissions, parts, contentHash, sha256 }: MarketplaceDetails,
	installed: readonly InstalledCapability[],
): PageBlock {
	const t = vscode.l10n.t;
	return {
		kind: 'facts',
		rows: [
			...(listing.installed['built-in'] === undefined
				? []
				: [createFact(t('Installed'), `${listing.installed['built-in']} · ${describeSource('built-in')}`)]),
			...installed.map(({ version, scope, isEnabled }) =>
				createFact(
					t('Installed'),
					[version, describeScope(scope), isEnabled ? t('enabled') : t('disabled')].join(' · '),
				),
			),
			createFact(t('Versions'), listing.versions.join(', ')),
			...(permissions.length + parts.length === 0 ? [] : [createFact(t('In short'), describeRiskLevel(level))]),
			createFact(t('Author'), listing.author ?? t('not named')),
			...(listing.tags.length === 0 ? [] : [createFact(t('Tags'), listing.tags.join(', '))]),
			createFact(t('Index'), listing.index),
			codeFact(t('Index address'), listing.location),
			listing.signedBy === null
				? createFact(t('Signed by'), t('not signed'))
				: codeFact(t('Signed by'), listing.signedBy),
			codeFact(t('Content (sha256)'), contentHash),
			codeFact(t('Archive (sha256)'), sha256),
		],
	};
}

/** Everything that a plugin brings, on its page: what runs on this machine with its command line. */
function partsBlock(parts: readonly PluginPart[], notTaken: readonly string[]): PageBlock {
	const t = vscode.l10n.t;
	return {
		kind: 'terms',
		title: t('Brings'),
		rows: [
			...parts.map(({ kind, name, says, runs }) => ({
				term: escapeToLine(`${kind} ${name}`),
				meaning: escapeToLine(
					kind === 'hook' || kind === 'server' ? says : runs ? t('{0} (with scripts)', says) : says,
				),
				isRefused: false,
			})),
			...notTaken.map((what) => ({ term: escapeToLine(what), meaning: t('not taken'), isRefused: true })),
		],
		none: t('None.'),
	};
}
