/** A package of the marketplace, fetched and checked but not installed: what it asks for, who vouches for it, its files and its README. */
import * as vscode from 'vscode';
import type { InstalledCapability, MarketplaceDetails } from '../../../protocol/marketplace.ts';
import type { PageAction, PageBlock } from '../../../protocol/pages/capability-page.ts';
import { PLUGINS_FOLDER } from '../../../protocol/plugin.ts';
import type { CommandId } from '../../editor/command-table.ts';
import { scopeText, sourceText, typeText } from '../texts/texts.ts';
import { type BuiltPage, codeFact, fact, filesBlock, line, type OfferedAction, readmeBlock } from './built-page.ts';
import { partsBlock } from './parts-block.ts';
import { levelText, permissionsBlock } from './permission-texts.ts';

/** `installed`: those of the same type and name, in their scopes. */
export function packagePage(details: MarketplaceDetails, installed: readonly InstalledCapability[]): BuiltPage {
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
			kicker: line(`${typeText(listing.type)} ${listing.version}`),
			summary: line(listing.description),
			blocks: [
				factsOf(details, installed),
				listing.type === PLUGINS_FOLDER ? partsBlock(parts, notTaken) : permissionsBlock(permissions, level),
				...(readme === null ? [] : [readmeBlock(readme)]),
				filesBlock(files, false),
			],
		},
		actions:
			here === undefined ? [{ ...install, on: { kind: 'offer', listing } }] : packageActions(here, listing.version),
	};
}

/**
 * Returns the actions for an installed package. `newest`: version that the index offers; undefined when it was not
 * looked up.
 */
export function packageActions(installed: InstalledCapability, newest: string | undefined): OfferedAction[] {
	const t = vscode.l10n.t;
	const { version, isEnabled, previousVersion } = installed;
	const on = { kind: 'package', installed, update: undefined };
	const offer = (action: PageAction, label: string, command: CommandId): OfferedAction => ({
		action,
		label,
		command,
		on,
	});
	const state = isEnabled
		? offer('disable', t('Disable'), 'prowess.disableCapability')
		: offer('enable', t('Enable'), 'prowess.enableCapability');
	return [
		...(newest === version ? [] : [offer('update', t('Update…'), 'prowess.updateCapability')]),
		// The page of the capability offers this by itself.
		...(newest === undefined ? [] : [state]),
		...(previousVersion === null ? [] : [offer('rollBack', t('Roll Back'), 'prowess.rollBackCapability')]),
		offer('uninstall', t('Uninstall…'), 'prowess.uninstallCapability'),
	];
}

function factsOf(
	{ listing, level, contentHash, sha256 }: MarketplaceDetails,
	installed: readonly InstalledCapability[],
): PageBlock {
	const t = vscode.l10n.t;
	return {
		kind: 'facts',
		rows: [
			...(listing.installed['built-in'] === undefined
				? []
				: [fact(t('Installed'), `${listing.installed['built-in']} · ${sourceText('built-in')}`)]),
			...installed.map(({ version, scope, isEnabled }) =>
				fact(t('Installed'), [version, scopeText(scope), isEnabled ? t('enabled') : t('disabled')].join(' · ')),
			),
			fact(t('Versions'), listing.versions.join(', ')),
			fact(t('Level'), `${level}: ${levelText(level)}`),
			fact(t('Author'), listing.author ?? t('not named')),
			...(listing.tags.length === 0 ? [] : [fact(t('Tags'), listing.tags.join(', '))]),
			fact(t('Index'), listing.index),
			codeFact(t('Index address'), listing.location),
			listing.signedBy === null ? fact(t('Signed by'), t('not signed')) : codeFact(t('Signed by'), listing.signedBy),
			codeFact(t('Content (sha256)'), contentHash),
			codeFact(t('Archive (sha256)'), sha256),
		],
	};
}
