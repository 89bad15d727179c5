/** The view *Installed*: capabilities by type, each with where it comes from and what it takes the place of; and what cannot be used. */
import * as vscode from 'vscode';
import { assertNever } from '../../../base/assert-never.ts';
import { type CapabilityItem, errorsOf } from '../../../capability-host/catalog/registry/items.ts';
import { problemText } from '../../../protocol/manifest/problem.ts';
import { ChangingTree } from '../../views/changing-tree.ts';
import type { Catalog, InstalledCapability, Listed } from '../catalog.ts';
import { plainText } from '../texts/markdown-text.ts';
import { groupLabel, iconOfType, meaningOfType, overrideText, sourceText } from '../texts/texts.ts';

type InstalledNode =
	| { readonly kind: 'type'; readonly type: string; readonly children: readonly InstalledNode[] }
	| { readonly kind: 'capability'; readonly capability: InstalledCapability; readonly trust: Trust }
	| { readonly kind: 'problems'; readonly children: readonly InstalledNode[] }
	| { readonly kind: 'broken'; readonly item: CapabilityItem }
	| { readonly kind: 'folder'; readonly problem: string };

/** Whether it asks before it runs. `ours`: it came with Prowess. */
type Trust = 'ours' | 'trusted' | 'asks';

export class InstalledTree extends ChangingTree<InstalledNode> {
	readonly #catalog: Catalog;
	readonly #trustedAmong: (capabilities: readonly InstalledCapability[]) => Promise<ReadonlySet<string>>;

	/** `trustedAmong`: the folders of those that run without a question. */
	constructor(
		catalog: Catalog,
		trustedAmong: (capabilities: readonly InstalledCapability[]) => Promise<ReadonlySet<string>>,
	) {
		super();
		this.#catalog = catalog;
		this.#trustedAmong = trustedAmong;
	}

	protected async makeRows(): Promise<InstalledNode[]> {
		const listed = await this.#catalog.list();
		const others = listed.capabilities.filter(({ source }) => source !== 'built-in');
		return rootsOf(listed, others.length === 0 ? new Set() : await this.#trustedAmong(others));
	}

	protected rowsBelow(node: InstalledNode): readonly InstalledNode[] {
		return 'children' in node ? node.children : [];
	}

	getTreeItem(node: InstalledNode): vscode.TreeItem {
		switch (node.kind) {
			case 'type':
				return typeItem(node.type, node.children.length);
			case 'problems':
				return groupItem(vscode.l10n.t('Problems'), 'problems', node.children.length, 'warning');
			case 'capability':
				return capabilityItem(node);
			case 'broken':
				return brokenItem(node);
			case 'folder':
				return problemItem(node.problem, '', node.problem);
			default:
				return assertNever(node);
		}
	}
}

function rootsOf({ capabilities, broken, problems }: Listed, trusted: ReadonlySet<string>): InstalledNode[] {
	const types = Map.groupBy(capabilities, ({ manifest }) => manifest.type);
	const bad: InstalledNode[] = [
		...broken.map((item) => ({ kind: 'broken' as const, item })),
		...problems.map((problem) => ({ kind: 'folder' as const, problem })),
	];
	return [
		...[...types.keys()].toSorted().map((type) => ({
			kind: 'type' as const,
			type,
			children: (types.get(type) ?? []).map((capability) => ({
				kind: 'capability' as const,
				capability,
				trust: trustOf(capability, trusted),
			})),
		})),
		...(bad.length === 0 ? [] : [{ kind: 'problems' as const, children: bad }]),
	];
}

function trustOf({ source, path }: InstalledCapability, trusted: ReadonlySet<string>): Trust {
	return source === 'built-in' ? 'ours' : trusted.has(path) ? 'trusted' : 'asks';
}

function groupItem(label: string, id: string, count: number, icon: string): vscode.TreeItem {
	const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
	item.id = id;
	item.description = String(count);
	item.iconPath = new vscode.ThemeIcon(icon);
	item.contextValue = 'group';
	item.accessibilityInformation = groupLabel(label, count);
	return item;
}

function typeItem(type: string, count: number): vscode.TreeItem {
	const item = groupItem(type, `type.${type}`, count, iconOfType(type));
	const meaning = meaningOfType(type);
	item.description = [String(count), ...(meaning === undefined ? [] : [meaning])].join(' · ');
	item.tooltip = meaning === undefined ? type : `${type}: ${meaning}`;
	return item;
}

function capabilityItem(node: InstalledNode & { readonly kind: 'capability' }): vscode.TreeItem {
	const { manifest, path, source, shadows, isEnabled, warnings } = node.capability;
	const { name, type, version, description, level, permissions } = manifest;
	const item = new vscode.TreeItem(name);
	// Of one name there may be several that are off.
	item.id = `capability.${type}/${name}${isEnabled ? '' : `:${path}`}`;
	item.description = [
		...(isEnabled ? [] : [vscode.l10n.t('disabled')]),
		sourceText(source),
		...(shadows.length === 0 ? [] : [overrideText(shadows)]),
		version,
		...(node.trust === 'trusted' ? [vscode.l10n.t('trusted')] : []),
	].join(' · ');
	item.iconPath =
		warnings.length === 0
			? new vscode.ThemeIcon(isEnabled ? iconOfType(type) : 'circle-slash')
			: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
	item.contextValue = `capability.${source}.${node.trust}.${isEnabled ? 'on' : 'off'}`;
	item.tooltip = new vscode.MarkdownString(
		[
			`**${plainText(name)}** (${plainText(type)} ${plainText(version)})`,
			plainText(description),
			`${level}${permissions.length === 0 ? '' : `: ${permissions.join(', ')}`}`,
			plainText(path),
			...warnings.map((warning) => plainText(problemText(warning))),
		].join('\n\n'),
	);
	item.command = { command: 'prowess.showCapability', title: vscode.l10n.t('Show Capability'), arguments: [node] };
	item.accessibilityInformation = { label: `${type} ${name}, ${item.description}. ${description}` };
	return item;
}

function brokenItem(node: InstalledNode & { readonly kind: 'broken' }): vscode.TreeItem {
	const { type, name, source } = node.item;
	const item = problemItem(`${type}/${name}`, sourceText(source), errorsOf(node.item));
	item.contextValue = 'broken';
	item.command = { command: 'prowess.openManifest', title: vscode.l10n.t('Open Manifest'), arguments: [node] };
	return item;
}

function problemItem(label: string, where: string, problem: string): vscode.TreeItem {
	const item = new vscode.TreeItem(label);
	item.description = problem;
	item.tooltip = [label, where, problem].filter((line) => line !== '').join('\n');
	item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
	item.accessibilityInformation = { label: vscode.l10n.t('{0} has a problem: {1}', label, problem) };
	return item;
}
