import type { IndexEntry } from '../../../protocol/marketplace.ts';
import type { RiskLevel } from '../../../protocol/ops/risk.ts';

/** Facts from the manifest of a package, in the form of an index entry. */
export type PackageManifest = Omit<IndexEntry, 'download' | 'sha256' | 'size' | 'signature' | 'key' | 'level'> & {
	readonly level: RiskLevel;
};
