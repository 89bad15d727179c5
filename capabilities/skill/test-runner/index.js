/** Finds out how a project is tested, runs that, and says what failed where. */
import { isAbsolute, posix } from 'node:path';
import { detect } from './detect.js';
import { commandFor, runners } from './runners/index.js';

export async function execute({ path = '.', runner, filter, timeoutMs = 600_000 }, { host, progress, projectPath }) {
	const found = runner === undefined ? await detect(path, host) : { name: runner };
	if (found === undefined) {
		throw new Error(`${path}: found no tests; looked for package.json, pyproject.toml, Cargo.toml and go.mod`);
	}
	const { name, script } = found;
	if (!Object.hasOwn(runners, name)) {
		throw new Error(`runner: expected one of ${Object.keys(runners).join(', ')}, got "${name}"`);
	}
	const command = commandFor(name, filter, script);
	progress(`running ${command.join(' ')}`);
	const ended = await host.shell.run({ argv: command, cwd: path, timeoutMs });
	const { passed, failures: named } = runners[name].read(ended.output);
	const failures = named.map(({ name: test, file, ...failure }) => {
		const place = file === null ? null : inProject(file, path, projectPath);
		return { name: test === file ? place : test, file: place, ...failure };
	});
	const isGreen = ended.exitCode === 0 && failures.length === 0;
	return {
		runner: name,
		command,
		success: isGreen,
		exitCode: ended.exitCode,
		timedOut: ended.timedOut,
		passed,
		failed: failures.length,
		failures,
		// A run that failed without naming a test has failed before them: its words are all there is.
		...(isGreen || failures.length > 0 ? {} : { output: ended.output.slice(-4_000) }),
	};
}

/** Runners name files from where they run, or from the root of the disk; a reader wants them as they are in the project. */
function inProject(file, path, projectPath) {
	if (!isAbsolute(file)) {
		return posix.normalize(`${path}/${file}`);
	}
	return projectPath !== null && file.startsWith(`${projectPath}/`) ? file.slice(projectPath.length + 1) : file;
}
