/** Implements the commands of the marketplace. An installed package stays disabled until the user enables it. */
import * as vscode from 'vscode';
import { isObjectValue } from '../../../base/text/lenient.ts';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import type { CapabilityLocation } from '../../../catalog/registry/sources/capability-source.ts';
import {
	type CapabilityRef,
	type InstalledCapability,
	type InstallScope,
	type MarketplaceDetails,
	type MarketplaceListing,
	type MarketplaceSearch,
	type UpdateDiff,
} from '../../../protocol/capability/marketplace.ts';
import { PLUGINS_FOLDER } from '../../../protocol/capability/plugin.ts';
import type { RiskLevel } from '../../../protocol/ops/risk.ts';
import { isNodeOfKind } from '../../editor/changing-tree.ts';
import type { MarketplaceCommandId } from '../../editor/command-table.ts';
import { askInDialog, confirmLoss, confirmLossBy, inform, pickOrInform, withProgress } from '../../notices/notices.ts';
import type { EditorSettings } from '../../ports/settings-port.ts';
import type { CapabilityPages } from '../pages/capability-pages.ts';
import { describePermissions, describeRiskLevel } from '../pages/permission-texts.ts';
import { sizeText } from '../../../base/text/measures.ts';
import { pickText } from '../texts/value-texts.ts';
import type { CapabilitiesSideView } from '../view/capabilities-view.ts';
import type { KnownUpdates } from '../view/known-updates.ts';
import { chooseParts, findNodePackage, installedRef, tellOfHooks } from './plugin-parts.ts';
import { describeScope, partTexts, typeText } from '../texts/texts.ts';

interface MarketplaceCommandPorts {
	base(): Promise<TrustedBase>;
	readonly settings: EditorSettings;
	readonly view: Pick<CapabilitiesSideView, 'reveal' | 'refresh'>;
	readonly updates: Pick<KnownUpdates, 'lookAgain'>;
	readonly pages: CapabilityPages;
	hasFolder(): boolean;
}

export type MarketplaceCommands = { readonly [C in MarketplaceCommandId]: (...given: unknown[]) => Promise<void> };

export function createMarketplaceCommands(ports: MarketplaceCommandPorts): MarketplaceCommands {
	const { view, pages } = ports;
	const onInstalled = async (
		node: unknown,
		title: string,
		act: (base: TrustedBase, installed: InstalledCapability) => Promise<unknown>,
	) => {
		const base = await ports.base();
		const installed = findNodePackage(node) ?? (await installedAt(base, node)) ?? (await pickInstalled(base, title));
		if (installed !== undefined) {
			await act(base, installed);
		}
	};
	return {
		'prowess.searchMarketplace': () => view.reveal('marketplace', true),
		'prowess.refreshMarketplace': async () => {
			await readAgain(ports);
			pages.refresh('package');
		},
		'prowess.addIndex': (node) => addIndex(ports, locationIn(node)),
		'prowess.showPackage': async (node) => {
			const ref = listingIn(node) ?? findNodePackage(node);
			if (ref !== undefined) {
				// The page looks up what can be installed or updated each time it is made, so the name is enough here.
				pages.show({ kind: 'package', of: JSON.stringify(toUnversionedRef(ref)), title: ref.name });
			}
		},
		'prowess.installCapability': async (node) => {
			const listing = listingIn(node) ?? (await pickListing(await ports.base()));
			if (listing !== undefined) {
				await installListing(ports, listing);
			}
		},
		'prowess.updateCapability': (node) =>
			onInstalled(node, vscode.l10n.t('Update Capability'), (base, installed) => updatePackage(base, installed)),
		'prowess.rollBackCapability': (node) => onInstalled(node, vscode.l10n.t('Roll Back Capability'), rollBackPackage),
		'prowess.choosePluginParts': (node) =>
			onInstalled(node, vscode.l10n.t('Choose Parts of a Plugin'), (base, installed) => chooseParts(base, installed)),
		'prowess.uninstallCapability': (node) =>
			onInstalled(node, vscode.l10n.t('Uninstall Capability'), (base, installed) => uninstallPackage(base, installed)),
	};
}

/** Address of the index that a row offers to add; undefined without one. */
function locationIn(node: unknown): string | undefined {
	return isObjectValue(node) && typeof node['location'] === 'string' ? node['location'] : undefined;
}

async function addIndex(ports: MarketplaceCommandPorts, offered: string | undefined): Promise<void> {
	const { settings, view } = ports;
	const known = settings.current['prowess.marketplace.indexes'];
	if (offered !== undefined && known.some((index) => index.location === offered)) return;
	const location =
		offered ??
		(await vscode.window.showInputBox({
			title: vscode.l10n.t('Add an Index'),
			prompt: vscode.l10n.t('A folder, an https address, or a Git repository'),
			placeHolder: 'https://example.org/capabilities.git',
			ignoreFocusOut: true,
			validateInput: (text) =>
				text.trim() === ''
					? vscode.l10n.t('Required.')
					: known.some((index) => index.location === text.trim())
						? vscode.l10n.t('This index is already listed.')
						: undefined,
		}));
	if (location !== undefined) {
		await settings.change('prowess.marketplace.indexes', (own) => [...own, { location: location.trim() }]);
		await view.reveal('marketplace');
		const { indexes } = await readAgain(ports);
		const added = indexes.find((index) => index.location === location.trim());
		// Whatever it offers, or why it cannot be read, is on top of the tab.
		if (added?.count === 0 && added.problems.length === 0) {
			inform(vscode.l10n.t('{0} lists no capabilities.', location.trim()));
		}
	}
}

