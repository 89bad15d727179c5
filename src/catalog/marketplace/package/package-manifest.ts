import type { IndexEntry } from '../../../protocol/marketplace.ts';
import type { RiskLevel } from '../../../protocol/ops/risk.ts';

/** What the manifest of a package says, as an index has it. */
export type PackageManifest = Omit<IndexEntry, 'download' | 'sha256' | 'size' | 'signature' | 'key' | 'level'> & {
	readonly level: RiskLevel;
};
