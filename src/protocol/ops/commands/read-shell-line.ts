/**
 * A line as a shell would take it, read as the simple commands that it is made of: words in quotes or not, the operators
 * between commands, redirections to files. Variables, substitutions, most wildcards, documents in the line, control flow and what
 * the system makes up (`/dev`) are not read: they need a shell to mean something. The line itself is never run.
 */
import { isBelowCwd, isElsewhere, isTemporary, NULL_DEVICE_PATH, type Redirect } from './redirect.ts';
import { changesNamed, changesNothing, hasWildcard, homePattern, isHomeWord, toWildcardPattern } from './wildcards.ts';
import type { CommandChain, Join, SimpleCommand } from './command-chain.ts';

/** Longest line that is read. */
const MAX_SHELL_LINE_CHARS = 20_000;

/** Undefined when a shell would act on anything in the line that is not read here, or a command is missing. */
export function readShellLine(line: string): CommandChain | undefined {
	if (line.length > MAX_SHELL_LINE_CHARS || line.includes('\0')) {
		return undefined;
	}
	try {
		return new ShellLineReader(line).read();
	} catch (error) {
		if (error instanceof NeedsShell) {
			return undefined;
		}
		throw error;
	}
}

class NeedsShell extends Error {}

function needsShell(): never {
	throw new NeedsShell();
}

interface ShellWord {
	readonly text: string;
	/** The characters outside of quotes; `\0` stands for each that a quote or a backslash keeps from the shell. */
	readonly bare: string;
}

type Mutable = { join: Join; words: ShellWord[]; redirects: Redirect[] };

/** `<`, `>`, their files and streams; the number of a descriptor stands right before it. */
const REDIRECTION_SIGN = /(?:&>>|&>|>>|>\||>&|<|>)/y;
const ASSIGNMENT_PREFIX = /^[A-Za-z_]\w*=/;

class ShellLineReader {
	readonly #line: string;
	#at = 0;
	readonly #commands: Mutable[] = [];
	#command: Mutable = { join: ';', words: [], redirects: [] };

	constructor(line: string) {
		this.#line = line;
	}

	read(): CommandChain {
		while (this.#at < this.#line.length) {
			this.#step();
		}
		if (!this.#isEmpty()) {
			this.#commands.push(this.#command);
		} else if (this.#command.join !== ';') {
			needsShell();
		}
		this.#refuseUsedElsewhere();
		const read = this.#commands.map(({ join }, index) => ({ join, ...this.#commandAt(index) }));
		const [first, ...chain] = read;
		if (first === undefined) {
			return needsShell();
		}
		const { join: _, ...command } = first;
		return chain.length === 0 ? command : { ...command, chain };
	}

	#step(): void {
		const rest = this.#line.slice(this.#at, this.#at + 3);
		const [char = ''] = rest;
		if (char === ' ' || char === '\t') {
			this.#at++;
		} else if (rest.startsWith('\\\n')) {
			this.#at += 2;
		} else if (char === '#') {
			const end = this.#line.indexOf('\n', this.#at);
			this.#at = end === -1 ? this.#line.length : end;
		} else if (char === '\n') {
			this.#at++;
			// Between commands a line end is a blank.
			if (!this.#isEmpty()) this.#end(';');
		} else if (rest.startsWith('&&') || rest.startsWith('||')) {
			this.#at += 2;
			this.#end(char === '&' ? '&&' : '||');
		} else if (rest.startsWith('|&')) {
			this.#at += 2;
			this.#command.redirects.push({ stream: 'stderr', to: 'stdout' });
			this.#end('|');
		} else if (char === '|') {
			this.#at++;
			this.#end('|');
		} else if (char === ';' && !rest.startsWith(';;') && !rest.startsWith(';&')) {
			this.#at++;
			this.#end(';');
		} else if (/^(?:\d?[<>]|&>)/.test(rest)) {
			this.#redirect();
		} else if (/[;&<>]/.test(char)) {
			needsShell();
		} else {
			const word = this.#word();
			// The number of another descriptor, or a variable for one.
			if (/^(?:\d+|\{\w+\})$/.test(word.bare) && /[<>]/.test(this.#line.charAt(this.#at))) needsShell();
			this.#command.words.push(word);
		}
	}

	#isEmpty(): boolean {
		return this.#command.words.length === 0 && this.#command.redirects.length === 0;
	}

	#end(join: Join): void {
		if (this.#isEmpty()) {
			needsShell();
		}
		this.#commands.push(this.#command);
		this.#command = { join, words: [], redirects: [] };
	}

