/** Lists of capabilities to choose from: what is in force, by type, with where it comes from. */
import * as vscode from 'vscode';
import type { Capability } from '../../../catalog/registry/sources/capability-source.ts';
import { inform } from '../../notices/notices.ts';
import { pickText } from '../texts/value-texts.ts';
import { describeSource, translateDescription } from '../texts/texts.ts';

type CapabilityPickItem = vscode.QuickPickItem & { readonly capability?: Capability };

interface CapabilityPick {
	readonly title: string;
	readonly placeHolder: string;
	/** Said where there is none. */
	readonly none: string;
}

/** Undefined: the user chose none, or there is none. */
export async function pickCapability(
	capabilities: Promise<readonly Capability[]>,
	{ title, placeHolder, none }: CapabilityPick,
): Promise<Capability | undefined> {
	const items = capabilities.then((all): CapabilityPickItem[] => {
		const types = [...new Set(all.map(({ manifest }) => manifest.type))].toSorted();
		return types.flatMap((type) => [
			{ label: pickText(type), kind: vscode.QuickPickItemKind.Separator },
			...all.filter(({ manifest }) => manifest.type === type).map(toCapabilityPickItem),
		]);
	});
	if ((await items).length === 0) {
		inform(none);
		return undefined;
	}
	// A page or view that is made anew meanwhile takes the focus; the choice stays open.
	const options = { title, placeHolder, matchOnDescription: true, matchOnDetail: true, ignoreFocusOut: true };
	return (await vscode.window.showQuickPick(items, options))?.capability;
}

function toCapabilityPickItem(capability: Capability): CapabilityPickItem {
	const { name, version, description } = capability.manifest;
	return {
		label: pickText(name),
		description: `${describeSource(capability.source)} · ${pickText(version)}`,
		detail: pickText(translateDescription(capability.source, description)),
		capability,
	};
}
