/** Agreeing to what a capability holds now, and taking that back, without running it. Both are recorded. */
import type { CapabilityManifest } from '../../../protocol/capability/manifest.ts';
import type { Caller } from '../../../contract/ops/caller.ts';
import { decisionText } from '../../../contract/decision.ts';
import { namedDataFolder } from '../start/written-instructions.ts';
import type { NewEntry } from '../../../trust/record/ledger/ledger.ts';
import { readAgreedFiles } from '../agreed-files.ts';
import { contentEntry } from '../content-entry.ts';
import { resolveExecutor, findCapability, manifestIn } from '../start/find-capability.ts';
import type { ConsentSubject } from './consent-detail.ts';
import {
	agreedHash,
	asWritten,
	checkChannel,
	readExecutorFiles,
	refuseForeignAgent,
	withCodeboltRights,
} from './foreign-executor.ts';
import { toolsOfFiles } from '../../../catalog/tools-of-files.ts';
import { runsOwnCode } from '../../../catalog/registry/sources/what-it-runs.ts';
import type { SandboxState } from '../../../machine/sandbox/sandbox.ts';
import type { StartDeps } from '../start/start-deps.ts';
import type { StartOptions } from '../start/start-options.ts';

const TRUST_OP = 'capability.trust';

type TrustDeps = Pick<StartDeps, 'source' | 'executorFor' | 'workerFor' | 'consent' | 'ledger' | 'ports'>;
export type TrustOptions = Pick<StartOptions, 'capability' | 'caller' | 'onWaiting'>;

/** Asks the person as a start would, for always. Rejects as a start does when there is nothing to agree to, or the answer is no. */
export async function trustContent(
	deps: TrustDeps,
	tried: () => Promise<SandboxState>,
	options: TrustOptions,
	signal: AbortSignal,
): Promise<void> {
	const subject = await readConsentSubject(deps, options);
	const { sandbox } = await tried();
	checkChannel(subject.executor, sandbox);
	const { decision } = await deps.consent.askBeforehand({ ...subject, sandbox }, options, signal);
	await deps.ledger.append(createTrustEntry(options.caller, subject, decisionText(decision)), true);
}

/** The next start asks again. False when nothing was agreed to. */
export async function distrustContent(deps: TrustDeps, options: TrustOptions): Promise<boolean> {
	const subject = await readConsentSubject(deps, options);
	const wasGiven = await deps.consent.takeBack(subject.hash);
	if (wasGiven) {
		await deps.ledger.append(createTrustEntry(options.caller, subject, 'the user takes back what was agreed to'), true);
	}
	return wasGiven;
}

/** Resolves with true when the person has agreed to the present content of the capability. */
export async function isContentTrusted(deps: TrustDeps, options: Pick<TrustOptions, 'capability'>): Promise<boolean> {
	return await deps.consent.isGiven(await readConsentSubject(deps, options));
}

/** Resolves with the rights that the consent to a capability names. Rejects where nothing here could run it. */
export async function readAskedRights(
	deps: TrustDeps,
	options: Pick<TrustOptions, 'capability'>,
): Promise<Pick<CapabilityManifest, 'permissions' | 'level'>> {
	const { permissions, level } = (await readConsentSubject(deps, options)).capability.manifest;
	return { permissions, level };
}

/** A capability, as far as it matters to whether its name was agreed to. */
export interface NamedFolder {
	readonly path: string;
	readonly manifest: { readonly type: string; readonly name: string };
}

/**
 * Finds the folders of the capabilities whose present content the person has agreed to. A capability that cannot be
 * read is not among them.
 */
export async function findTrustedFolders(
	deps: TrustDeps,
	capabilities: readonly NamedFolder[],
): Promise<ReadonlySet<string>> {
	const kept = await deps.consent.all();
	const named = capabilities.filter(({ manifest: { type, name } }) =>
		kept.some((each) => each.type === type && each.name === name),
	);
	const trusted = await Promise.all(
		named.map(({ path }) => isContentTrusted(deps, { capability: { folder: path } }).catch(() => false)),
	);
	return new Set(named.filter((_, index) => trusted[index]).map(({ path }) => path));
}

type Subject = Omit<ConsentSubject, 'sandbox'>;

/** The same content that a start would ask about. */
async function readConsentSubject(
	{ source, executorFor, workerFor, ports }: TrustDeps,
	wanted: Pick<TrustOptions, 'capability'>,
): Promise<Subject> {
	const found = await findCapability(source, wanted.capability, executorFor);
	const { own, whole } = await readAgreedFiles(found.path);
	const { manifest: said, written } = manifestIn(own, found);
	const resolved = await resolveExecutor(said, executorFor, workerFor);
	refuseForeignAgent(said, resolved, own);
	const executorFiles = await readExecutorFiles(resolved);
	const executor = asWritten(resolved, executorFiles);
	const manifest = withCodeboltRights(said, written, executor);
	const hash = agreedHash(whole, executorFiles);
	const hasCode = runsOwnCode(
		manifest,
		executor,
		own.files.map(({ path }) => path),
	);
	const keptIn = namedDataFolder(ports.places, found.path, own);
	return {
		capability: { ...found, manifest },
		executor,
		hash,
		runsOwnCode: hasCode,
		keptIn,
		tools: toolsOfFiles(manifest, own),
	};
}

function createTrustEntry(
	caller: Caller,
	{ capability: { manifest, path }, hash }: Subject,
	decision: string,
): NewEntry {
	return contentEntry(TRUST_OP, caller, { manifest, path, hash }, decision);
}
