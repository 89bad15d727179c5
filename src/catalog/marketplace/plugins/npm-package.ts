/**
 * A package of npm, such as one with a plugin in it, fetched by the user's own npm with its registry and its rights. The package is only
 * packed, never installed, so no script of it runs. The bytes must be those that the registry vouches for.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { findProgram } from '../../../machine/shell/find-program.ts';
import { isProwessError } from '../../../protocol/errors/errors.ts';
import * as z from '../../../protocol/text/zod.ts';
import { readRegularFile } from '../../../machine/paths/reading/read-regular-file.ts';
import { runGit } from '../../../machine/git/run-git.ts';
import type { GitAccess } from '../indexes/git-repository.ts';
import type { IndexTree } from '../indexes/index-tree.ts';
import { createPluginError, type Elsewhere, parsePluginJson } from '../indexes/plugin-files.ts';
import { INDEX_TIMEOUT_MS, MAX_ARCHIVE_BYTES, MAX_PLUGIN_FILE_BYTES } from '../limits.ts';
import { FilesTree } from './files-tree.ts';
import { readTarball } from './read-tarball.ts';

const NPM_PACKAGE_NAME = /^(?:@[a-z0-9_.-]+\/)?[a-z0-9][a-z0-9_.-]*$/i;
const NPM_PACKAGE_VERSION = /^[\w.+-]{1,100}$/;
const Packed = z
	.array(z.looseObject({ filename: z.string().regex(/^[\w.@+-]+\.tgz$/), version: z.string() }))
	.length(1);
const Integrity = z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/);

interface ProgramLine {
	readonly program: string;
	/** Before those of npm itself. */
	readonly args: readonly string[];
}

/** `pinned`: the sha512 that its bytes must have; absent: the one that the registry vouches for. Rejects with DOWNLOAD_FAILED. */
export async function fetchNpmPackage(
	{
		package: name = '',
		version = 'latest',
		registry,
		pinned,
	}: Pick<Elsewhere, 'package' | 'version' | 'registry'> & { readonly pinned?: string },
	{ store, environment }: GitAccess,
	signal: AbortSignal,
): Promise<IndexTree> {
	if (
		!NPM_PACKAGE_NAME.test(name) ||
		!NPM_PACKAGE_VERSION.test(version) ||
		(registry !== undefined && !registry.startsWith('https://'))
	) {
		throw createPluginError(`"${name}@${version}" names no version of a package of npm`);
	}
	await mkdir(store, { recursive: true, mode: 0o700 });
	const folder = await mkdtemp(join(store, 'npm-'));
	try {
		const npm = await npmProgram(folder, environment);
		const runNpm = async (...args: readonly string[]) => {
			const from = registry === undefined ? [] : ['--registry', registry];
			const limits = { outputBytes: MAX_PLUGIN_FILE_BYTES, timeoutMs: INDEX_TIMEOUT_MS };
			const all = [...npm.args, ...args, '--json', '--ignore-scripts', ...from];
			const { exitCode, stdout, stderr } = await runGit(npm.program, all, folder, environment, limits, signal);
			if (exitCode !== 0) {
				const lines = stderr.split('\n').filter((line) => /^npm error (?!code)/.test(line));
				throw createPluginError(
					`npm cannot get ${name}@${version}: ${lines[0] ?? `it ends with ${exitCode ?? 'a signal'}`}`,
				);
			}
			return stdout.toString('utf8');
		};
		const [packed] = parsePluginJson(
			Packed,
			await runNpm('pack', '--pack-destination', folder, `${name}@${version}`),
			'npm pack',
		);
		if (packed === undefined) throw createPluginError(`npm cannot get ${name}@${version}`);
		const vouched = pinned ?? (await vouchedFor(`${name}@${packed.version}`, runNpm));
		if (vouched === undefined) {
			throw createPluginError(`the registry gives no sha512 of ${name}@${packed.version}, so it is not taken`);
		}
		const path = join(folder, packed.filename);
		if ((await stat(path)).size > MAX_ARCHIVE_BYTES) {
			throw createPluginError(`${name}@${packed.version} has more than ${MAX_ARCHIVE_BYTES} bytes`);
		}
		const bytes = await readRegularFile(await realpath(path), MAX_ARCHIVE_BYTES);
		const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
		if (integrity !== vouched) {
			throw createPluginError(
				`${name}@${packed.version} has the content ${integrity}, and ${pinned === undefined ? 'its registry says' : 'expected was'} ${vouched}`,
			);
		}
		return new FilesTree(readTarball(bytes));
	} catch (error) {
		signal.throwIfAborted();
		throw isProwessError(error) ? error : createPluginError(toErrorMessage(error), error);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function vouchedFor(
	name: string,
	runNpm: (...args: readonly string[]) => Promise<string>,
): Promise<string | undefined> {
	const said = await runNpm('view', name, 'dist.integrity');
	return Integrity.safeParse(said.trim() === '' ? '' : JSON.parse(said)).data;
}

/** Rejects with COMMAND_NOT_FOUND where there is no npm, or no Node for it, and as an index that fails where its script is missing. */
async function npmProgram(cwd: string, environment: Readonly<Record<string, string>>): Promise<ProgramLine> {
	return await resolveNpmStart(await findProgram('npm', cwd, environment), () => findProgram('node', cwd, environment));
}

/**
 * Returns the program and first arguments that start npm, given the path where npm was found. On Windows npm is a `.cmd`,
 * which only a shell can start: then they start the Node script that the `.cmd` would start.
 */
export async function resolveNpmStart(npm: string, findNode: () => Promise<string>): Promise<ProgramLine> {
	if (!/\.(?:cmd|bat)$/i.test(npm)) {
		return { program: npm, args: [] };
	}
	const script = join(dirname(npm), 'node_modules', 'npm', 'bin', 'npm-cli.js');
	if (!existsSync(script)) {
		throw createPluginError(`${npm} starts ${script}, which is not there; install Node.js with npm again`);
	}
	const beside = join(dirname(npm), 'node.exe');
	return { program: existsSync(beside) ? beside : await findNode(), args: [script] };
}
