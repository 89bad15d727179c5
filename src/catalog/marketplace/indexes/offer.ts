/** Offer of an index: one version of one capability, and how to get it. */
import type { IndexEntry, RevokedVersion } from '../../../protocol/capability/marketplace.ts';
import type { PackageFile } from '../../package-file.ts';

/** Location of the index that ships, wherever it lies: a lock file that names it stays right after an update. */
export const BUILT_IN_INDEX = 'built-in';

interface Fetched {
	readonly files: readonly PackageFile[];
	/** SHA-256 of the archive; undefined for content that was not an archive. */
	readonly sha256: string | undefined;
}

/** A plugin that a skill is a part of. */
interface PluginOfOffer {
	readonly name: string;
}

export interface Offer {
	/** Description from the index; the capability itself supplies what the index cannot know. */
	readonly about: Omit<IndexEntry, 'download' | 'sha256' | 'size' | 'signature' | 'key'>;
	readonly index: { readonly name: string; readonly location: string };
	/** Undefined where the index says nothing of the bytes: a plugin's skills. */
	readonly claim: Pick<IndexEntry, 'sha256' | 'size' | 'signature' | 'key'> | undefined;
	/** Absent: it is offered by itself. */
	readonly plugin?: PluginOfOffer;
	/** The user's settings trust this key only. */
	readonly requiredKey: string | undefined;
	/** True when the index does not say which permissions the capability asks for; only its files do. */
	readonly isUntold?: boolean;
	/** True when the offer is fetched from an address on another machine. */
	readonly isRemote: boolean;
	/** Resolves to true when the capability holds programs; absent when that is unknown before it is fetched. */
	hasScripts?(signal: AbortSignal): Promise<boolean>;
	/** Gets and unpacks it. Rejects with DOWNLOAD_FAILED or EXTRACTION_FAILED. */
	fetch(signal: AbortSignal): Promise<Fetched>;
}

/** All of one index, as it was read. */
export interface ReadIndex {
	readonly name: string;
	readonly offers: readonly Offer[];
	/** Entries, or a whole index, that could not be read. */
	readonly problems: readonly string[];
	/** Versions that the index takes back; absent: none. */
	readonly revoked?: readonly RevokedVersion[];
}
