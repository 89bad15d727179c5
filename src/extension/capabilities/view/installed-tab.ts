/** The tab *Installed*: capabilities by type, each with its state and what can be done with it; what cannot be used; executors. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import { type CapabilityItem, errorsInWords } from '../../../catalog/registry/items.ts';
import type {
	AvailableUpdate,
	InstalledCapability as InstalledPackage,
} from '../../../protocol/capability/marketplace.ts';
import { PLUGINS_FOLDER } from '../../../protocol/capability/plugin.ts';
import type { CatalogCapability, CatalogList, ListedExecutor } from '../catalog.ts';
import { translatePortText } from '../pages/permission-texts.ts';
import {
	describeScope,
	describeSource,
	iconOfType,
	overrideText,
	pluralOfType,
	problemLine,
	sentenceOfType,
	translateDescription,
} from '../texts/texts.ts';
import {
	type BuiltRow,
	type BuiltSection,
	type BuiltTab,
	createActionFactory,
	createTabBadge,
	problemRow,
	type TabAction,
} from './built-tab.ts';

interface InstalledFacts {
	readonly listed: CatalogList;
	/** Folders of those that run without a question. */
	readonly trusted: ReadonlySet<string>;
	readonly packages: readonly InstalledPackage[];
	/** Updates found by the last look; a package that was not looked up has none. */
	readonly updates: readonly AvailableUpdate[];
}

/** A capability of the catalogue, or a package that is none or does not take effect. */
interface InstalledTabEntry {
	readonly type: string;
	/** Among those of its type: the project's first, then the user's, what is built in last. */
	readonly place: number;
	readonly row: BuiltRow;
}

const SHOWN_SOURCES: readonly CatalogCapability['source'][] = ['project', 'global', 'built-in'];

/** Types that every user has come first, in this order; plugins come last. */
const CAPABILITY_TYPE_ORDER = ['skill', 'power', 'talent'];

export function installedTab({ listed, trusted, packages, updates }: InstalledFacts): BuiltTab {
	const { capabilities, broken, executors, problems } = listed;
	const paths = new Set(capabilities.map(({ path }) => path));
	const findUpdate = ({ type, name, scope }: InstalledPackage) =>
		updates.find((update) => update.type === type && update.name === name && update.scope === scope);
	const entries: InstalledTabEntry[] = [
		...capabilities.map((capability) => {
			const installed = packages.find(({ path }) => path === capability.path);
			const update = installed === undefined ? undefined : findUpdate(installed);
			const isTrusted = capability.source === 'built-in' || trusted.has(capability.path);
			const place = SHOWN_SOURCES.indexOf(capability.source);
			return {
				type: capability.manifest.type,
				place,
				row: capabilityRow({ capability, isTrusted, installed, update }),
			};
		}),
		...packages
			.filter(({ path }) => !paths.has(path))
			.map((installed) => ({
				type: installed.type,
				place: SHOWN_SOURCES.length,
				row: packageRow(installed, findUpdate(installed)),
			})),
	];
	const bad: BuiltRow[] = [...broken.map(brokenRow), ...problems.map((problem) => problemRow(problem, 'error'))];
	const count = updates.length;
	const updated = count === 1 ? vscode.l10n.t('1 update') : vscode.l10n.t('{0} updates', count);
	const failed = bad.length === 1 ? vscode.l10n.t('1 problem') : vscode.l10n.t('{0} problems', bad.length);
	const badge = createTabBadge([count, updated], [bad.length, failed]);
	return {
		sections: [...problemSection(bad), ...byType(entries), executorSection(executors.map(executorRow))],
		actions: [],
		empty: {
			text: vscode.l10n.t('Capabilities extend what you and the agent can do: skills, powers and talents.'),
			actions: [{ command: 'prowess.newCapability', label: vscode.l10n.t('New Capability…'), icon: 'new-folder' }],
		},
		...(badge === undefined ? {} : { badge }),
	};
}

function byType(entries: readonly InstalledTabEntry[]): BuiltSection[] {
	const groups = Map.groupBy(entries, ({ type }) => type);
	const rankType = (type: string) =>
		type === PLUGINS_FOLDER ? CAPABILITY_TYPE_ORDER.length + 1 : (CAPABILITY_TYPE_ORDER.indexOf(type) + 1 || 4) - 1;
	const types = [...groups.keys()].toSorted((a, b) => rankType(a) - rankType(b) || a.localeCompare(b, 'en'));
	return types.map((type) => ({
		id: `type.${type}`,
		title: pluralOfType(type),
		sentence: sentenceOfType(type),
		rows: (groups.get(type) ?? []).toSorted((a, b) => a.place - b.place).map(({ row }) => row),
		isClosedAtFirst: false,
	}));
}

