/** The tab *Marketplace*: what the indexes offer, how much of it is there already, and which index could not be read. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import { compareVersions } from '../../../catalog/marketplace/versions.ts';
import type { SettingsPort } from '../../../contract/ports/ports.ts';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import type { IndexState, MarketplaceListing, MarketplaceQuery } from '../../../protocol/capability/marketplace.ts';
import type { Catalog, CatalogCapability } from '../catalog.ts';
import { iconOfType, describeSource, translateDescription, typeText } from '../texts/texts.ts';
import { type BuiltRow, type BuiltTab, type TabAction, type TabMaker } from './built-tab.ts';

const SCRIPTS = 'scripts';
const SHELL = 'permission.shell';
const TYPE = 'type.';

export function marketplaceTab(
	base: () => Promise<TrustedBase>,
	catalog: Pick<Catalog, 'list'>,
	settings: Pick<SettingsPort, 'organisation'>,
): TabMaker {
	return async ({ search, choice }, signal) => {
		const { marketplace } = await base();
		const [{ items, indexes }, all] = await Promise.all([
			marketplace.search({ ...toMarketplaceQuery(choice), ...(search.trim() === '' ? {} : { text: search }) }, signal),
			marketplace.search({}, signal),
		]);
		const isNarrowed = search.trim() !== '' || choice !== '';
		const here = isNarrowed ? [] : (await catalog.list()).capabilities;
		return createMarketplaceTab(items, indexes, {
			types: [...new Set(all.items.map(({ type }) => type))].toSorted(),
			tried: here.filter(({ source, isEnabled }) => source === 'built-in' && isEnabled),
			collections: isNarrowed
				? []
				: publicCollections.filter(
						({ location }) =>
							!isListed(indexes, location) && settings.organisation?.refusalOfIndex(location) === undefined,
					),
		});
	};
}

function toMarketplaceQuery(choice: string): MarketplaceQuery {
	return choice === SCRIPTS
		? { scripts: true }
		: choice === SHELL
			? { permission: 'shell' }
			: choice.startsWith(TYPE)
				? { type: choice.slice(TYPE.length) }
				: {};
}

function createMarketplaceTab(
	items: readonly MarketplaceListing[],
	indexes: readonly IndexState[],
	{ types, tried, collections }: ShownBeside,
): BuiltTab {
	const t = vscode.l10n.t;
	const addIndex: TabAction = { command: 'prowess.addIndex', label: t('Add Index…'), icon: 'add' };
	const check: TabAction = { command: 'prowess.refreshMarketplace', label: t('Check for Updates'), icon: 'sync' };
	const bad = indexes.filter(({ problems }) => problems.length > 0);
	const firstTried = FIRST_TRIED.flatMap((name) => tried.filter(({ manifest }) => manifest.name === name));
	const isTriedFirst = ({ type, name }: MarketplaceListing) =>
		firstTried.some(({ manifest }) => manifest.type === type && manifest.name === name);
	const there = items.filter((item) => !canInstall(item) && !isTriedFirst(item));
	return {
		sentence: t(
			'An index lists capabilities that others publish: a folder, an https address or a Git repository. What you install stays disabled until you enable it.',
		),
		sections: [
			{
				id: 'problems',
				title: t('Indexes with Problems'),
				sentence: '',
				rows: bad.map(indexRow),
				isClosedAtFirst: false,
			},
			{
				id: 'offers',
				title: t('Available'),
				sentence: '',
				rows: items.filter(canInstall).map(offerRow),
				isClosedAtFirst: false,
			},
			{
				id: 'collections',
				title: t('Public Collections'),
				sentence: t('Nothing is requested before you add one.'),
				rows: collections.map(collectionRow),
				isClosedAtFirst: false,
			},
			{
				id: 'tryFirst',
				title: t('Try First'),
				sentence: '',
				rows: firstTried.map(firstTriedRow),
				isClosedAtFirst: false,
			},
			{
				id: 'there',
				title: t('Installed or Built In'),
				sentence: '',
				rows: there.map(offerRow),
				isClosedAtFirst: true,
			},
		],
		choices: [
			{ id: '', label: t('All types') },
			...types.map((type) => ({ id: `${TYPE}${type}`, label: escapeToLine(typeText(type)) })),
			{ id: SCRIPTS, label: t('Holds scripts') },
			{ id: SHELL, label: t('Asks to run commands') },
		],
		actions: [check, addIndex],
		empty: {
			text: t('Install capabilities from an index: a folder, an https address or a Git repository.'),
			actions: [addIndex],
		},
		isSearched: true,
	};
}

/** Built-in capabilities that read only, or ask before they run anything: a stranger sees at once what one does. */
const FIRST_TRIED: readonly string[] = ['todo-report', 'test-runner', 'code-review'];

/** Rows beside the offers while nothing is searched for. */
interface ShownBeside {
	readonly types: readonly string[];
	readonly tried: readonly CatalogCapability[];
	readonly collections: readonly PublicCollection[];
}

