/** Which steps the words on the command line mean, and what they need to have been set up. */

import { globSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { ensureBubblewrap } from '../setup/bubblewrap.mjs';
import { ensureChromium } from '../setup/chromium.mjs';
import { ensureMcpServers } from '../setup/mcp-servers.mjs';
import { root } from '../setup/paths.mjs';
import { ensurePostgres } from '../setup/postgres.mjs';
import { StepFailed } from '../setup/step-failed.mjs';
import { ensureVscode } from '../setup/vscode.mjs';
import { type Step, steps, testEnvironment } from './steps.ts';

/** The steps of these names or groups; without names all that do not run on demand only. */
export function choose(names: readonly string[]): Step[] {
	const known = new Set(steps.flatMap(({ name, groups }) => [name, ...groups]));
	for (const name of names) {
		if (known.has(name)) continue;
		throw new StepFailed(`there is no step "${name}"`, { advice: `Choose among ${[...known].sort().join(', ')}.` });
	}
	return steps.filter(({ name, groups }) =>
		names.length === 0
			? !groups.includes('on demand')
			: names.includes(name) || groups.some((group) => names.includes(group)),
	);
}

/** Paths given on the command line as the steps name their files: relative to the repository, with slashes. */
export function asSpecFiles(paths: readonly string[]): string[] {
	return paths.map((path) => relative(root, resolve(path)).replaceAll(sep, '/'));
}

/** The names of the steps that these spec files belong to. */
export function stepsThatRun(given: readonly string[]): string[] {
	const running = steps.filter((step) => filesOf(step, given).length > 0);
	const strays = given.filter((file) => !running.some((step) => filesOf(step, [file]).length > 0));
	if (strays.length === 0) return running.map(({ name }) => name);
	throw new StepFailed(`no step runs ${strays.join(', ')}`, {
		advice: 'Name spec files, such as src/base/emitter.test.ts.',
	});
}

export function filesOf({ files = [] }: Step, given: readonly string[]): string[] {
	return given.length === 0 ? [] : globSync([...files], { cwd: root }).filter((file) => given.includes(file));
}

/** Sets up what these steps need, and returns the environment of their specs. */
export async function setUp(wanted: readonly Step[]): Promise<NodeJS.ProcessEnv> {
	const needs = new Set(wanted.flatMap((step) => step.needs));
	const env = testEnvironment();
	if (needs.has('bubblewrap')) {
		// Empty: there is none, wherever a spec would look for it.
		env['PROWESS_TEST_BWRAP'] ??= (await ensureBubblewrap()) ?? '';
	}
	if (needs.has('chromium')) env['PROWESS_CHROMIUM'] = await ensureChromium();
	if (needs.has('postgres')) env['PROWESS_POSTGRES'] = await ensurePostgres();
	if (needs.has('mcpServers')) env['PROWESS_MCP_SERVERS'] = await ensureMcpServers();
	if (needs.has('vscode')) env['PROWESS_VSCODE_SERVER'] = await ensureVscode(process.execPath);
	return env;
}
