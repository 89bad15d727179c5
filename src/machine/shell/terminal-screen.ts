/**
 * Screen of a terminal without a window, to tell what it would show of an output at its end: lines that a program
 * redraws count as it has drawn them last. A terminal of any width, whose cursor reaches `SCREEN_ROWS` lines back
 * (ECMA-48: CSI, OSC, DCS, SOS, PM, APC, single escapes, both 7-bit and 8-bit). Sequences may be split between chunks.
 * Colours, titles and bells are left out.
 */
import { ROW_CHARS, SCREEN_ROWS, SEQUENCE_CHARS } from './limits.ts';
import { ScreenRows } from './screen-rows.ts';
import { SentLines } from './sent-lines.ts';

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** A run of those without an effect, so that a flood of them is skipped at once. */
const WITHOUT_EFFECT = /[\u0000-\u0007\u000e-\u001a\u001c-\u001f\u007f]+/y;
/** A sequence without its last character. */
const CONTROL_SEQUENCE = /(?:\u001b\[|\u009b)([0-?]*)[ -/]*/y;
/** `]` OSC, `P` DCS, `X` SOS, `^` PM, `_` APC: everything up to their end is no text. */
const CONTROL_STRING = /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u0018\u001a\u001b\u009c]*/y;
const SINGLE_ESCAPE = /\u001b[ -/]*/y;
/** Text that comes in larger pieces goes past the screen, but for its last lines. */
const LARGE_TEXT = 4096;

export class TerminalScreen {
	readonly #onSettled: (text: string) => void;
	#rows = new ScreenRows();
	/** Lines that a program has put aside for a screen of its own. */
	#main: ScreenRows | undefined;
	/** A sequence whose end has not come. */
	#held = '';
	#settled = new SentLines();
	#live = new SentLines();
	/** Redraws of screens that are gone. */
	#redraws = 0;
	/** To be returned by the push that is under way. */
	#shown = '';
	/** The screen begins within a line that was too long for it. */
	#isWithinLine = false;

	/** `onSettled` gets, piece by piece, the text that nothing redraws any more. */
	constructor(onSettled: (text: string) => void = () => undefined) {
		this.#onSettled = onSettled;
	}

	/** True when there is text that was not settled. */
	get hasPending(): boolean {
		return this.#settled.hasMore(this.#main ?? this.#rows);
	}

	/**
	 * Takes a chunk. Returns what can be shown of it at once, to be added to what was shown before: lines that are complete,
	 * and what is added to the last one. A line is not shown again when it is redrawn.
	 */
	push(chunk: string): string {
		const text = this.#held + chunk;
		this.#held = '';
		for (let at = 0; at < text.length;) {
			CONTROL.lastIndex = at;
			const next = CONTROL.exec(text)?.index ?? text.length;
			if (next > at) {
				this.#write(text.slice(at, next));
			}
			at = next < text.length ? this.#control(text, next) : next;
			this.#scroll();
		}
		const shown = this.#shown + (this.#main === undefined ? this.#live.takeGrown(this.#rows) : '');
		this.#shown = '';
		return shown;
	}

	/** Returns what was not yet shown because it may be redrawn; to be called at the end of the output, before `flush`. */
	end(): string {
		return this.#live.takeAll(this.#main ?? this.#rows);
	}

	/** Settles all that is on the screen, as at the end of the output; later text redraws nothing of it. */
	flush(): void {
		const own = this.#main === undefined ? undefined : this.#rows;
		const rows = this.#main ?? this.#rows;
		const redraws = this.#redraws + rows.redraws;
		rows.trimEnd();
		this.#limit();
		const lines = this.#settled.takeAll(rows);
		const text = own === undefined ? lines : `${lines}${endOfLine(lines)}${own.all()}`;
		const mark = redraws === 0 ? '' : `${endOfLine(text)}[… ${redraws} redraws of lines left out …]\n`;
		if (own !== undefined) {
			this.#restart();
			this.#main = this.#rows;
			this.#rows = own;
		} else if (mark === '') {
			this.#drop(rows.count - 1);
		} else {
			this.#restart();
		}
		if (text + mark !== '') {
			this.#onSettled(text + mark);
		}
	}

