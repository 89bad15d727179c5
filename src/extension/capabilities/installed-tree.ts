/** The view *Installed*: capabilities by type, each with where it comes from and what it goes before; and what cannot be used. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/assert-never.ts';
import type { BrokenCapability, Capability } from '../../capability-host/registry/capability-source.ts';
import { plainText } from './markdown-text.ts';
import type { Catalog, Listed } from './catalog.ts';
import { sourceText } from './texts.ts';

export type InstalledNode =
	| { readonly kind: 'type'; readonly type: string; readonly children: readonly InstalledNode[] }
	| { readonly kind: 'capability'; readonly capability: Capability; readonly shadowed: readonly Capability[] }
	| { readonly kind: 'problems'; readonly children: readonly InstalledNode[] }
	| { readonly kind: 'problem'; readonly problem: BrokenCapability };

export class InstalledTree implements vscode.TreeDataProvider<InstalledNode> {
	readonly #catalog: Catalog;
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChangeTreeData = this.#changed.event;

	constructor(catalog: Catalog) {
		this.#catalog = catalog;
	}

	refresh(): void {
		this.#changed.fire();
	}

	async getChildren(node?: InstalledNode): Promise<InstalledNode[]> {
		if (node === undefined) {
			return rootsOf(await this.#catalog.list());
		}
		return 'children' in node ? [...node.children] : [];
	}

	getTreeItem(node: InstalledNode): vscode.TreeItem {
		switch (node.kind) {
			case 'type':
				return groupItem(node.type, `type.${node.type}`, node.children.length, iconOfType(node.type));
			case 'problems':
				return groupItem(vscode.l10n.t('Cannot Be Used'), 'problems', node.children.length, 'warning');
			case 'capability':
				return capabilityItem(node);
			case 'problem':
				return problemItem(node.problem);
			default:
				return assertNever(node);
		}
	}

	dispose(): void {
		this.#changed.dispose();
	}
}

export function iconOfType(type: string): string {
	const icons = new Map([
		['skill', 'tools'],
		['power', 'zap'],
		['talent', 'mortar-board'],
	]);
	return icons.get(type) ?? 'package';
}

function rootsOf({ effective, broken, overrides }: Listed): InstalledNode[] {
	const shadowedBy = (capability: Capability) =>
		overrides.find((override) => override.effective === capability)?.shadowed ?? [];
	const types = Map.groupBy(effective, ({ manifest }) => manifest.type);
	return [
		...[...types.keys()].toSorted().map((type) => ({
			kind: 'type' as const,
			type,
			children: (types.get(type) ?? [])
				.toSorted((a, b) => a.manifest.name.localeCompare(b.manifest.name))
				.map((capability) => ({ kind: 'capability' as const, capability, shadowed: shadowedBy(capability) })),
		})),
		...(broken.length === 0
			? []
			: [
					{
						kind: 'problems' as const,
						children: broken.map((problem) => ({ kind: 'problem' as const, problem })),
					},
				]),
	];
}

function groupItem(label: string, id: string, count: number, icon: string): vscode.TreeItem {
	const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
	item.id = id;
	item.description = String(count);
	item.iconPath = new vscode.ThemeIcon(icon);
	item.contextValue = 'group';
	item.accessibilityInformation = { label: vscode.l10n.t('{0}, {1} entries', label, count) };
	return item;
}

function capabilityItem(node: InstalledNode & { readonly kind: 'capability' }): vscode.TreeItem {
	const { capability, shadowed } = node;
	const { name, type, version, description, level, permissions } = capability.manifest;
	const overridden = shadowed.length === 0 ? '' : ` · ${overrideText(shadowed)}`;
	const item = new vscode.TreeItem(name);
	item.id = `capability.${type}/${name}`;
	item.description = `${sourceText(capability.source)}${overridden} · ${version}`;
	item.iconPath = new vscode.ThemeIcon(iconOfType(type));
	item.contextValue = `capability.${capability.source}`;
	item.tooltip = new vscode.MarkdownString(
		[
			`**${plainText(name)}** (${plainText(type)} ${plainText(version)})`,
			plainText(description),
			`${level}${permissions.length === 0 ? '' : `: ${permissions.join(', ')}`}`,
			plainText(capability.path),
		].join('\n\n'),
	);
	item.command = { command: 'prowess.showCapability', title: vscode.l10n.t('Show Capability'), arguments: [node] };
	item.accessibilityInformation = { label: `${type} ${name}, ${item.description}. ${description}` };
	return item;
}

export function overrideText(shadowed: readonly Capability[]): string {
	return vscode.l10n.t('overrides {0}', shadowed.map(({ source }) => sourceText(source)).join(', '));
}

function problemItem({ path, problem }: BrokenCapability): vscode.TreeItem {
	const [type = '', name = ''] = path.split(/[\\/]/).slice(-2);
	const item = new vscode.TreeItem(`${type}/${name}`);
	item.id = `problem.${path}`;
	// The message begins with the file, which the label names.
	item.description = problem.startsWith(path) ? problem.slice(path.length).replace(/^[\\/]+/, '') : problem;
	item.tooltip = problem;
	item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
	item.contextValue = 'problem';
	item.command = {
		command: 'prowess.openManifest',
		title: vscode.l10n.t('Open Manifest'),
		arguments: [{ kind: 'problem', problem: { path, problem } }],
	};
	item.accessibilityInformation = { label: vscode.l10n.t('{0} cannot be used: {1}', `${type}/${name}`, problem) };
	return item;
}