	#commandAt(index: number): SimpleCommand {
		const { words, redirects } = this.#commands[index] ?? this.#command;
		const assigned = words.findIndex(({ bare }) => !ASSIGNMENT_PREFIX.test(bare));
		const [program] = words.slice(Math.max(0, assigned));
		if (assigned === -1 || program === undefined || program.text === '' || isForShell(program.text)) {
			return needsShell();
		}
		if (/^[{}!]|\}$|^\w+(?:\[.*\])?\+?=/.test(program.bare) || (assigned > 0 && program.text.includes('='))) {
			needsShell();
		}
		// Which of two texts comes first is told by the `test` of a shell alone.
		if (/^(?:test|\[)$/.test(program.text) && words.some(({ text }) => text === '<' || text === '>')) {
			needsShell();
		}
		const hasHome = ({ bare }: ShellWord, place: number) => place > 0 && assigned === 0 && isHomeWord(bare);
		const wildcards = words.filter(({ bare }) => hasWildcard(bare));
		const patterns = words.flatMap((word, place) => (hasWildcard(word.bare) || hasHome(word, place) ? [place] : []));
		if (wildcards.length > 0 && !(assigned === 0 && this.#isUnchangedBefore(index) && standForFiles(words))) {
			needsShell();
		}
		const argv = words.map((word, place) => {
			if (hasHome(word, place)) return homePattern(word.text);
			refuseActedOn(word);
			return hasWildcard(word.bare) ? (toWildcardPattern(word.text, word.bare) ?? needsShell()) : word.text;
		});
		// A pipe takes the rest; else both streams come together anyway.
		const isPiped = this.#commands[index + 1]?.join === '|';
		const kept = isPiped || redirects.some((each) => 'path' in each) ? redirects : [];
		return {
			argv: assigned === 0 ? argv : ['env', ...argv],
			...(kept.length === 0 ? {} : { redirects: kept }),
			...(patterns.length === 0 ? {} : { patterns }),
		};
	}

	/** Wildcards are looked up before anything runs: what runs before them must neither make nor remove a file. */
	#isUnchangedBefore(index: number): boolean {
		return this.#commands.slice(0, index).every(({ words, redirects }) => {
			const isWritten = redirects.some(
				(each) => 'path' in each && each.mode !== 'read' && each.path !== NULL_DEVICE_PATH,
			);
			return changesNothing(words.map(({ text }) => text)) && !isWritten;
		});
	}

	/** A file elsewhere is opened for the stream alone: in a sandbox a program would look for it in vain. */
	#refuseUsedElsewhere(): void {
		const words = this.#commands.flatMap((command) => command.words.map(({ text }) => text));
		const files = this.#commands.flatMap(({ redirects }) =>
			redirects.flatMap((each) => ('path' in each ? [each.path] : [])),
		);
		const isUsed = (path: string) => words.some((word) => word.includes(path));
		if (files.some((path) => isElsewhere(path) && !isTemporary(path) && isUsed(path))) needsShell();
	}

	#redirect(): void {
		const [, digit = ''] = /^(\d?)/.exec(this.#line.slice(this.#at)) ?? [];
		this.#at += digit.length;
		REDIRECTION_SIGN.lastIndex = this.#at;
		const [sign = ''] = REDIRECTION_SIGN.exec(this.#line) ?? [];
		this.#at += sign.length;
		const next = this.#line.charAt(this.#at);
		if (sign === '' || /^[<>&|(]/.test(next) || (sign === '<' ? !/^0?$/.test(digit) : !/^[12]?$/.test(digit))) {
			needsShell();
		}
		while (/[ \t]/.test(this.#line.charAt(this.#at))) {
			this.#at++;
		}
		if (/^[|&;<>()#\n]?$/.test(this.#line.charAt(this.#at))) {
			needsShell();
		}
		const target = this.#word();
		const stream = digit === '2' ? 'stderr' : 'stdout';
		if (sign === '>&' && /^[12]$/.test(target.bare)) {
			const to = target.bare === '2' ? 'stderr' : 'stdout';
			if (to !== stream) this.#command.redirects.push({ stream, to });
			return;
		}
		const path = requireWordPath(target);
		if (sign === '<') {
			// Most of the disk can be read in a sandbox, without a question.
			if (isElsewhere(path) && !isTemporary(path)) needsShell();
			this.#command.redirects.push({ stream: 'stdin', mode: 'read', path });
		} else if (sign === '>&' || sign.startsWith('&')) {
			// `2>& file` is an error, and `>& 3` another descriptor.
			if (digit !== '' || (sign === '>&' && /^[\d-]+$/.test(path))) needsShell();
			const mode = sign === '&>>' ? 'append' : 'write';
			this.#command.redirects.push({ stream: 'stdout', mode, path }, { stream: 'stderr', to: 'stdout' });
		} else {
			this.#command.redirects.push({ stream, mode: sign === '>>' ? 'append' : 'write', path });
		}
	}

	#word(): ShellWord {
		let text = '';
		let bare = '';
		const addQuoted = (characters: string) => {
			text += characters;
			bare += '\0'.repeat(Math.max(1, characters.length));
		};
		for (; this.#at < this.#line.length; this.#at++) {
			const char = this.#line.charAt(this.#at);
			if (/[\s|&;<>]/.test(char)) {
				if (!/[ \t\n|&;<>]/.test(char)) needsShell();
				break;
			}
			if (char === '\\') {
				this.#at++;
				const next = this.#line.charAt(this.#at);
				if (next === '') needsShell();
				if (next !== '\n') addQuoted(next);
			} else if (char === "'") {
				const end = this.#line.indexOf("'", this.#at + 1);
				if (end === -1) needsShell();
				addQuoted(this.#line.slice(this.#at + 1, end));
				this.#at = end;
			} else if (char === '"') {
				addQuoted(this.#doubleQuoted());
			} else if (/[`()]/.test(char) || (char === '$' && !this.#isPlainDollar(false))) {
				needsShell();
			} else {
				text += char;
				bare += char;
			}
		}
		return { text, bare };
	}

	/** Leaves the reader at the closing quote. */
	#doubleQuoted(): string {
		let text = '';
		for (this.#at++; ; this.#at++) {
			const char = this.#line.charAt(this.#at);
			if (char === '"') {
				return text;
			}
			if (char === '' || char === '`' || (char === '$' && !this.#isPlainDollar(true))) {
				needsShell();
			}
			if (char === '\\') {
				const next = this.#line.charAt(this.#at + 1);
				if (next === '') needsShell();
				if (/["\\$`\n]/.test(next)) this.#at++;
				text += next === '\n' ? '' : /["\\$`]/.test(next) ? next : char;
			} else {
				text += char;
			}
		}
	}

	/** Before what no name begins with it stands for itself; outside of quotes `$"` and `$'` begin another kind of text. */
	#isPlainDollar(isQuoted: boolean): boolean {
		const next = this.#line.charAt(this.#at + 1);
		return /^(?:[\s/.,:;|%^=~+\\]|$)/.test(next) || (isQuoted && next === '"');
	}
}

/** Returns true when the words with wildcards can only stand for files that are there. */
function standForFiles(words: readonly ShellWord[]): boolean {
	const argv = words.map(({ text }) => text);
	return changesNothing(argv) || words.every(({ text, bare }) => !hasWildcard(bare) || changesNamed(argv, text));
}

/** Words that a shell would not pass on as they are. */
function refuseActedOn({ bare }: ShellWord): void {
	const isBraced = /\{.*(?:,|\.\.).*\}/s.test(bare);
	// In an assignment a home may follow each colon.
	const isHome = bare.startsWith('~') || (ASSIGNMENT_PREFIX.test(bare) && /[=:]~/.test(bare));
	if (isBraced || isHome) {
		needsShell();
	}
}

function requireWordPath({ text, bare }: ShellWord): string {
	const isHome = bare.startsWith('~/');
	if (!isHome) refuseActedOn({ text, bare });
	if (hasWildcard(bare) || (text.startsWith('~') && !isHome) || /\{.*(?:,|\.\.).*\}/s.test(bare)) needsShell();
	return text !== '' && (text === NULL_DEVICE_PATH || isBelowCwd(text) || isElsewhere(text)) ? text : needsShell();
}

/** Names without a program; `echo`, `test` and others that exist as one, too, are not among them. */
const SHELL_BUILTINS = new Set(
	(
		'cd,export,source,.,set,unset,alias,unalias,eval,exec,ulimit,umask,wait,type,command,builtin,trap,shift,return,exit,:,read,' +
		'readonly,jobs,fg,bg,disown,suspend,pushd,popd,dirs,shopt,enable,declare,typeset,local,let,getopts,hash,history,fc,help,logout,' +
		'bind,caller,compgen,complete,compopt,mapfile,readarray,times,break,continue,' +
		'[[,]],case,coproc,do,done,elif,else,esac,fi,for,function,if,in,select,then,time,until,while,!,{,},('
	).split(','),
);

/** Returns true when only a shell knows the word, where a program is expected. */
export function isForShell(program: string): boolean {
	return SHELL_BUILTINS.has(program);
}
