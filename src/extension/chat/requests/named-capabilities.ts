/** Capabilities that the list after `/` offers. */
import type { Catalog } from '../../capabilities/catalog.ts';
import { line } from '../../capabilities/pages/built-page.ts';
import { described } from '../../capabilities/texts/described.ts';
import { sourceText } from '../../capabilities/texts/texts.ts';

export interface NamedCapability {
	readonly type: string;
	readonly name: string;
	readonly description: string;
	/** Where it comes from, in the user's words. */
	readonly source: string;
	/** Words to type after its name; absent: its author says nothing of that. */
	readonly hint?: string;
}

/** Returns the enabled capabilities, by name; empty before the workspace is trusted. */
export async function namedCapabilities(catalog: Catalog): Promise<readonly NamedCapability[]> {
	const { capabilities } = await catalog.list();
	return capabilities
		.filter(({ isEnabled }) => isEnabled)
		.map(({ manifest: { type, name, description, argumentHint: hint }, source }) => ({
			type,
			name,
			description: described(source, description),
			source: sourceText(source),
			...(hint === undefined ? {} : { hint: line(hint) }),
		}))
		.sort((one, other) => (one.name < other.name ? -1 : 1));
}
