/** Ledger entry of what somebody does with a capability as it is now, without a run of it. */
import type { CapabilityManifest } from '../../protocol/capability/manifest.ts';
import { type Caller, formatOpTrigger } from '../../contract/ops/caller.ts';
import type { NewEntry } from '../../trust/record/ledger/ledger.ts';

interface CapabilityContent {
	readonly manifest: CapabilityManifest;
	/** Absolute path of its folder. */
	readonly path: string;
	readonly hash: string;
}

export function contentEntry(
	op: string,
	caller: Caller,
	{ manifest, path, hash }: CapabilityContent,
	decision: string,
): NewEntry {
	const { type, name, version, level } = manifest;
	return {
		kind: 'note',
		opId: null,
		op,
		trigger: formatOpTrigger(caller, op),
		threadId: caller.threadId,
		risk: level,
		assessed: null,
		decision,
		paramsHash: hash,
		input: `${type} ${name} ${version} in ${path}`,
		output: null,
		status: null,
		durationMs: null,
	};
}
