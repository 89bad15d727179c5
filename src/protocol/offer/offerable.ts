/** Capabilities as a model may be told of them, before one is chosen: without those that only people start. */
import type { CapabilityManifest } from '../capability/manifest.ts';
import type { CapabilitySummary } from '../capability/capability-ops.ts';

/** Chosen by how its text begins; the rest of a description says nothing more of that, and takes long to send. */
const SENT_CHARS = 4_000;

interface KnownManifest {
	readonly source: CapabilitySummary['source'];
	readonly manifest: Pick<
		CapabilityManifest,
		'name' | 'type' | 'description' | 'modelInvocable' | 'requiredCapabilities'
	>;
}

export function listOfferable(capabilities: readonly KnownManifest[]): CapabilitySummary[] {
	return capabilities
		.filter(({ manifest }) => manifest.modelInvocable)
		.map(({ source, manifest: { name, type, description, requiredCapabilities: requires } }) => ({
			name,
			type,
			source,
			description: description.slice(0, SENT_CHARS),
			...(requires === undefined ? {} : { requires }),
		}));
}
