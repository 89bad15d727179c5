/** Which shell understands a line. */

const QUOTED_SHELL_TEXT = /'[^']*'|"(?:[^"\\]|\\.)*"/g;
const OF_BASH = new RegExp(
	[
		String.raw`(?:^|[\s;&|(])(?:\[\[|source|declare|local|pushd|popd|shopt|let|time|function)\s`,
		String.raw`[<>]\(|&>|\|&|<<<|\$"|\w\+?=\(|\*\*|pipefail`,
		String.raw`\{[^\s{}]*(?:,|\.\.)[^\s{}]*\}|\$\{\w+(?:\^|,|/|:\d)`,
	].join('|'),
);

/**
 * Returns the argv of the shell that runs the line: `sh`, or `bash` where `sh` would take the line for something else.
 */
export function chooseShell(line: string): readonly string[] {
	const bare = line.replaceAll(QUOTED_SHELL_TEXT, '""');
	if (!OF_BASH.test(bare)) {
		return ['sh', '-c', line];
	}
	return bare.includes('**') ? ['bash', '-O', 'globstar', '-c', line] : ['bash', '-c', line];
}
