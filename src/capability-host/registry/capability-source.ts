/** Where capabilities come from. */
import type { CapabilityManifest } from '../../protocol/manifest.ts';

export interface Capability {
	readonly manifest: CapabilityManifest;
	/** Absolute path of its folder. */
	readonly path: string;
	/** `project`: from the workspace, so it needs trust. */
	readonly source: 'project' | 'global';
}

/** A folder that holds no capability that can be used, and why. */
export interface BrokenCapability {
	readonly path: string;
	readonly problem: string;
}

export interface CapabilitySource {
	/** Undefined when there is none of that name; rejects with INVALID_CAPABILITY_CONFIG when its manifest is wrong. */
	find(name: string, type: string | undefined): Promise<Capability | undefined>;
	list(): Promise<{ readonly capabilities: readonly Capability[]; readonly broken: readonly BrokenCapability[] }>;
	/** The capability in a folder, wherever that is. */
	at(path: string): Promise<Capability>;
}
