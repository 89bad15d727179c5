/**
 * Finds the program that starts npm. On Windows npm is a `.cmd`, which only a shell can start, so this module starts
 * the Node script that the `.cmd` would start.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram } from '../../../machine/shell/find-program.ts';
import { createPluginError } from '../indexes/plugin-files.ts';

interface ProgramLine {
	readonly program: string;
	/** Before those of npm itself. */
	readonly args: readonly string[];
}

/** Rejects with COMMAND_NOT_FOUND where there is no npm, or no Node for it, and as an index that fails where its script is missing. */
export async function npmProgram(cwd: string, environment: Readonly<Record<string, string>>): Promise<ProgramLine> {
	return await resolveNpmStart(await findProgram('npm', cwd, environment), () => findProgram('node', cwd, environment));
}

/** Returns the program and first arguments that start npm, given the path where npm was found. */
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