	#write(text: string): void {
		let from = 0;
		if (text.length > LARGE_TEXT && this.#rows.isAtEnd) {
			from = startOfLastLines(text);
			if (from > 0) {
				this.#pass(text.slice(0, from));
			}
		}
		while (from <= text.length) {
			const end = text.indexOf('\n', from);
			this.#rows.write(text.slice(from, end === -1 ? text.length : end));
			if (end === -1) {
				break;
			}
			this.#rows.newLine();
			this.#isWithinLine = false;
			this.#scroll();
			from = end + 1;
		}
		if (this.#rows.length > ROW_CHARS) {
			this.#pass('');
		}
	}

	/** Settles the screen and the text after it; an empty screen begins. */
	#pass(text: string): void {
		if (this.#main !== undefined) {
			this.#rows = new ScreenRows();
			return;
		}
		const redraws = this.#redraws + this.#rows.redraws;
		this.#onSettled(this.#settled.takeAll(this.#rows) + text);
		this.#shown += this.#live.takeAll(this.#rows) + text;
		this.#restart();
		this.#redraws = redraws;
		this.#isWithinLine = text === '';
	}

	#restart(): void {
		this.#rows = new ScreenRows();
		this.#settled = new SentLines();
		this.#live = new SentLines();
		this.#redraws = 0;
		this.#isWithinLine = false;
	}

	/** Settles the lines that the cursor reaches no more. */
	#scroll(): void {
		const count = this.#rows.count - SCREEN_ROWS;
		if (count <= 0) {
			return;
		}
		if (this.#main !== undefined) {
			this.#rows.drop(count);
			return;
		}
		const text = this.#settled.takeLines(this.#rows, count);
		this.#shown += this.#live.takeLines(this.#rows, count);
		this.#drop(count);
		this.#onSettled(text);
	}

	#drop(count: number): void {
		this.#rows.drop(count);
		this.#settled.drop(count);
		this.#live.drop(count);
	}

	/** Forgets lines that are gone; their text stays with the readers. */
	#limit(): void {
		const { count } = this.#main ?? this.#rows;
		this.#settled.limitTo(count);
		this.#live.limitTo(count);
	}

	#beginLine(): void {
		if (this.#isWithinLine && this.#rows.isAtTop) {
			this.#isWithinLine = false;
			this.#settled.breakLine();
			this.#live.breakLine();
		}
		this.#rows.moveToColumn(0);
	}

	#enterOwnScreen(): void {
		if (this.#main === undefined) {
			this.#main = this.#rows;
			this.#rows = new ScreenRows();
		}
	}

	#leaveOwnScreen(): void {
		if (this.#main !== undefined) {
			this.#main.redraws += this.#rows.redraws + 1;
			this.#rows = this.#main;
			this.#main = undefined;
		}
	}

	/** Acts on the control character at a place. Returns where the text goes on. */
	#control(text: string, at: number): number {
		const code = text.charCodeAt(at);
		const effect = endOfMatch(WITHOUT_EFFECT, text, at);
		if (effect > at) {
			return effect;
		}
		switch (code) {
			case 0x08:
				this.#rows.moveBy(0, -1);
				return at + 1;
			case 0x0d:
				this.#beginLine();
				return at + 1;
			case 0x0b:
			case 0x0c:
			case 0x84:
				this.#rows.index();
				return at + 1;
			case 0x85:
				this.#rows.newLine();
				return at + 1;
			case 0x8d:
				this.#rows.reverseIndex();
				return at + 1;
		}
		const next = text.charAt(at + 1);
		if (code === 0x9b || (code === 0x1b && next === '[')) {
			return this.#sequence(text, at);
		}
		if ([0x90, 0x98, 0x9d, 0x9e, 0x9f].includes(code) || (code === 0x1b && /[\]PX^_]/.test(next))) {
			return this.#string(text, at);
		}
		return code === 0x1b ? this.#escape(text, at) : at + 1;
	}

	#sequence(text: string, at: number): number {
		CONTROL_SEQUENCE.lastIndex = at;
		const [whole = '', parameters = ''] = CONTROL_SEQUENCE.exec(text) ?? [];
		const end = at + whole.length;
		const last = text.charAt(end);
		if (last === '') {
			return this.#hold(text, at, end);
		}
		if (/[@-~]/.test(last)) {
			this.#act(last, parameters);
			return end + 1;
		}
		// Another character ends it without an effect; an escape begins the next one.
		return last === '\u001b' ? end : end + 1;
	}

	#string(text: string, at: number): number {
		const end = endOfMatch(CONTROL_STRING, text, at);
		if (text.charAt(end) === '' || (text.charAt(end) === '\u001b' && text.charAt(end + 1) === '')) {
			return this.#hold(text, at, end);
		}
		return text.charAt(end) === '\u001b' ? (text.charAt(end + 1) === '\\' ? end + 2 : end) : end + 1;
	}

	#escape(text: string, at: number): number {
		const end = endOfMatch(SINGLE_ESCAPE, text, at);
		const last = text.charAt(end);
		if (last === '') {
			return this.#hold(text, at, end);
		}
		if (end > at + 1) {
			return end + 1;
		}
		switch (last) {
			case '7':
				this.#rows.save();
				break;
			case '8':
				this.#rows.restore();
				break;
			case 'D':
				this.#rows.index();
				break;
			case 'E':
				this.#rows.newLine();
				break;
			case 'M':
				this.#rows.reverseIndex();
				break;
			case 'c':
				this.#leaveOwnScreen();
				this.#rows.erase(2);
				this.#rows.moveTo(0, 0);
				this.#limit();
				break;
			case '\u001b':
				return end;
		}
		return end + 1;
	}

	/** Keeps a sequence for the next chunk, but not one that would hide all that follows because it has no end. */
	#hold(text: string, at: number, end: number): number {
		if (end - at > SEQUENCE_CHARS) {
			return at + SEQUENCE_CHARS;
		}
		this.#held = text.slice(at);
		return text.length;
	}

	#act(last: string, parameters: string): void {
		if (parameters.startsWith('?')) {
			if (/[hl]/.test(last) && /^\?(?:\d+;)*(?:47|1047|1049)(?:;|$)/.test(parameters)) {
				if (last === 'h') {
					this.#enterOwnScreen();
				} else {
					this.#leaveOwnScreen();
				}
			}
			return;
		}
		const numbers = parameters.split(/[;:]/).map((part) => Math.min(Number.parseInt(part, 10) || 0, MOST_STEPS));
		const [first = 0, second = 0] = numbers;
		const steps = Math.max(1, first);
		const rows = this.#rows;
		switch (last) {
			case 'A':
				return rows.moveBy(-steps, 0);
			case 'B':
				return rows.moveBy(Math.min(steps, SCREEN_ROWS), 0);
			case 'C':
				return rows.moveBy(0, steps);
			case 'D':
				return rows.moveBy(0, -steps);
			case 'E':
				rows.moveBy(Math.min(steps, SCREEN_ROWS), 0);
				return rows.moveToColumn(0);
			case 'F':
				rows.moveBy(-steps, 0);
				return this.#beginLine();
			case 'G':
			case '`':
				return rows.moveToColumn(steps - 1);
			case 'H':
			case 'f':
				return rows.moveTo(Math.min(steps, SCREEN_ROWS) - 1, Math.max(1, second) - 1);
			case 'I':
				return rows.nextTab();
			case 'J':
				if (first < 3) {
					rows.erase(first);
				}
				return this.#limit();
			case 'K':
				return rows.eraseInLine(first);
			case 'L':
				return rows.insertLines(steps);
			case 'M':
				rows.deleteLines(steps);
				return this.#limit();
			case 'P':
				return rows.deleteCells(steps);
			case '@':
				return rows.insertCells(steps);
			case 'X':
				return rows.eraseCells(undefined, steps);
			case 'd':
				return rows.moveToRow(Math.min(steps, SCREEN_ROWS) - 1);
			case 's':
				return rows.save();
			case 'u':
				return rows.restore();
			default:
				return;
		}
	}
}

/** No program moves further at once. */
const MOST_STEPS = 10_000;

/** Where a sticky pattern ends that begins at a place; the place itself: it does not begin there. */
function endOfMatch(pattern: RegExp, text: string, at: number): number {
	pattern.lastIndex = at;
	return pattern.test(text) ? pattern.lastIndex : at;
}

function endOfLine(text: string): string {
	return text === '' || text.endsWith('\n') ? '' : '\n';
}

/** Where the last lines begin that fill a screen; 0: there are no more. */
function startOfLastLines(text: string): number {
	let at = text.length;
	for (let lines = 0; lines < SCREEN_ROWS; lines += 1) {
		at = at === 0 ? -1 : text.lastIndexOf('\n', at - 1);
		if (at === -1) {
			return 0;
		}
	}
	return at + 1;
}
