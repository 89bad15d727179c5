/** Reports the content of a folder and its faults, wherever the folder lies. No file in it is run. */
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { decodeUtf16 } from '../../../base/text/utf16.ts';
import {
	AGENT_OS_FILE,
	CAPABILITY_FILES,
	capabilityManifestsIn,
	type CapabilityManifest,
	EXECUTOR_FILES,
	type ExecutorManifest,
	runnableFilesIn,
	SKILL_FILES,
	workerEntry,
	workerPrograms,
} from '../../../protocol/capability/manifest.ts';
import { createTopPlace, type ManifestProblem, manifestProblem } from '../../../protocol/manifest/problem.ts';
import type { Text } from '../../../protocol/text/text.ts';
import { readExecutorManifest } from '../../../protocol/manifest/read-manifest.ts';
import { strictProblems } from '../../../protocol/manifest/strict-skill.ts';
import type { WorkerTool } from '../../../protocol/manifest/worker-tools.ts';
import { refuseHiddenText } from './hidden-text.ts';
import { type CapabilityFiles, readCapabilityFiles } from '../../capability-files.ts';
import { isWrittenForCodebolt } from '../../executors.ts';
import { commandName, isCommandFile } from '../../command-file.ts';
import { placedName } from './plugin-place.ts';
import { toolsOfFiles } from '../../tools-of-files.ts';
import { fileError } from '../../../machine/paths/file-error.ts';
import type { ItemFolder } from './listed-folder.ts';
import { ITSELF } from './manifest-files.ts';
import type { CapabilityItem, ExecutorItem } from '../items.ts';
import { readFolder } from './scan.ts';
import { readCapability } from '../sources/what-it-runs.ts';

export interface Inspection {
	readonly path: string;
	readonly kind: 'capability' | 'executor';
	/** Undefined when it cannot be used. */
	readonly manifest: CapabilityManifest | ExecutorManifest | undefined;
	readonly problems: readonly ManifestProblem[];
	/** Hash of the content that the user is asked to consent to; undefined when the content cannot be read whole. */
	readonly hash: string | undefined;
	readonly files: readonly string[];
	/** True for an executor that is written for Codebolt; absent for anything else. */
	readonly isOfCodebolt?: true;
	/** Tools of a capability that runs in a worker; absent for others. */
	readonly tools?: readonly WorkerTool[];
}

/** Finds what is wrong with the programs of a capability, without running them. */
export type SourceCheck = (
	manifest: CapabilityManifest,
	files: CapabilityFiles['files'],
) => Promise<readonly ManifestProblem[]>;

/**
 * Also of a command that is one file, which no specification judges; `name`: what its place calls it. Rejects with NOT_FOUND,
 * NOT_A_FOLDER or IO_ERROR when there is no such folder.
 */
export async function inspectFolder(
	path: string,
	isStrict = false,
	name?: string,
	check?: SourceCheck,
): Promise<Inspection> {
	const { real, names } = await readInspectedFolder(path);
	const isOneFile = names[0] === ITSELF;
	const kind = names.some((name) => isListedName(EXECUTOR_FILES, name)) ? 'executor' : 'capability';
	const manifests =
		kind === 'executor'
			? names.filter((name) => isListedName(EXECUTOR_FILES, name))
			: isOneFile
				? names
				: capabilityManifestsIn(names);
	const runnable = runnableFilesIn(names);
	const called = isOneFile ? (name ?? commandName(basename(real))) : placedName(real);
	const place = { path: real, name: called, type: findFolderType(real) };
	const folder: ItemFolder = { ...place, manifests, runnable, problem: undefined };
	const { manifest, problems } = await (kind === 'executor'
		? readFolder(folder, (texts) => readExecutorManifest(texts))
		: readFolder(folder, readCapability));
	const main = manifests[0] ?? CAPABILITY_FILES[0];
	const createProblem = (severity: ManifestProblem['severity'], message: string): ManifestProblem => ({
		severity,
		message,
		file: main,
		line: 1,
		column: 1,
		path: [],
	});
	try {
		const content = await readCapabilityFiles(real);
		const files = content.files.map((file) => file.path).sort();
		const lack = describeMissingProgram(manifest, files);
		const all = lack === undefined ? [...problems] : [...problems, createProblem('warning', lack)];
		all.push(...findHiddenProblems(content, createProblem));
		if (isStrict && !isOneFile) all.push(...strictIn(content, basename(real)));
		const runs = manifest === undefined || 'supportedTypes' in manifest ? undefined : manifest;
		const tools = runs?.runtime === undefined ? undefined : toolsOfFiles(runs, content);
		if (tools?.length === 0 && lack === undefined) {
			all.push(createProblem('warning', `it has no tools: ${NO_TOOLS_REASONS[runs?.runtime ?? 'node-worker']}`));
		}
		if (manifests[0] === AGENT_OS_FILE && runs !== undefined) {
			const needs = await findAgentOsNeeds(runs, content);
			all.push(...needs.map((words) => manifestProblem('warning', words, createTopPlace(workerEntry(runs) ?? main))));
		}
		if (runs !== undefined && !isOneFile) all.push(...((await check?.(runs, content.files)) ?? []));
		return {
			path: real,
			kind,
			manifest,
			problems: all,
			hash: content.hash,
			files: isOneFile ? [basename(real)] : files,
			...(tools === undefined ? {} : { tools }),
			...(manifest !== undefined &&
			'supportedTypes' in manifest &&
			isWrittenForCodebolt(manifest.channel, manifest.entryPoint, content.files)
				? { isOfCodebolt: true }
				: {}),
		};
	} catch (error) {
		const why = toErrorMessage(error);
		return {
			path: real,
			kind,
			manifest,
			problems: [...problems, createProblem('error', why)],
			hash: undefined,
			files: [],
		};
	}
}