/** Reads the indexes, whatever was read before; the user can give up one that does not answer. */
async function readAgain({ base, view, updates }: MarketplaceCommandPorts): Promise<MarketplaceSearch> {
	const { marketplace } = await base();
	const found = await withProgress(vscode.l10n.t('Reading the marketplace'), (signal) =>
		marketplace.search({ refresh: true }, signal),
	);
	view.refresh('marketplace');
	await updates.lookAgain();
	return found;
}

async function installListing(ports: MarketplaceCommandPorts, listing: MarketplaceListing): Promise<void> {
	const { marketplace } = await ports.base();
	const ref = { ...toUnversionedRef(listing), version: listing.version };
	const details = await withProgress(vscode.l10n.t('Downloading {0}', listing.name), (signal) =>
		marketplace.show(ref, signal),
	);
	const scope = await agreeTo(details, ports.hasFolder());
	if (scope === undefined) {
		return;
	}
	const { contentHash } = details;
	const installed = await withProgress(vscode.l10n.t('Installing {0}', listing.name), (signal) =>
		marketplace.install({ capability: ref, scope, contentHash }, signal),
	);
	await offerToEnable(await ports.base(), installed);
}

/** Shows what the package asks for and asks where to install it. Undefined: the user declines. */
async function agreeTo(details: MarketplaceDetails, hasFolder: boolean): Promise<InstallScope | undefined> {
	const { listing, permissions, level, files, parts, notTaken } = details;
	const t = vscode.l10n.t;
	const forYou = t('Install for You');
	const here = t('Install in This Project');
	// A level says what can be asked for, and nothing of a package that asks for nothing.
	const detail = [
		...(permissions.length + parts.length === 0 ? [] : [`${t('In short')}: ${describeRiskLevel(level)}`]),
		...(parts.length === 0
			? [`${t('Permissions')}: ${permissions.length === 0 ? t('none') : describePermissions(permissions, level)}`]
			: []),
		...partTexts(parts, notTaken),
		listing.signedBy === null ? t('Not signed') : `${t('Signed by')}: ${listing.signedBy}`,
		`${t('Index')}: ${listing.index} (${listing.location})`,
		t('Files: {0}', files.length),
		t('It stays disabled until you enable it.'),
	];
	const what = typeText(listing.type);
	const title = t('Install the {0} {1} {2}?', what, listing.name, listing.version);
	const buttons = hasFolder ? [forYou, here] : [forYou];
	const chosen = await askInDialog(title, detail, ...buttons);
	return chosen === forYou ? 'global' : chosen === here ? 'project' : undefined;
}

async function offerToEnable({ marketplace }: TrustedBase, installed: InstalledCapability): Promise<void> {
	const { name, version, type, isEnabled } = installed;
	if (isEnabled) {
		inform(vscode.l10n.t('Updated {0} to {1}.', name, version));
		return;
	}
	const enable = vscode.l10n.t('Enable');
	const text = vscode.l10n.t('Installed {0} {1}. It stays disabled until you enable it.', name, version);
	if ((await inform(text, enable)) === enable) {
		await withProgress(vscode.l10n.t('Enabling {0}', name), (signal) =>
			marketplace.setEnabled(installedRef(installed), true, signal),
		);
		if (type === PLUGINS_FOLDER) await tellOfHooks(marketplace, installed);
	}
}

async function updatePackage(base: TrustedBase, installed: InstalledCapability): Promise<void> {
	const { marketplace } = base;
	const ref = installedRef(installed);
	const preview = await withProgress(vscode.l10n.t('Downloading {0}', installed.name), (signal) =>
		marketplace.previewUpdate(ref, signal),
	);
	if (preview === undefined) {
		inform(vscode.l10n.t('{0} {1} is up to date.', installed.name, installed.version));
		return;
	}
	const { diff, contentHash, isModified } = preview;
	const go = vscode.l10n.t('Update');
	const title = vscode.l10n.t('Update {0} from {1} to {2}?', installed.name, diff.from, diff.to);
	const changed = isModified
		? [vscode.l10n.t('You changed its files. After the update, roll back to restore your changes.')]
		: [];
	const detail = [...diffLines(diff), ...changed];
	if ((await askInDialog(title, detail, go)) === go) {
		const now = await withProgress(vscode.l10n.t('Updating {0}', installed.name), (signal) =>
			marketplace.update(ref, contentHash, signal),
		);
		await offerToEnable(base, now);
	}
}

