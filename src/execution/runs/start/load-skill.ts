/**
 * Loads a skill that is only text: it becomes instructions of the thread that starts it. The user agrees to it, and it
 * is copied, as for a skill that runs, but its text goes to the agent, which reads its files and runs its scripts from
 * the copy. Ops that follow are the agent's own, each judged.
 */
import { join } from 'node:path';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { filledInstructions } from '../../../protocol/manifest/filled-instructions.ts';
import { splitFrontMatter } from '../../../protocol/manifest/front-matter.ts';
import type { LoadedInstructions } from '../../../protocol/capability/capability-ops.ts';
import type { Caller } from '../../../contract/ops/caller.ts';
import { decisionText } from '../../../contract/decision.ts';
import type { UsedCapabilities } from '../../../catalog/registry/offer/used-capabilities.ts';
import type { Capability } from '../../../catalog/registry/sources/capability-source.ts';
import { runsOwnCode } from '../../../catalog/registry/sources/what-it-runs.ts';
import type { ThreadTools } from '../../../trust/gate/policy/levels/thread-tools.ts';
import type { LoadedSkills } from '../../../trust/gate/policy/executions/loaded-skills.ts';
import { makePrivateFolder } from '../../../machine/home-files/private-folder.ts';
import type { SandboxState } from '../../../machine/sandbox/sandbox.ts';
import { makeSnapshot } from '../../processes/snapshot.ts';
import { readAgreedFiles } from '../agreed-files.ts';
import { checkedInputs } from '../checked-inputs.ts';
import { contentEntry } from '../content-entry.ts';
import { resolveExecutor, findCapability, manifestIn } from './find-capability.ts';
import type { StartDeps } from './start-deps.ts';
import type { StartOptions } from './start-options.ts';
import { checkStarter } from './who-may-start.ts';
import { instructionsIn, namedDataFolder } from './written-instructions.ts';

const LOAD_OP = 'capability.load';

export interface LoadDeps extends Pick<
	StartDeps,
	'source' | 'executorFor' | 'workerFor' | 'consent' | 'ledger' | 'ports' | 'redactor'
> {
	readonly skills: Pick<LoadedSkills, 'add'>;
	readonly used: Pick<UsedCapabilities, 'note'>;
	readonly threadTools: Pick<ThreadTools, 'add' | 'widens'>;
}

export type LoadOptions = StartOptions & { readonly caller: Extract<Caller, { kind: 'agent' }> };

/** Files of a skill that its instructions name first; of more, their number is told. */
const MAX_SKILL_LISTED_FILES = 50;

/** Undefined for one that runs. Rejects as a start does when it may not be used, or the user says no. */
export async function loadSkill(
	deps: LoadDeps,
	tried: () => Promise<SandboxState>,
	options: LoadOptions,
	signal: AbortSignal,
): Promise<LoadedInstructions | undefined> {
	const { source, executorFor, workerFor, consent, ledger, ports, redactor } = deps;
	const { caller } = options;
	const found = await findCapability(source, options.capability, executorFor);
	if (found.manifest.instructions !== 'thread' || options.tool !== undefined) {
		return undefined;
	}
	checkTrusted(found, ports);
	const { own: files, whole, below = '' } = await readAgreedFiles(found.path);
	const { manifest } = manifestIn(files, found);
	const executor = await resolveExecutor(manifest, executorFor, workerFor);
	const paths = files.files.map(({ path }) => path);
	const text = instructionsIn(files);
	if (text === undefined || manifest.instructions !== 'thread' || runsOwnCode(manifest, executor, paths)) {
		return undefined;
	}
	checkStarter(manifest, options);
	const params = checkedInputs(manifest, options.params, (text) => redactor.redact(text) !== text);
	const { sandbox } = await tried();
	const { hash } = whole;
	const keptIn = namedDataFolder(ports.places, found.path, files);
	const subject = { capability: { ...found, manifest }, executor, hash, sandbox, runsOwnCode: false, keptIn };
	const { threadId, turnId } = caller;
	const { tools: named } = manifest;
	const { name, type } = manifest;
	// The user's own words, or their answer, give back what another skill leaves out; no agent does.
	const isWider =
		named !== undefined && options.isNamedByUser !== true && (await deps.threadTools.widens(threadId, named, signal));
	const { decision, isByPerson } = await consent.ask(subject, { ...options, givesBackTools: isWider }, signal);
	signal.throwIfAborted();
	const content = { manifest, path: found.path, hash };
	await ledger.append(contentEntry(LOAD_OP, caller, content, decisionText(decision)), true);
	const { capability: copy } = await makeSnapshot(ports.places.home, whole);
	const folder = join(copy, below);
	const allowedTools = isByPerson ? manifest.allowedTools : undefined;
	const data = keptIn === undefined ? undefined : makePrivateFolder(keptIn);
	await deps.skills.add({ threadId, turnId, folder: copy, data, allowedTools }, signal);
	const left =
		named === undefined
			? undefined
			: await deps.threadTools.add(threadId, { name: `${type}/${name}`, tools: [...named] }, signal);
	deps.used.note({ type, name });
	const filled = filledInstructions(splitFrontMatter(text).body.trim(), {
		folder,
		pluginFolder: copy,
		pluginData: data,
		params: redactor.redactDeep(params),
	});
	const listed = { files: paths.sort().slice(0, MAX_SKILL_LISTED_FILES), fileCount: paths.length };
	return { text: filled, folder, ...listed, ...(left === undefined ? {} : { skillTools: [...left] }) };
}

function checkTrusted({ source, manifest }: Capability, { workspace }: LoadDeps['ports']): void {
	if (source === 'project' && !workspace.isTrusted) {
		const what = `Load the ${manifest.type} ${manifest.name}`;
		throw new ProwessError('WORKSPACE_UNTRUSTED', `${what}: nothing of the workspace is used before it is trusted`);
	}
}
