/** Commands that a command runs: `sudo X`, `env A=b X`, `xargs X`, `find -exec X ;`. */
import type { ScriptWord } from './script-commands.ts';

interface Wrapper {
	/** Flags whose value is the next word. */
	readonly valued?: string;
	/** Operands before the command. */
	readonly operands?: number;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
	sudo: { valued: '-u -g -h -p -C -r -t -T -U -D -R' },
	doas: { valued: '-u -C' },
	pkexec: { valued: '--user' },
	gsudo: { valued: '-u' },
	env: { valued: '-u -C --unset --chdir' },
	nice: { valued: '-n --adjustment' },
	ionice: { valued: '-c -n -p' },
	chrt: { operands: 1 },
	taskset: { operands: 1 },
	nohup: {},
	setsid: {},
	stdbuf: { valued: '-i -o -e' },
	timeout: { valued: '-s -k --signal --kill-after', operands: 1 },
	time: { valued: '-f -o' },
	command: {},
	builtin: {},
	eval: {},
	exec: { valued: '-a' },
	busybox: {},
	toybox: {},
	chronic: {},
	caffeinate: { valued: '-t -w' },
	watch: { valued: '-n --interval' },
	xargs: { valued: '-I -n -P -L -d -E -s -a --max-args --max-procs --delimiter --replace' },
	parallel: { valued: '-j --jobs -I' },
	flock: { valued: '-w -c', operands: 1 },
	chroot: { operands: 1 },
	unshare: {},
	npx: { valued: '-p --package -c' },
	pnpx: {},
	bunx: {},
	start: {},
};

export function unwrapCommands(program: string, rest: readonly ScriptWord[]): readonly (readonly ScriptWord[])[] {
	if (program === 'find' || program === 'fd') {
		return [...listExecutedCommands(rest)];
	}
	const before = countWrapperWords(
		program,
		rest.map(({ text }) => text),
	);
	const inner = before === undefined ? [] : rest.slice(before);
	return inner.length === 0 ? [] : [inner];
}

/** Returns how many words a wrapper has before the command that it runs; undefined: the program is no wrapper. */
export function countWrapperWords(program: string, rest: readonly string[]): number | undefined {
	const wrapper = Object.hasOwn(WRAPPERS, program) ? WRAPPERS[program] : undefined;
	if (wrapper === undefined) {
		return undefined;
	}
	const valued = wrapper.valued?.split(' ') ?? [];
	let at = 0;
	for (let operands = wrapper.operands ?? 0; at < rest.length; at++) {
		const word = rest[at] ?? '';
		if (valued.includes(word)) {
			at++;
		} else if (!word.startsWith('-') && !/^[A-Za-z_]\w*=/.test(word) && operands-- <= 0) {
			break;
		}
	}
	return at;
}

/** Yields the commands that `find` and `fd` run for each match. */
function* listExecutedCommands(rest: readonly ScriptWord[]): Iterable<readonly ScriptWord[]> {
	for (const [index, { text }] of rest.entries()) {
		if (/^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(text)) {
			const after = rest.slice(index + 1);
			const end = after.findIndex((word) => word.text === ';' || word.text === '+');
			yield end === -1 ? after : after.slice(0, end);
		}
	}
}
