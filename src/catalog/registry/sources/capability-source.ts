/** Capabilities as whoever starts them sees them: by name, or in a folder. The registry is one. */
import type { CapabilityManifest } from '../../../protocol/capability/manifest.ts';
import type { CapabilityValue, UsedHere } from '../../../protocol/ops/capability-value.ts';
import type { OpeningMessage } from '../../../protocol/offer/capability-values.ts';
import type { Executor } from '../../executors.ts';

/**
 * Origin of a capability, in the order in which the later one wins: the product, the user, the workspace. Only the
 * workspace needs trust.
 */
export type CapabilityOrigin = 'built-in' | 'global' | 'project';

export interface CapabilityLocation {
	/** Absolute. */
	readonly path: string;
	readonly source: CapabilityOrigin;
}

export interface Capability extends CapabilityLocation {
	readonly manifest: CapabilityManifest;
	/** Capabilities of the same type and name that this one overrides, nearest first. */
	readonly overrides: readonly CapabilityLocation[];
}

/** A folder that holds no capability that can be used, and why. */
interface BrokenCapability {
	readonly path: string;
	readonly problem: string;
}

export interface CapabilityListing {
	readonly capabilities: readonly Capability[];
	readonly broken: readonly BrokenCapability[];
	/** False when there may be more. */
	readonly isComplete: boolean;
	/**
	 * Set when the process before has read the capabilities: tells whether `some` are still as it read them; ask before
	 * use. Absent: the listing is current.
	 */
	readonly areStillSo?: (some: readonly CapabilityLocation[]) => Promise<boolean>;
}

/** Capabilities that an agent hears of first, out of all that it may start. */
export interface OfferedCapabilities {
	/** In the order in which they are told. */
	readonly best: readonly OfferedSummary[];
	/** Values of the capabilities in `best`, one for each. */
	readonly values: readonly CapabilityValue[];
	/** Number of all capabilities on offer. */
	readonly total: number;
}

type OfferedSummary = Pick<CapabilityManifest, 'name' | 'type' | 'description'> &
	Pick<CapabilityLocation, 'source'> & { readonly requires?: string[] | undefined };

/** Tells whether the capability or executor in a folder is switched off. */
export type IsOff = (folder: string) => boolean;
export const nothingIsOff: IsOff = () => false;

export interface CapabilitySource {
	/** Undefined when there is none of that name; rejects with INVALID_CAPABILITY_CONFIG when the only ones cannot be used. */
	find(name: string, type: string | undefined): Promise<Capability | undefined>;
	/** All of them; or, after so many milliseconds, those that were found by then, and perhaps as they were remembered. */
	list(withinMs?: number): Promise<CapabilityListing>;
	/** Returns the capabilities of most value for an agent, when they are known without a scan; undefined otherwise. */
	offered?(beginning: OpeningMessage, count: number, used: UsedHere): Promise<OfferedCapabilities | undefined>;
	/** The capability in a folder, wherever that is. */
	at(path: string): Promise<Capability>;
	/**
	 * Returns the executor for capabilities of a type: the one named by `pin`, or else the last one registered.
	 * Undefined when none exists; rejects with INVALID_EXECUTOR_CONFIG when the only ones cannot be used.
	 */
	executorFor(type: string, pin: string | undefined, isOff?: IsOff): Promise<Executor | undefined>;
}
