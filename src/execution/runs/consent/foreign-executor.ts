/**
 * An executor that is not ours runs with the rights of the capabilities it runs. So it is what a capability is: read once,
 * agreed to by its content, and run from a copy.
 */
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { createHash } from 'node:crypto';
import { join, relative, sep } from 'node:path';
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import type { CapabilityManifest } from '../../../protocol/capability/manifest.ts';
import { CODEBOLT_EXECUTOR } from '../../../protocol/execution/execution.ts';
import { CODEBOLT_RIGHTS } from '../../../protocol/manifest/codebolt-agent.ts';
import { text } from '../../../protocol/text/text.ts';
import { type Executor, isWrittenForCodebolt } from '../../../catalog/executors.ts';
import type { Sandbox } from '../../../machine/sandbox/sandbox.ts';
import { type CapabilityFiles, readCapabilityFiles } from '../../../catalog/capability-files.ts';
import { makeSnapshot } from '../../processes/snapshot.ts';

/**
 * Reads the present files of an executor; undefined for an executor of ours. Rejects with INVALID_EXECUTOR_CONFIG, or
 * with ACTION_BLOCK_NOT_FOUND when its program is missing.
 */
export async function readExecutorFiles({ folder, program }: Executor): Promise<CapabilityFiles | undefined> {
	if (folder === undefined) {
		return undefined;
	}
	const files = await readCapabilityFiles(folder).catch((error: unknown) => {
		const why = toErrorMessage(error);
		throw new ProwessError(
			'INVALID_EXECUTOR_CONFIG',
			why,
			isProwessError(error) ? error.facts : { path: folder },
			error,
		);
	});
	const entry = resolveEntryPath(folder, program);
	if (!files.files.some(({ path }) => path === entry)) {
		const message = `${folder}: its program ${entry} is not there; build it, or say in executor.yaml where it is`;
		throw new ProwessError('ACTION_BLOCK_NOT_FOUND', message, {
			path: folder,
			said: text('{path}: its program {entry} is not there. Build it, or say in executor.yaml where it is.', {
				path: folder,
				entry,
			}),
		});
	}
	return files;
}

/**
 * The executor as its content shows it: in the process of an adapter only if it is written for Codebolt, which its manifest
 * says, or its program or package.json.
 */
export function asWritten(executor: Executor, files: CapabilityFiles | undefined): Executor {
	const { adapter, named, folder, program, ...other } = executor;
	if (files === undefined || folder === undefined) {
		return executor;
	}
	const isOfCodebolt = isWrittenForCodebolt(named, resolveEntryPath(folder, program), files.files);
	const own = { ...other, folder, program };
	return adapter !== undefined && isOfCodebolt ? { ...own, adapter } : own;
}

/**
 * Refuses a capability that names no executor and would get ours for Codebolt by its type alone, though no file of it uses
 * that library: it could never connect. Throws EXECUTOR_NOT_FOUND.
 */
export function refuseForeignAgent(
	{ type, executor: pin }: Pick<CapabilityManifest, 'type' | 'executor'>,
	{ folder, named }: Executor,
	{ files }: CapabilityFiles,
): void {
	if (pin !== undefined || folder !== undefined || named !== CODEBOLT_EXECUTOR) return;
	if (files.some(({ path }) => isWrittenForCodebolt(undefined, path, files))) return;
	const message = `there is no executor for capabilities of type "${type}" but that for programs of Codebolt, and this one does not use its library. Give it the type power or skill, or name its executor`;
	throw new ProwessError('EXECUTOR_NOT_FOUND', message, {
		type,
		said: text(
			'Only programs for Codebolt run as type "{type}", and this one does not use its library. Give it the type power or skill, or name its executor in capability.yaml.',
			{ type },
		),
	});
}

/** Manifests of Codebolt know no permissions: one without any, run by a program for Codebolt, asks for what that can use. */
export function withCodeboltRights(
	manifest: CapabilityManifest,
	{ permissions, level }: Readonly<Record<string, unknown>>,
	{ adapter }: Executor,
): CapabilityManifest {
	const isSilent = permissions === undefined && level === undefined;
	const { permissions: usable, level: needed } = CODEBOLT_RIGHTS;
	return adapter !== undefined && isSilent ? { ...manifest, permissions: [...usable], level: needed } : manifest;
}

/** Returns the hash that the user agrees to: of the capability and of an executor that is not ours. */
export function agreedHash(capability: CapabilityFiles, executor: CapabilityFiles | undefined): string {
	return executor === undefined
		? capability.hash
		: createHash('sha256').update(`${capability.hash} run by ${executor.hash}`).digest('hex');
}

/** The one to be run: the copy of these files, or ours as it is. */
export async function executorToRun(
	home: string,
	executor: Executor,
	files: CapabilityFiles | undefined,
): Promise<Executor> {
	if (executor.folder === undefined || files === undefined) {
		return executor;
	}
	const { root, capability } = await makeSnapshot(home, files);
	const program = join(capability, resolveEntryPath(executor.folder, executor.program));
	if (executor.adapter !== undefined) {
		const { adapter } = executor;
		return { program: adapter.program, args: [program], readable: [...adapter.readable, join(root, '*')] };
	}
	return {
		program,
		readable: [join(root, '*')],
		...(executor.channel === undefined ? {} : { channel: executor.channel }),
	};
}

/** Rejects with INVALID_EXECUTOR_CONFIG when no process of it could ever connect. */
export function checkChannel({ program, channel }: Executor, sandbox: Sandbox): void {
	if (channel === 'loopback' && sandbox === 'bwrap') {
		const message = `${program}: its executor.yaml says "channel: loopback", and the sandbox of this machine keeps executors from every port. Let it speak over descriptor 3, which is the default`;
		throw new ProwessError('INVALID_EXECUTOR_CONFIG', message, {
			path: program,
			said: text(
				'{path}: its executor.yaml says "channel: loopback", and the sandbox of this machine keeps executors from every port. Let it speak over descriptor 3, which is the default.',
				{ path: program },
			),
		});
	}
}

function resolveEntryPath(folder: string, program: string): string {
	return relative(folder, program).split(sep).join('/');
}
