/** Words that a shell has instead of a program, and which shell understands a line. */

/** There is no such program. */
const BUILT_IN = new Set(
	(
		'cd,export,source,.,set,unset,alias,eval,exec,ulimit,umask,wait,type,command,trap,shift,return,exit,:,read,jobs,fg,bg,' +
		'pushd,popd,shopt,declare,local,let,[[,if,for,while,until,case,function,!,{,('
	).split(','),
);

export function isForShell(word: string, index: number): boolean {
	return index === 0 && BUILT_IN.has(word);
}

const QUOTED = /'[^']*'|"(?:[^"\\]|\\.)*"/g;
const OF_BASH = new RegExp(
	[
		String.raw`(?:^|[\s;&|(])(?:\[\[|source|declare|local|pushd|popd|shopt|let|time|function)\s`,
		String.raw`[<>]\(|&>|\|&|<<<|\$'|\w\+?=\(|\*\*|pipefail`,
		String.raw`\{[^\s{}]*(?:,|\.\.)[^\s{}]*\}|\$\{\w+(?:\^|,|/|:\d)`,
	].join('|'),
);

/** What runs the line: `sh`, or `bash` where `sh` would take it for something else. */
export function shellFor(line: string): readonly string[] {
	const bare = line.replaceAll(QUOTED, '""');
	if (!OF_BASH.test(bare)) {
		return ['sh', '-c', line];
	}
	return bare.includes('**') ? ['bash', '-O', 'globstar', '-c', line] : ['bash', '-c', line];
}