/** Lists how another version differs: permissions and level first, then files. */
function diffLines({ permissions, level, files }: UpdateDiff): string[] {
	const t = vscode.l10n.t;
	const formatList = (label: string, items: readonly string[]) =>
		items.length === 0 ? [] : [`${label}: ${items.join(', ')}`];
	const formatPermissions = (label: string, words: readonly string[], at: RiskLevel) =>
		words.length === 0 ? [] : [`${label}: ${describePermissions(words, at)}`];
	return [
		...formatPermissions(t('Added permissions'), permissions.added, level.to),
		...formatPermissions(t('Removed permissions'), permissions.removed, level.from),
		...(level.from === level.to
			? []
			: [`${t('In short')}: ${describeRiskLevel(level.to)}`, `${t('Before')}: ${describeRiskLevel(level.from)}`]),
		...formatList(t('New files'), files.added),
		...formatList(t('Changed files'), files.changed),
		...formatList(t('Removed files'), files.removed),
	];
}

async function rollBackPackage({ marketplace }: TrustedBase, installed: InstalledCapability): Promise<void> {
	const { name, version, previousVersion } = installed;
	const question =
		previousVersion === null
			? vscode.l10n.t('Roll back {0} {1}?', name, version)
			: vscode.l10n.t('Roll back {0} from {1} to {2}?', name, version, previousVersion);
	const detail = vscode.l10n.t('{0} stays on this machine: roll back again to return to it.', version);
	if (await confirmLoss(question, [detail], vscode.l10n.t('Roll Back'))) {
		const now = await withProgress(vscode.l10n.t('Rolling back {0}', name), (signal) =>
			marketplace.rollBack(installedRef(installed), signal),
		);
		inform(vscode.l10n.t('Rolled back {0} to {1}.', now.name, now.version));
	}
}

async function uninstallPackage({ marketplace }: TrustedBase, installed: InstalledCapability): Promise<void> {
	const title = vscode.l10n.t('Uninstall {0} {1}?', installed.name, installed.version);
	const ref = installedRef(installed);
	const data = await marketplace.data(ref);
	const detail = [
		installed.path,
		...(installed.isModified ? [vscode.l10n.t('You changed its files.')] : []),
		...(data === undefined ? [] : [vscode.l10n.t('It has kept {0} of data in {1}', sizeText(data.bytes), data.path)]),
	];
	const [withAll, withoutData] = [vscode.l10n.t('Uninstall and Remove Data'), vscode.l10n.t('Uninstall and Keep Data')];
	const answers = data === undefined ? [vscode.l10n.t('Uninstall')] : [withoutData, withAll];
	const answer = await confirmLossBy(title, detail, ...answers);
	if (answer !== undefined) {
		await withProgress(vscode.l10n.t('Uninstalling {0}', installed.name), (signal) =>
			marketplace.remove({ ...ref, withData: answer === withAll }, signal),
		);
	}
}

async function pickListing(base: TrustedBase): Promise<MarketplaceListing | undefined> {
	const { items: listings } = await searchAll(base);
	const items = listings.map((listing) => ({
		label: pickText(listing.name),
		description: pickText(`${typeText(listing.type)} ${listing.version} · ${listing.index}`),
		detail: pickText(listing.description),
		listing,
	}));
	const title = vscode.l10n.t('Install Capability');
	const options = { title, matchOnDescription: true, matchOnDetail: true, ignoreFocusOut: true };
	return (await vscode.window.showQuickPick(items, options))?.listing;
}

/** All that the indexes offer; an index that does not answer can be given up. */
function searchAll({ marketplace }: TrustedBase) {
	return withProgress(vscode.l10n.t('Reading the marketplace'), (signal) => marketplace.search({}, signal));
}

async function pickInstalled(base: TrustedBase, title: string): Promise<InstalledCapability | undefined> {
	const all = await base.marketplace.installed();
	const items = all.map((installed) => ({
		label: pickText(installed.name),
		description: pickText(`${typeText(installed.type)} ${installed.version} · ${describeScope(installed.scope)}`),
		installed,
	}));
	const none = vscode.l10n.t('Nothing is installed from the marketplace.');
	return (await pickOrInform(items, none, { title }))?.installed;
}

/** Whichever version is the newest of its index. */
function toUnversionedRef(of: MarketplaceListing | InstalledCapability): CapabilityRef {
	return { name: of.name, type: of.type, index: 'location' in of ? of.location : of.index };
}

function listingIn(node: unknown): MarketplaceListing | undefined {
	return isNodeOfKind<{ readonly listing: MarketplaceListing }>(node, 'offer') ? node.listing : undefined;
}

/** For a node of another view: the package in the same folder. */
async function installedAt({ marketplace }: TrustedBase, node: unknown): Promise<InstalledCapability | undefined> {
	if (!isNodeOfKind<{ readonly capability: CapabilityLocation }>(node, 'capability')) {
		return undefined;
	}
	const { path } = node.capability;
	return (await marketplace.installed()).find((each) => each.path === path);
}
