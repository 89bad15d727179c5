/** The view *Marketplace*: what is installed from it and how it stands, what it offers, and which index could not be read. */
import * as vscode from 'vscode';
import { assertNever } from '../../../base/assert-never.ts';
import type {
	AvailableUpdate,
	IndexState,
	InstalledCapability,
	MarketplaceListing,
	MarketplaceQuery,
} from '../../../protocol/marketplace.ts';
import type { TrustedBase } from '../../../capability-host/trusted-base.ts';
import { PLUGINS_FOLDER } from '../../../protocol/plugin.ts';
import { compareVersions } from '../../../capability-host/catalog/marketplace/versions.ts';
import { MARKETPLACE_VIEW } from '../../command-table.ts';
import { withProgress, withViewProgress } from '../../notices/notices.ts';
import { ChangingTree } from '../../views/changing-tree.ts';
import { plainText } from '../texts/markdown-text.ts';
import { groupLabel, iconOfType, scopeText, sourceText, typeText } from '../texts/texts.ts';

type MarketplaceNode =
	| {
			readonly kind: 'group';
			readonly group: 'packages' | 'offers' | 'problems';
			readonly children: readonly MarketplaceNode[];
			/** Of what is offered: only what was asked for. */
			readonly query: Query;
	  }
	/** One that is installed. */
	| { readonly kind: 'package'; readonly installed: InstalledCapability; readonly update: AvailableUpdate | undefined }
	| { readonly kind: 'offer'; readonly listing: MarketplaceListing }
	| { readonly kind: 'index'; readonly index: IndexState };

type Query = Omit<MarketplaceQuery, 'refresh'>;
type Group = MarketplaceNode & { readonly kind: 'group' };

export class MarketplaceTree extends ChangingTree<MarketplaceNode> {
	readonly #base: () => Promise<TrustedBase>;
	readonly #isTrusted: () => boolean;
	#query: Query = {};
	#isReadAgain = false;
	/** Aborts when the user cancels what `show` waits for. */
	#reading: AbortSignal | undefined;
	readonly #closing = new AbortController();
	#groupsBefore: Group[] = [];

	constructor(isTrusted: () => boolean, base: () => Promise<TrustedBase>) {
		super();
		this.#isTrusted = isTrusted;
		this.#base = base;
	}

	get query(): Query {
		return this.#query;
	}

	/**
	 * Shows what it asks for from now on. With `refresh`, the indexes are read again, once. Resolves when it is shown; where
	 * the user cancels it, what was shown before stays.
	 */
	async show({ refresh, ...query }: MarketplaceQuery): Promise<void> {
		this.#query = query;
		this.#isReadAgain ||= refresh === true;
		await withViewProgress(MARKETPLACE_VIEW, () =>
			withProgress(vscode.l10n.t('Reading the marketplace'), async (signal) => {
				this.#reading = signal;
				try {
					await this.refresh();
				} finally {
					this.#reading = undefined;
				}
			}),
		);
	}

	protected async makeRows(): Promise<MarketplaceNode[]> {
		// What was asked for and is not there is said; where nothing was, the view itself says what to do.
		return this.#isTrusted()
			? (await this.#groups()).filter(
					({ group, children, query }) => children.length > 0 || (group === 'offers' && isNarrow(query)),
				)
			: [];
	}

	protected rowsBelow(node: MarketplaceNode): readonly MarketplaceNode[] {
		return node.kind === 'group' ? node.children : [];
	}

	getTreeItem(node: MarketplaceNode): vscode.TreeItem {
		switch (node.kind) {
			case 'group':
				return groupItem(node);
			case 'package':
				return packageItem(node);
			case 'offer':
				return offerItem(node);
			case 'index':
				return indexItem(node.index);
			default:
				return assertNever(node);
		}
	}

	override dispose(): void {
		this.#closing.abort(new vscode.CancellationError());
		super.dispose();
	}

	async #groups(): Promise<Group[]> {
		const signal = this.#reading ?? this.#closing.signal;
		try {
			this.#groupsBefore = await this.#readGroups(signal);
		} catch (error) {
			if (!signal.aborted) {
				throw error;
			}
		}
		return this.#groupsBefore;
	}

	async #readGroups(signal: AbortSignal): Promise<Group[]> {
		const query = this.#query;
		const refresh = this.#isReadAgain;
		this.#isReadAgain = false;
		const { marketplace } = await this.#base();
		const { items, indexes } = await marketplace.search({ ...query, refresh }, signal);
		const [installed, updates] = await Promise.all([marketplace.installed(), marketplace.outdated(signal)]);
		const updateOf = ({ type, name, scope }: InstalledCapability) =>
			updates.find((update) => update.type === type && update.name === name && update.scope === scope);
		return [
			{
				kind: 'group',
				group: 'packages',
				query,
				children: installed
					.filter(({ type }) => query.type === undefined || type === query.type)
					.map((each) => ({ kind: 'package' as const, installed: each, update: updateOf(each) })),
			},
			{
				kind: 'group',
				group: 'offers',
				query,
				children: items.map((listing) => ({ kind: 'offer' as const, listing })),
			},
			{
				kind: 'group',
				group: 'problems',
				query,
				children: indexes
					.filter(({ problems }) => problems.length > 0)
					.map((index) => ({ kind: 'index' as const, index })),
			},
		];
	}
}

