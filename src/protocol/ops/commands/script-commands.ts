/**
 * Commands that a shell would run for a script: their words, each with its place in the text, what feeds them and which files
 * they write. For warnings only, so what it cannot read it passes over; nothing is allowed because of it.
 */

/** Half-open range of characters in one argument of one of an op's commands. */
export interface ScriptWordPlace {
	readonly command: number;
	readonly argument: number;
	readonly start: number;
	readonly end: number;
}

export interface ScriptWord {
	readonly text: string;
	readonly place: ScriptWordPlace;
	/** Commands whose output stands in the word: `$(…)`, `<(…)`, backticks. */
	readonly runs: readonly ScriptCommand[];
}

export interface ScriptCommand {
	readonly words: readonly ScriptWord[];
	/** Command before it in its pipe. */
	readonly feeder: ScriptCommand | undefined;
	/** Files it would write by a redirection. */
	readonly writes: readonly ScriptWord[];
	/** Numbers of the subshells that hold it, the outermost first, without those that are nested too deeply; absent: none. */
	readonly subshells?: readonly number[];
}

/** Place of a range of the script. */
type PlaceOf = (start: number, end: number) => ScriptWordPlace;

const MAX_SCRIPT_DEPTH = 6;
const SCRIPT_KEYWORDS = new Set(
	'if then elif else fi while until do done for in case esac ! { } time function coproc'.split(' '),
);
const SCRIPT_ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

const SHELL_NAMES = /^(?:.*\/)?(?:ba|da|z|k)?sh$/;

/** Returns the script that a shell is given as an argument; undefined for other commands. */
export function findShellScript(argv: readonly string[]): string | undefined {
	const flag = SHELL_NAMES.test(argv[0] ?? '') ? argv.findIndex((word) => /^-[a-z]*c$/.test(word)) : -1;
	return flag === -1 ? undefined : argv[flag + 1];
}

const NO_PLACE = { command: 0, argument: 0, start: 0, end: 0 };
const placeNowhere = () => NO_PLACE;

/** Absent `placeOf`: nobody asks for the places of the words. */
export function readScriptCommands(
	script: string,
	placeOf: PlaceOf = placeNowhere,
	depth = 0,
): readonly ScriptCommand[] {
	return depth > MAX_SCRIPT_DEPTH ? [] : new ScriptReader(script, placeOf, depth).read();
}

class ScriptReader {
	readonly #script: string;
	readonly #placeOf: PlaceOf;
	readonly #depth: number;
	readonly #commands: ScriptCommand[] = [];
	#feeder: ScriptCommand | undefined;
	#words: ScriptWord[] = [];
	#writes: ScriptWord[] = [];
	#word: { start: number; text: string; runs: ScriptCommand[] } | undefined;
	/** Purpose of the next word, where it is no argument. */
	#next: 'write' | 'other' | undefined;
	/** Open subshells, the number of those that are nested too deeply, and of all so far. */
	#subshells: readonly number[] = [];
	#deeper = 0;
	#opened = 0;
	readonly #bodies: string[] = [];
	#at = 0;

	constructor(script: string, placeOf: PlaceOf, depth: number) {
		this.#script = script;
		this.#placeOf = placeOf;
		this.#depth = depth;
	}

	read(): readonly ScriptCommand[] {
		while (this.#at < this.#script.length) {
			this.#step(this.#script.charAt(this.#at));
		}
		this.#endCommand(false);
		return this.#commands;
	}