interface PublicCollection {
	readonly name: string;
	readonly location: string;
	readonly publisher: string;
	/** In words, as of the given month. */
	readonly holds: () => string;
	readonly about: () => string;
}

/** Known by their addresses: nothing is read of them before the user adds one. */
const publicCollections: readonly PublicCollection[] = [
	{
		name: 'anthropics/skills',
		location: 'https://github.com/anthropics/skills.git',
		publisher: 'Anthropic',
		holds: () => vscode.l10n.t('{0} skills (July 2026)', 18),
		about: () => vscode.l10n.t('Documents (Word, Excel, PowerPoint, PDF), design, web tests, MCP servers and skills'),
	},
	{
		name: 'anthropics/claude-plugins-official',
		location: 'https://github.com/anthropics/claude-plugins-official.git',
		publisher: 'Anthropic',
		holds: () => vscode.l10n.t('about {0} plugins (August 2026)', 280),
		about: () => vscode.l10n.t('Plugins of many publishers for development, security, databases and productivity'),
	},
];

function isListed(indexes: readonly IndexState[], address: string): boolean {
	const dropEnding = (location: string) =>
		location
			.replace(/#.*$/, '')
			.replace(/\.git$/, '')
			.replace(/^git\+/, '');
	return indexes.some(({ location }) => dropEnding(location) === dropEnding(address));
}

function collectionRow({ name, location, publisher, holds, about }: PublicCollection): BuiltRow {
	const t = vscode.l10n.t;
	return {
		id: `collection.${location}`,
		name,
		icon: 'repo',
		isBusy: false,
		isQuiet: false,
		description: about(),
		facts: [publisher, holds(), location],
		marks: [],
		parts: [],
		opens: undefined,
		buttons: [{ command: 'prowess.addIndex', label: t('Add'), icon: 'add', on: { location } }],
		menu: [],
	};
}

function firstTriedRow(capability: CatalogCapability): BuiltRow {
	const { type, name, description } = capability.manifest;
	const on = { kind: 'capability', capability };
	return {
		id: `first.${type}/${name}`,
		name: escapeToLine(name),
		icon: iconOfType(type),
		isBusy: false,
		isQuiet: false,
		description: escapeToLine(translateDescription(capability.source, description)),
		facts: [escapeToLine(typeText(type)), describeSource('built-in')],
		marks: [],
		parts: [],
		opens: { command: 'prowess.showCapability', on, label: vscode.l10n.t('Show Capability') },
		buttons: [{ command: 'prowess.runCapability', label: vscode.l10n.t('Run'), icon: 'play', on }],
		menu: [],
	};
}

function isInstalled({ installed }: MarketplaceListing): boolean {
	return installed.global !== undefined || installed.project !== undefined;
}

/** True when the package is not installed and, if Prowess ships it, is newer than the shipped version. */
function canInstall(listing: MarketplaceListing): boolean {
	const shipped = listing.installed['built-in'];
	return !isInstalled(listing) && (shipped === undefined || compareVersions(listing.version, shipped) > 0);
}

function offerRow(listing: MarketplaceListing): BuiltRow {
	const t = vscode.l10n.t;
	const { name, type, version, description, index, location, signedBy, installed, permissions } = listing;
	const shipped = installed['built-in'];
	const isInstallable = canInstall(listing);
	const state = isInstalled(listing)
		? [t('installed')]
		: shipped === undefined
			? []
			: isInstallable
				? [t('newer than the built-in {0}', shipped)]
				: [describeSource('built-in')];
	const on = { kind: 'offer', listing };
	return {
		id: `offer.${location}.${type}/${name}`,
		name: escapeToLine(name),
		icon: iconOfType(type),
		isBusy: false,
		isQuiet: !isInstallable,
		description: escapeToLine(description),
		facts: [
			escapeToLine(`${typeText(type)} ${version}`),
			...state,
			...(signedBy === null ? [] : [t('signed')]),
			...(permissions.length === 0 ? [] : [escapeToLine(permissions.join(', '))]),
			escapeToLine(index),
		],
		marks: [],
		parts: [],
		opens: { command: 'prowess.showPackage', on, label: t('Show Package') },
		buttons: isInstallable
			? [{ command: 'prowess.installCapability', label: t('Install…'), icon: 'cloud-download', on }]
			: [],
		menu: [],
	};
}

function indexRow({ name, location, problems }: IndexState): BuiltRow {
	return {
		id: `index.${location}`,
		name: escapeToLine(name),
		icon: 'error',
		isBusy: false,
		isQuiet: false,
		description: name === location ? '' : escapeToLine(location),
		facts: [],
		marks: problems.map((problem) => ({ kind: 'error', text: escapeToLine(problem) })),
		parts: [],
		opens: undefined,
		buttons: [],
		menu: [],
	};
}
