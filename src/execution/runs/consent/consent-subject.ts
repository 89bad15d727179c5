import type { Executor } from '../../../catalog/executors.ts';
import type { Capability } from '../../../catalog/registry/sources/capability-source.ts';
import type { Sandbox } from '../../../machine/sandbox/sandbox.ts';

/** Content and circumstances that somebody is asked to agree to. */
export interface ConsentSubject {
	readonly capability: Capability;
	readonly executor: Executor;
	/** Hash of the content of the capability, and of an executor that is not ours. */
	readonly hash: string;
	readonly sandbox: Sandbox;
	/**
	 * True when code of the capability runs; else its instructions are carried out, and a sandbox keeps nothing of it
	 * in.
	 */
	readonly runsOwnCode: boolean;
	/** Folder of its plugin's data, where its instructions name that; undefined: they do not. */
	readonly keptIn: string | undefined;
}