	#step(char: string): void {
		switch (char) {
			case ' ':
			case '\t':
			case '\r':
				this.#endWord();
				this.#at++;
				return;
			case '\n':
				this.#endCommand(false);
				this.#at++;
				this.#skipBodies();
				return;
			case ';':
			case '(':
			case ')':
				this.#endCommand(false);
				this.#at++;
				if (char === '(') this.#enterSubshell();
				else if (char === ')') this.#leaveSubshell();
				return;
			case '&':
			case '|':
				this.#operator(char);
				return;
			case '<':
			case '>':
				this.#redirection(char);
				return;
			case '#':
				if (this.#word === undefined) {
					this.#at = this.#indexOf('\n', this.#at);
				} else {
					this.#add(char);
				}
				return;
			case '\\':
				this.#add(this.#script.charAt(this.#at + 1).replace('\n', ''), 2);
				return;
			case "'":
				this.#quoted(this.#at + 1);
				return;
			case '"':
				this.#doubleQuoted();
				return;
			case '$':
			case '`':
				this.#expansion(char);
				return;
			default:
				this.#add(char);
		}
	}

	#enterSubshell(): void {
		if (this.#subshells.length < MAX_SCRIPT_DEPTH) this.#subshells = [...this.#subshells, ++this.#opened];
		else this.#deeper++;
	}

	#leaveSubshell(): void {
		if (this.#deeper > 0) this.#deeper--;
		else this.#subshells = this.#subshells.slice(0, -1);
	}

	#operator(char: string): void {
		const next = this.#script.charAt(this.#at + 1);
		if (char === '&' && next === '>') {
			this.#endWord();
			this.#at++;
			return;
		}
		const isPipe = char === '|' && next !== '|';
		this.#endCommand(isPipe);
		this.#at += next === char || (isPipe && next === '&') ? 2 : 1;
	}

	#redirection(char: string): void {
		const rest = this.#script.slice(this.#at, this.#at + 3);
		if (rest.startsWith(`${char}(`)) {
			this.#substitution(this.#at + 2, ')');
			return;
		}
		// The number of a descriptor is no argument.
		if (this.#word !== undefined && /^\d$/.test(this.#word.text)) {
			this.#word = undefined;
		}
		this.#endWord();
		if (rest === '<<<') {
			this.#at += 3;
		} else if (rest.startsWith('<<')) {
			this.#hereDocument();
		} else {
			this.#at += /^(?:>>|>\||<>|>&|<&)/.test(rest) ? 2 : 1;
			this.#next = /^(?:>(?!&[\d-])|<>)/.test(rest) ? 'write' : 'other';
		}
	}

	/**
	 * Reads the start of a here-document, whose body begins with the next line. The body is input text of the command;
	 * for a shell it is more of the script.
	 */
	#hereDocument(): void {
		const found = /^<<-?[ \t]*(['"\\]?)([\w.-]+)\1/.exec(this.#script.slice(this.#at, this.#at + 100));
		const program = withoutPrefix(this.#words)[0]?.text ?? '';
		this.#at += found?.[0].length ?? 2;
		if (found?.[2] !== undefined && !/(?:^|\/)\w*sh$/.test(program)) {
			this.#bodies.push(found[2]);
		}
	}

	#skipBodies(): void {
		for (const end of this.#bodies.splice(0)) {
			for (let isBody = true; isBody && this.#at < this.#script.length;) {
				const lineEnd = this.#indexOf('\n', this.#at);
				isBody = this.#script.slice(this.#at, lineEnd).trim() !== end;
				this.#at = lineEnd + 1;
			}
		}
	}

	#doubleQuoted(): void {
		this.#add('', 1);
		while (this.#at < this.#script.length && this.#script.charAt(this.#at) !== '"') {
			const char = this.#script.charAt(this.#at);
			if (char === '\\') {
				this.#add(this.#script.charAt(this.#at + 1), 2);
			} else if (char === '$' || char === '`') {
				this.#expansion(char);
			} else {
				this.#add(char);
			}
		}
		this.#at++;
	}

	#expansion(char: string): void {
		const next = this.#script.charAt(this.#at + 1);
		if (char === '`') {
			this.#substitution(this.#at + 1, '`');
		} else if (next === '(' && this.#script.charAt(this.#at + 2) !== '(') {
			this.#substitution(this.#at + 2, ')');
		} else if (next === "'") {
			this.#quoted(this.#at + 2);
		} else {
			this.#add(char);
		}
	}

	#quoted(start: number): void {
		const end = this.#indexOf("'", start);
		this.#add(this.#script.slice(start, end), end + 1 - this.#at);
	}

	#substitution(start: number, closing: ')' | '`'): void {
		const end = closing === '`' ? this.#indexOf('`', start) : this.#closingOf(start);
		const placeOf: PlaceOf = (from, to) => this.#placeOf(start + from, start + to);
		const inner = readScriptCommands(this.#script.slice(start, end), placeOf, this.#depth + 1);
		this.#add(this.#script.slice(this.#at, end + 1), end + 1 - this.#at);
		this.#word?.runs.push(...inner);
	}

	#closingOf(start: number): number {
		let open = 1;
		for (let at = start; at < this.#script.length; at++) {
			const char = this.#script.charAt(at);
			if (char === '\\') {
				at++;
			} else if (char === "'") {
				at = this.#indexOf("'", at + 1);
			} else if (char === '(') {
				open++;
			} else if (char === ')' && --open === 0) {
				return at;
			}
		}
		return this.#script.length;
	}

	#indexOf(char: string, from: number): number {
		const found = this.#script.indexOf(char, from);
		return found === -1 ? this.#script.length : found;
	}

	/** Adds to the word; `length`: how many characters of the script it stands for. */
	#add(text: string, length = 1): void {
		this.#word ??= { start: this.#at, text: '', runs: [] };
		this.#word.text += text;
		this.#at += length;
	}

	#endWord(): void {
		if (this.#word === undefined) {
			return;
		}
		const { start, text, runs } = this.#word;
		const word = { text, runs, place: this.#placeOf(start, Math.min(this.#at, this.#script.length)) };
		if (this.#next === undefined) {
			this.#words.push(word);
		} else if (this.#next === 'write') {
			this.#writes.push(word);
		}
		this.#word = undefined;
		this.#next = undefined;
	}

	#endCommand(isPiped: boolean): void {
		this.#endWord();
		const words = withoutPrefix(this.#words);
		if (words.length > 0 || this.#writes.length > 0 || this.#words.some(({ runs }) => runs.length > 0)) {
			const kept = words.length > 0 ? words : this.#words;
			const subshells = this.#subshells.length === 0 ? {} : { subshells: this.#subshells };
			this.#feeder = { words: kept, feeder: this.#feeder, writes: this.#writes, ...subshells };
			this.#commands.push(this.#feeder);
		}
		if (!isPiped) {
			this.#feeder = undefined;
		}
		this.#words = [];
		this.#writes = [];
		this.#next = undefined;
	}
}

/** Without what a shell reads before the program: its own words, and variables. */
function withoutPrefix(words: readonly ScriptWord[]): readonly ScriptWord[] {
	const first = words.findIndex(({ text }) => !SCRIPT_KEYWORDS.has(text) && !SCRIPT_ASSIGNMENT.test(text));
	return first === -1 ? [] : words.slice(first);
}
