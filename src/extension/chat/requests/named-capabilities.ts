/** Capabilities that the list after `/` offers. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import type { Catalog } from '../../capabilities/catalog.ts';
import { describeSource, translateDescription } from '../../capabilities/texts/texts.ts';

export interface NameableCapability {
	readonly type: string;
	readonly name: string;
	readonly description: string;
	/** Where it comes from, in the user's words. */
	readonly source: string;
	/** Words to type after its name; absent: its author says nothing of that. */
	readonly hint?: string;
}

/** Returns the enabled capabilities, by name; empty before the workspace is trusted. */
export async function namedCapabilities(catalog: Catalog): Promise<readonly NameableCapability[]> {
	const { capabilities } = await catalog.list();
	return capabilities
		.filter(({ isEnabled }) => isEnabled)
		.map(({ manifest: { type, name, description, argumentHint: hint }, source }) => ({
			type,
			name,
			description: translateDescription(source, description),
			source: describeSource(source),
			...(hint === undefined ? {} : { hint: escapeToLine(hint) }),
		}))
		.sort((one, other) => (one.name < other.name ? -1 : 1));
}