function isNarrow(query: Query): boolean {
	return askedFor(query).length > 0;
}

/** Each thing that it asks for, as it is shown. */
function askedFor({ text, type, scripts, permission }: Query): string[] {
	return [
		...(text === undefined ? [] : [`“${text}”`]),
		...(type === undefined ? [] : [type]),
		...(scripts === true ? [vscode.l10n.t('holds scripts')] : []),
		...(permission === undefined ? [] : [permission]),
	];
}

function groupItem({ group, children, query }: Group): vscode.TreeItem {
	const labels = {
		packages: vscode.l10n.t('Installed'),
		offers: vscode.l10n.t('Available'),
		problems: vscode.l10n.t('Indexes with Problems'),
	};
	const icons = { packages: 'package', offers: 'cloud', problems: 'warning' };
	const item = new vscode.TreeItem(labels[group], vscode.TreeItemCollapsibleState.Expanded);
	item.id = group;
	const asked = group === 'offers' ? askedFor(query) : [];
	item.description = [String(children.length), ...asked].join(' · ');
	item.iconPath = new vscode.ThemeIcon(icons[group]);
	item.accessibilityInformation = groupLabel([labels[group], ...asked].join(' '), children.length);
	return item;
}

function packageItem(node: MarketplaceNode & { readonly kind: 'package' }): vscode.TreeItem {
	const { installed, update } = node;
	const { name, type, version, scope, folder, isEnabled, isModified, previousVersion } = installed;
	const item = new vscode.TreeItem(name);
	item.id = `package.${scope}.${folder ?? ''}.${type}/${name}`;
	item.description = [
		isEnabled ? vscode.l10n.t('enabled') : vscode.l10n.t('disabled'),
		version,
		...(update === undefined ? [] : [vscode.l10n.t('Update available: {0}', update.to)]),
		scopeText(scope),
		...(isModified ? [vscode.l10n.t('changed since')] : []),
	].join(' · ');
	item.iconPath = new vscode.ThemeIcon(
		isEnabled ? iconOfType(type) : 'circle-slash',
		update === undefined ? undefined : new vscode.ThemeColor('list.warningForeground'),
	);
	item.contextValue = [
		'package',
		isEnabled ? 'on' : 'off',
		...(type === PLUGINS_FOLDER ? ['plugin'] : []),
		...(update === undefined ? [] : ['update']),
		...(previousVersion === null ? [] : ['previous']),
	].join('.');
	item.tooltip = tooltipOf(
		installed.permissions,
		installed.level,
		`${typeText(type)} ${name} ${version}`,
		installed.path,
	);
	item.command = showCommand(node);
	item.accessibilityInformation = { label: `${typeText(type)} ${name}, ${item.description}` };
	return item;
}

function offerItem(node: MarketplaceNode & { readonly kind: 'offer' }): vscode.TreeItem {
	const { name, type, version, description, index, signedBy, installed, permissions, level } = node.listing;
	const shipped = installed['built-in'];
	const isNewer = shipped !== undefined && compareVersions(version, shipped) > 0;
	const isThere = installed.global !== undefined || installed.project !== undefined;
	const state = isThere
		? vscode.l10n.t('installed')
		: isNewer
			? vscode.l10n.t('newer than the built-in {0}', shipped)
			: shipped === undefined
				? undefined
				: sourceText('built-in');
	const item = new vscode.TreeItem(name);
	item.id = `offer.${node.listing.location}.${type}/${name}`;
	item.description = [
		`${typeText(type)} ${version}`,
		...(state === undefined ? [] : [state]),
		...(signedBy === null ? [] : [vscode.l10n.t('signed')]),
		description,
	].join(' · ');
	item.iconPath = new vscode.ThemeIcon(iconOfType(type));
	// What came with Prowess is worth installing when it is newer.
	item.contextValue = isThere || (shipped !== undefined && !isNewer) ? 'offer.installed' : 'offer';
	item.tooltip = tooltipOf(permissions, level, `${typeText(type)} ${name} ${version} (${index})`, description);
	item.command = showCommand(node);
	item.accessibilityInformation = { label: `${name}, ${item.description}` };
	return item;
}

function indexItem({ name, location, problems }: IndexState): vscode.TreeItem {
	const item = new vscode.TreeItem(name);
	item.description = `${problems.slice(0, 3).join('; ')}${problems.length > 3 ? ' …' : ''}`;
	item.tooltip = [location, ...problems].join('\n');
	item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
	item.accessibilityInformation = { label: vscode.l10n.t('{0} has a problem: {1}', name, problems.join('; ')) };
	return item;
}

function tooltipOf(
	permissions: readonly string[],
	level: string | undefined,
	title: string,
	more: string,
): vscode.MarkdownString {
	const rights = permissions.length === 0 ? vscode.l10n.t('none') : permissions.join(', ');
	const lines = [
		`**${plainText(title)}**`,
		plainText(more),
		...(level === undefined ? [] : [`${vscode.l10n.t('Level')}: ${level}`]),
		`${vscode.l10n.t('Permissions')}: ${plainText(rights)}`,
	];
	return new vscode.MarkdownString(lines.join('\n\n'));
}

function showCommand(node: MarketplaceNode): vscode.Command {
	return { command: 'prowess.showPackage', title: vscode.l10n.t('Show Package'), arguments: [node] };
}
