/** Agreeing to what a capability holds now, and taking that back, without running it. Both are recorded. */
import type { Caller } from '../broker/op-implementation.ts';
import { triggerOf } from '../broker/call.ts';
import type { Capability } from '../registry/capability-source.ts';
import type { NewEntry } from '../ledger/ledger.ts';
import { findCapability, manifestIn } from './find-capability.ts';
import type { SandboxState } from './sandbox.ts';
import { readCapabilityFiles } from './snapshot.ts';
import type { StartDeps } from './start-execution.ts';
import type { StartOptions } from './start-options.ts';

const OP = 'capability.trust';

type TrustDeps = Pick<StartDeps, 'source' | 'executorFor' | 'consent' | 'ledger'>;
export type TrustOptions = Pick<StartOptions, 'capability' | 'caller' | 'onWaiting'>;

/** Asks the person as a start would. Rejects as a start does when there is nothing to agree to, or the answer is no. */
export async function trustContent(
	{ source, executorFor, consent, ledger }: TrustDeps,
	sandbox: () => Promise<SandboxState>,
	options: TrustOptions,
	signal: AbortSignal,
): Promise<void> {
	const found = await findCapability(source, options.capability, executorFor);
	const files = await readCapabilityFiles(found.path);
	const manifest = manifestIn(files, found);
	const state = await sandbox();
	const { decision } = await consent.ask({ ...found, manifest }, files.hash, state.sandbox, options, signal);
	await ledger.append(rowOf(options.caller, found, files.hash, decision), true);
}

/** The next start asks again. False when nothing was agreed to. */
export async function distrustContent(
	{ source, executorFor, consent, ledger }: TrustDeps,
	{ capability, caller }: TrustOptions,
): Promise<boolean> {
	const found = await findCapability(source, capability, executorFor);
	const { hash } = await readCapabilityFiles(found.path);
	const wasGiven = await consent.takeBack(hash);
	if (wasGiven) {
		await ledger.append(rowOf(caller, found, hash, 'the user takes back what was agreed to'), true);
	}
	return wasGiven;
}

function rowOf(caller: Caller, { manifest, path }: Capability, hash: string, decision: string): NewEntry {
	const { type, name, version, level } = manifest;
	return {
		kind: 'note',
		opId: null,
		op: OP,
		trigger: triggerOf(caller, OP),
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
