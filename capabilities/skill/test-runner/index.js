/** Finds out how a project is tested, runs that, and says what failed where. */
import { detect } from './detect.js';
import { runners } from './runners/index.js';

export async function execute({ path = '.', runner, filter, timeoutMs = 600_000 }, { host, progress, projectPath }) {
	const name = runner ?? (await detect(path, host));
	if (name === undefined) {
		throw new Error(`${path}: found no tests; looked for package.json, pyproject.toml, Cargo.toml and go.mod`);
	}
	const { argv, read } = runners[name] ?? {};
	if (argv === undefined) {
		throw new Error(`runner: expected one of ${Object.keys(runners).join(', ')}, got "${name}"`);
	}
	const command = argv(filter);
	progress(`running ${command.join(' ')}`);
	const ended = await host.shell.run({ argv: command, cwd: path, timeoutMs });
	const { passed, failures: named } = read(ended.output);
	const failures = named.map((failure) => ({ ...failure, file: inProject(failure.file, projectPath) }));
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

/** Runners name files as they see them; a reader wants them as they are in the project. */
function inProject(file, projectPath) {
	return file !== null && projectPath !== null && file.startsWith(`${projectPath}/`)
		? file.slice(projectPath.length + 1)
		: file;
}