/** Finds what the program of a skill for AgentOS shows that it needs. */
async function findAgentOsNeeds(manifest: CapabilityManifest, { files }: CapabilityFiles): Promise<readonly Text[]> {
	const paths = files.map(({ path }) => path);
	const programs = workerPrograms(manifest, paths).flatMap((name) => files.filter(({ path }) => path === name));
	const owns = paths.map((path) => path.split('/', 1)[0]?.replace(/\.py$/, '') ?? '');
	const written = programs.map(({ bytes }) => bytes.toString('utf8')).join('\n');
	const { describeAgentOsNeeds } = await import('../../../protocol/manifest/agent-os-program.ts');
	return describeAgentOsNeeds(written, owns, manifest);
}

/** Text that a person does not see and a model reads, as the check of packages finds it. */
function findHiddenProblems(
	{ files }: CapabilityFiles,
	found: (severity: ManifestProblem['severity'], message: string) => ManifestProblem,
): readonly ManifestProblem[] {
	try {
		refuseHiddenText(files);
		return [];
	} catch (error) {
		return [found('error', toErrorMessage(error))];
	}
}

/** Judged by the specification; none where there is no SKILL.md. */
function strictIn({ files }: CapabilityFiles, folder: string): readonly ManifestProblem[] {
	const skill = files.find(({ path }) => SKILL_FILES.includes(path));
	return skill === undefined
		? []
		: strictProblems(decodeUtf16(skill.bytes) ?? skill.bytes.toString('utf8'), skill.path, folder);
}

const NO_TOOLS_REASONS = {
	'node-worker': 'none of its lines begins with "export async function"',
	'python-worker': 'none of its lines begins with "async def"',
} as const;

/** The folder of an item of the registry. A link that it did not follow is not followed here: it leads to nobody's capability. */
export async function inspectItem(
	item: CapabilityItem | ExecutorItem,
	isStrict = false,
	check?: SourceCheck,
): Promise<Inspection> {
	const { path, problems } = item;
	if (!(await lstat(path)).isSymbolicLink()) {
		return await inspectFolder(path, isStrict, item.name, check);
	}
	const kind = 'runs' in item ? 'executor' : 'capability';
	return { path, kind, manifest: undefined, problems, hash: undefined, files: [] };
}

async function readInspectedFolder(
	path: string,
): Promise<{ readonly real: string; readonly names: readonly string[] }> {
	try {
		const real = await realpath(path);
		const isOneFile = isCommandFile(basename(real)) && (await lstat(real)).isFile();
		return { real, names: isOneFile ? [ITSELF] : await readdir(real) };
	} catch (error) {
		throw fileError('read', path, error);
	}
}

/** Only the folders of a root say a type: `capabilities/<type>/<name>`. */
function findFolderType(real: string): string | undefined {
	return basename(dirname(dirname(real))) === 'capabilities' ? basename(dirname(real)) : undefined;
}

/** An executor that is not built yet, or a worker's file that is not there. */
function describeMissingProgram(manifest: Inspection['manifest'], files: readonly string[]): string | undefined {
	const entry =
		manifest === undefined ? undefined : 'supportedTypes' in manifest ? manifest.entryPoint : workerEntry(manifest);
	return entry === undefined || files.includes(entry) ? undefined : `its program ${entry} is not there`;
}

function isListedName(names: readonly string[], name: string): boolean {
	return names.includes(name);
}