function problemSection(rows: readonly BuiltRow[]): BuiltSection[] {
	const sentence = vscode.l10n.t('These cannot be used until their manifest is right.');
	return rows.length === 0
		? []
		: [{ id: 'problems', title: vscode.l10n.t('Problems'), sentence, rows, isClosedAtFirst: false }];
}

function executorSection(rows: readonly BuiltRow[]): BuiltSection {
	const sentence = vscode.l10n.t('Programs that run the capabilities of a type, each run in a process of its own.');
	return { id: 'executors', title: vscode.l10n.t('Executors'), sentence, rows, isClosedAtFirst: true };
}

interface CapabilityRowFacts {
	readonly capability: CatalogCapability;
	readonly isTrusted: boolean;
	/** Where it came from the marketplace. */
	readonly installed: InstalledPackage | undefined;
	readonly update: AvailableUpdate | undefined;
}

function capabilityRow({ capability, isTrusted, installed, update }: CapabilityRowFacts): BuiltRow {
	const t = vscode.l10n.t;
	const { manifest, path, source, overrides, isEnabled, warnings } = capability;
	const { name, type, version, description, userInvocable } = manifest;
	const on = { kind: 'capability', capability };
	const isOurs = source === 'built-in';
	const act = createActionFactory(on);
	return {
		// Several disabled capabilities may share one name, so their ids also hold the path.
		id: `capability.${type}/${name}${isEnabled ? '' : `:${path}`}`,
		name: escapeToLine(name),
		icon: isEnabled ? iconOfType(type) : 'circle-slash',
		isBusy: false,
		isQuiet: !isEnabled,
		description: escapeToLine(translateDescription(source, description)),
		facts: [
			...(isEnabled ? [] : [t('disabled')]),
			describeSource(source),
			...(overrides.length === 0 ? [] : [overrideText(overrides)]),
			escapeToLine(version),
			...(installed?.isModified === true ? [t('changed since')] : []),
			...(isTrusted && !isOurs ? [t('trusted')] : []),
		],
		marks: [
			...(update === undefined ? [] : [updateMark(update)]),
			...(isEnabled && !isTrusted ? [{ kind: 'consent' as const, text: t('Asks before it runs') }] : []),
			...warnings.map((warning) => ({ kind: 'warning' as const, text: escapeToLine(problemLine(warning)) })),
		],
		parts: [],
		opens: { command: 'prowess.showCapability', on, label: t('Show Capability') },
		buttons: [
			...(update === undefined ? [] : [act('prowess.updateCapability', t('Update…'), 'arrow-up')]),
			...(isEnabled && userInvocable ? [act('prowess.runCapability', t('Run…'), 'play')] : []),
			...(isEnabled ? [] : [act('prowess.enableCapability', t('Enable'), 'circle-large-outline')]),
		],
		menu: [
			...(isEnabled ? [act('prowess.disableCapability', t('Disable'), 'circle-slash')] : []),
			...(isOurs || !isEnabled
				? []
				: isTrusted
					? [act('prowess.untrustCapability', t('Withdraw Trust'), 'unverified')]
					: [act('prowess.trustCapability', t('Trust…'), 'verified')]),
			...(source === 'project' ? [] : [act('prowess.overrideCapability', t('Override in This Project'), 'copy')]),
			act('prowess.openManifest', t('Open Manifest'), 'go-to-file'),
			...(installed === undefined ? [] : packageMenu(installed, update)),
		],
	};
}

function updateMark({ to }: AvailableUpdate): BuiltRow['marks'][number] {
	return { kind: 'update', text: vscode.l10n.t('Update available: {0}', escapeToLine(to)) };
}

/** A plugin, or a package that another capability overrides. */
function packageRow(installed: InstalledPackage, update: AvailableUpdate | undefined): BuiltRow {
	const t = vscode.l10n.t;
	const { name, type, version, scope, folder, isEnabled, isModified } = installed;
	const on = { kind: 'package', installed, update };
	const isPlugin = type === PLUGINS_FOLDER;
	const act = createActionFactory(on);
	return {
		id: `package.${scope}.${folder ?? ''}.${type}/${name}`,
		name: escapeToLine(name),
		icon: isEnabled ? iconOfType(type) : 'circle-slash',
		isBusy: false,
		isQuiet: !isEnabled || !isPlugin,
		description: '',
		facts: [
			...(isEnabled ? [] : [t('disabled')]),
			describeScope(scope),
			...(isPlugin || !isEnabled ? [] : [t('overridden')]),
			escapeToLine(version),
			...(isModified ? [t('changed since')] : []),
		],
		marks: update === undefined ? [] : [updateMark(update)],
		parts: [],
		opens: { command: 'prowess.showPackage', on, label: t('Show Package') },
		buttons: [
			...(update === undefined ? [] : [act('prowess.updateCapability', t('Update…'), 'arrow-up')]),
			...(isEnabled ? [] : [act('prowess.enableCapability', t('Enable'), 'circle-large-outline')]),
		],
		menu: [
			...(isEnabled ? [act('prowess.disableCapability', t('Disable'), 'circle-slash')] : []),
			...packageMenu(installed, update),
		],
	};
}

function packageMenu(installed: InstalledPackage, update: AvailableUpdate | undefined): TabAction[] {
	const t = vscode.l10n.t;
	const on = { kind: 'package', installed, update };
	const act = createActionFactory(on);
	return [
		...(installed.type === PLUGINS_FOLDER
			? [act('prowess.choosePluginParts', t('Choose Parts…'), 'list-selection')]
			: []),
		...(update === undefined ? [act('prowess.updateCapability', t('Check for an Update…'), 'arrow-up')] : []),
		...(installed.previousVersion === null ? [] : [act('prowess.rollBackCapability', t('Roll Back'), 'history')]),
		act('prowess.uninstallCapability', t('Uninstall…'), 'trash'),
	];
}

function brokenRow(item: CapabilityItem): BuiltRow {
	const t = vscode.l10n.t;
	const on = { kind: 'broken', item };
	return {
		id: `broken.${item.path}`,
		name: escapeToLine(`${item.type}/${item.name}`),
		icon: 'error',
		isBusy: false,
		isQuiet: false,
		description: '',
		facts: [describeSource(item.source)],
		marks: [{ kind: 'error', text: escapeToLine(errorsInWords(item, problemLine)) }],
		parts: [],
		opens: { command: 'prowess.openManifest', on, label: t('Open Manifest') },
		buttons: [{ command: 'prowess.openManifest', on, label: t('Open Manifest'), icon: 'go-to-file' }],
		menu: [],
	};
}

/** Row of an executor: the types it runs, and whether it is used. */
function executorRow(item: ListedExecutor): BuiltRow {
	const t = vscode.l10n.t;
	const { name, path, source, types, runs, manifest, overrides, overriddenBy, problems, isEnabled, own } = item;
	const on = { kind: 'executor', item };
	const isUsed = manifest !== undefined && overriddenBy === undefined && isEnabled;
	const isByPort = manifest?.channel === 'loopback';
	const act = createActionFactory(on);
	const warnings = manifest === undefined ? [] : problems;
	return {
		id: `executor.${path}`,
		name: escapeToLine(name),
		icon: manifest === undefined ? 'error' : isUsed ? 'server-process' : 'circle-slash',
		isBusy: false,
		isQuiet: !isUsed,
		description: isByPort ? translatePortText() : '',
		facts: [
			...(isEnabled ? [] : [t('disabled')]),
			describeSource(source),
			...(manifest === undefined ? [] : [typesText(types, runs), escapeToLine(manifest.version)]),
			...(overrides.length === 0 ? [] : [overrideText(overrides)]),
			...(overriddenBy === undefined ? [] : [t('overridden')]),
			...(isByPort ? [t('provided by a port')] : []),
		],
		marks: [
			...(manifest === undefined
				? [{ kind: 'error' as const, text: escapeToLine(errorsInWords(item, problemLine)) }]
				: []),
			...warnings.map((problem) => ({ kind: 'warning' as const, text: escapeToLine(problemLine(problem)) })),
		],
		parts: [],
		// Ours has no manifest to open.
		opens: own === undefined ? { command: 'prowess.openManifest', on, label: t('Open Manifest') } : undefined,
		buttons:
			own !== undefined || isEnabled ? [] : [act('prowess.enableCapability', t('Enable'), 'circle-large-outline')],
		menu: own !== undefined || !isEnabled ? [] : [act('prowess.disableCapability', t('Disable'), 'circle-slash')],
	};
}

/** Lists the types of an executor; types that a later registered executor runs instead are in parentheses. */
function typesText(types: readonly string[], runs: readonly string[]): string {
	return types.map((type) => (runs.includes(type) ? type : `(${type})`)).join(', ');
}
