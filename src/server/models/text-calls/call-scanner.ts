/**
 * Finds calls of tools in a text as it streams, in the forms in which models write them that were not given any of their own:
 * `<skill>`, `<tool_call>`, `<function=…>`, `<invoke …>`, `[TOOL_CALLS]`, DeepSeek's and Llama's marks, JSON alone. Not in
 * code, not in a quote. Linear, bounded, and the same however the text is cut into pieces.
 */
import {
	deepSeekCalls,
	functionCall,
	knownJsonCalls,
	mistralCalls,
	skillCall,
	taggedCall,
	type TextCall,
	type Tools,
} from './call-body.ts';

export type Scanned =
	| { readonly kind: 'text'; readonly text: string }
	/** `group`: those of one `<parallel>` may run side by side (S0-14). */
	| ({ readonly kind: 'call'; readonly group?: number } & TextCall)
	/** The answer was cut off in a call; of which tool, is empty where that is not clear. */
	| { readonly kind: 'cutCall'; readonly tool: string };

/** Characters of one call; what is longer is shown as text. */
export const MAX_CALL_CHARS = 1_000_000;
/** Longest beginning of a mark that is held back at the end of a piece. */
const MAX_MARK = 60;

interface CallForm {
	/** Absent: it ends with the answer. */
	readonly closing?: string;
	/** Shown as it is when nothing is meant by it. */
	readonly shown: string;
	/** Where its mark names it. */
	readonly tool?: string;
	read(body: string): TextCall[];
}

/** Matches the beginning of something other than prose; the longest mark of a kind first. */
const CALL_MARK =
	/`+|~{3,}|<(?:\/?parallel>|skill>|tool_call>|function=[\w.-]+>|invoke name="[\w.-]+">|\/?(?:minimax:)?(?:function|tool)_calls?>|tool_response|｜tool▁calls▁begin｜>|\|python_tag\|>)|\[TOOL_CALLS\]/g;
/** Beginnings of the same, at the end of what has come. */
const MARK_BEGINS = /(?:`+|~+|<[^\s<>]{0,38}(?: [a-z]{0,4}(?:="?[\w.-]{0,30}"?)?)?|\[[A-Z_]{0,10})$/;
const CALL_FENCES = ['json', 'tool_call', 'tool_calls', 'tool', 'tool_code', 'function', ''];

/** Matches marks that stand only before a call; a JSON fence may hold anything. */
const MARK_OF_CALL = /^(?:<|\[)/;
const BEGUN_MARKS = [
	'<skill>',
	'<tool_call>',
	'<function=',
	'<invoke name="',
	'<function_calls>',
	'<tool_calls>',
	'<｜tool▁calls▁begin｜>',
	'<|python_tag|>',
	'[TOOL_CALLS]',
];
/** Fewest characters that tell the beginning of a mark; fewer may be anything. */
const LEAST_OF_MARK = 4;

type ScanPlace =
	| { readonly kind: 'start' | 'prose' }
	/** Passed on as it is, until `until`; `isWithin`: not beyond the line. */
	| { readonly kind: 'code'; readonly until: string; readonly isWithin: boolean }
	| { readonly kind: 'call'; readonly form: CallForm }
	/** The model makes up what comes next: nothing more of it counts. */
	| { readonly kind: 'over' };

export class CallScanner {
	readonly #tools: Tools;
	#place: ScanPlace = { kind: 'start' };
	/** Not given on yet. */
	#held = '';
	/** Length of the part of `#held` in which the end of a call was looked for already. */
	#searched = 0;
	/** True when the text given out last ends a line, so that a fence or a quote may begin. */
	#isLineStart = true;
	#group: number | undefined;
	#groups = 0;
	#calls = 0;
	#out: Scanned[] = [];

	constructor(tools: Tools) {
		this.#tools = tools;
	}

	/** Adds text and returns the pieces that are clear so far. */
	split(text: string): readonly Scanned[] {
		this.#held += text;
		this.#read(false);
		return this.#taken();
	}

	/**
	 * Returns the text that was held back; for the end of the answer. `isCut`: the answer ended at a limit, so a call
	 * that is still open is not whole.
	 */
	rest(isCut = false): readonly Scanned[] {
		if (isCut && this.#place.kind === 'prose' && isMarkBegun(this.#held)) {
			this.#held = '';
			this.#out.push({ kind: 'cutCall', tool: '' });
		}
		this.#read(true);
		if (this.#place.kind === 'call' && isCut && this.#cutOff(this.#place.form, this.#held)) {
			this.#held = '';
		} else if (this.#place.kind === 'call') {
			this.#close(this.#place.form, this.#held);
		} else {
			this.#say(this.#held);
		}
		this.#held = '';
		return this.#taken();
	}

	#taken(): readonly Scanned[] {
		const out = this.#out;
		this.#out = [];
		return out;
	}

	#read(isEnd: boolean): void {
		let hasMore = this.#held !== '';
		while (hasMore) {
			switch (this.#place.kind) {
				case 'start':
					hasMore = this.#begin(isEnd);
					break;
				case 'prose':
					hasMore = this.#prose(isEnd);
					break;
				case 'code':
					hasMore = this.#code(this.#place.until, this.#place.isWithin);
					break;
				case 'call':
					hasMore = this.#call(this.#place.form);
					break;
				case 'over':
					this.#held = '';
					hasMore = false;
			}
		}
	}

	/** An answer that is JSON from its beginning to its end may be a call. */
	#begin(isEnd: boolean): boolean {
		const blanks = this.#held.length - this.#held.trimStart().length;
		// Many blanks are passed on: looked at again with each piece, they would take longer and longer.
		if (blanks > MAX_MARK) this.#say(this.#take(blanks));
		const [first] = this.#held.trimStart();
		if (first === undefined && !isEnd) {
			return false;
		}
		if (first !== '{') {
			this.#place = { kind: 'prose' };
			return true;
		}
		this.#open({ shown: '', read: (body) => knownJsonCalls(body, this.#tools) }, 0);
		return true;
	}

	#prose(isEnd: boolean): boolean {
		CALL_MARK.lastIndex = 0;
		const mark = CALL_MARK.exec(this.#held);
		const quote = this.#quoteBefore(mark?.index ?? this.#held.length);
		if (quote !== undefined) {
			this.#say(this.#take(quote));
			this.#place = { kind: 'code', until: '\n', isWithin: true };
			return true;
		}
		if (mark === null) {
			const [begun = ''] = isEnd ? [] : (MARK_BEGINS.exec(this.#held.slice(-MAX_MARK)) ?? []);
			this.#say(this.#take(this.#held.length - begun.length));
			return false;
		}
		const end = mark.index + mark[0].length;
		const isRun = mark[0].startsWith('`') || mark[0].startsWith('~');
		// A run of backticks may go on.
		if (isRun && end === this.#held.length && !isEnd) {
			this.#say(this.#take(mark.index));
			return false;
		}
		this.#say(this.#take(mark.index));
		return isRun ? this.#fence(mark[0], isEnd) : this.#mark(mark[0]);
	}

	/** Where a line of a quote begins before `end`; those of prose are passed over. */
	#quoteBefore(end: number): number | undefined {
		const before = this.#held.slice(0, end);
		if (!before.includes('>')) {
			return undefined;
		}
		if (this.#isLineStart && /^ {0,3}>/.test(before)) {
			return 1;
		}
		const found = /\n {0,3}>/.exec(before);
		return found === null ? undefined : found.index + found[0].length;
	}

	#fence(marks: string, isEnd: boolean): boolean {
		const isFence = marks.length >= 3 && this.#isLineStart;
		if (!isFence) {
			this.#say(this.#take(marks.length));
			this.#place = marks.startsWith('~') ? { kind: 'prose' } : { kind: 'code', until: marks, isWithin: true };
			return true;
		}
		const [, info, first] = /^[`~]+([^\n]*)\n\s*(\S)/.exec(this.#held) ?? [];
		if (info === undefined && !isEnd && this.#held.length < MAX_MARK * 2) {
			return false;
		}
		if (info !== undefined && CALL_FENCES.includes(info.trim()) && /[[{]/.test(first ?? '')) {
			const lineEnd = this.#held.indexOf('\n') + 1;
			const shown = this.#held.slice(0, lineEnd);
			this.#open({ closing: `\n${marks}`, shown, read: (body) => knownJsonCalls(body, this.#tools) }, lineEnd);
			return true;
		}
		this.#say(this.#take(marks.length));
		this.#place = { kind: 'code', until: `\n${marks}`, isWithin: false };
		return true;
	}

	#mark(mark: string): boolean {
		const length = mark.length;
		const [, named] = /^<(?:function=|invoke name=")([\w.-]+)/.exec(mark) ?? [];
		if (mark === '<parallel>' || mark === '</parallel>') {
			this.#groups += 1;
			this.#group = mark === '<parallel>' ? this.#groups : undefined;
			this.#take(length);
		} else if (mark === '<skill>') {
			this.#open({ closing: '</skill>', shown: mark, read: skillCall }, length);
		} else if (mark === '<tool_call>') {
			this.#open({ closing: '</tool_call>', shown: mark, read: (body) => taggedCall(body, this.#tools) }, length);
		} else if (named !== undefined) {
			const closing = mark.startsWith('<f') ? '</function>' : '</invoke>';
			const read = (body: string) => functionCall(named, body, this.#tools);
			this.#open({ closing, shown: mark, tool: named, read }, length);
		} else if (mark === '[TOOL_CALLS]') {
			this.#open({ shown: mark, read: mistralCalls }, length);
		} else if (mark === '<|python_tag|>') {
			const read = (body: string) => knownJsonCalls(body.replace(/<\|e[o\w]+_id\|>\s*$/, ''), this.#tools);
			this.#open({ shown: mark, read }, length);
		} else if (mark.startsWith('<｜')) {
			this.#open({ closing: '<｜tool▁calls▁end｜>', shown: mark, read: deepSeekCalls }, length);
		} else if (mark === '<tool_response') {
			this.#place = this.#calls > 0 ? { kind: 'over' } : { kind: 'prose' };
			this.#say(this.#take(this.#calls > 0 ? 0 : length));
		} else {
			// A frame around calls.
			this.#take(length);
		}
		return this.#held !== '';
	}

	#open(form: CallForm, from: number): void {
		this.#take(from);
		this.#searched = 0;
		this.#place = { kind: 'call', form };
	}

	#call(form: CallForm): boolean {
		const { closing } = form;
		const at = closing === undefined ? -1 : this.#held.indexOf(closing, this.#searched);
		if (at !== -1 && closing !== undefined) {
			const body = this.#take(at);
			this.#take(closing.length);
			this.#close(form, body, closing);
			return this.#held !== '';
		}
		this.#searched = Math.max(0, this.#held.length - (closing ?? '').length);
		if (this.#held.length > MAX_CALL_CHARS) {
			this.#place = { kind: 'prose' };
			this.#say(form.shown + this.#take(this.#held.length));
		}
		return false;
	}

	/** `closing` is undefined where the answer ended within it. */
	#close(form: CallForm, body: string, closing = ''): void {
		this.#place = { kind: 'prose' };
		const calls = form.read(body);
		for (const call of calls) {
			this.#pushCall(call);
		}
		if (calls.length === 0) {
			this.#say(form.shown + body + closing);
		}
	}

	/**
	 * Records an open call as cut off. Returns false when the text need not be a call at all. When one mark holds
	 * several calls, all but the last are whole.
	 */
	#cutOff(form: CallForm, body: string): boolean {
		const tool = lastNamed(body, this.#tools);
		if (tool === undefined && !MARK_OF_CALL.test(form.shown)) {
			return false;
		}
		for (const call of form.read(body).slice(0, -1)) {
			this.#pushCall(call);
		}
		this.#out.push({ kind: 'cutCall', tool: form.tool ?? tool ?? '' });
		return true;
	}

	#pushCall(call: TextCall): void {
		this.#calls += 1;
		this.#out.push({ kind: 'call', ...call, ...(this.#group !== undefined && { group: this.#group }) });
	}

	/** Passes code on until its end. */
	#code(until: string, isWithin: boolean): boolean {
		const end = this.#held.indexOf(until);
		const line = isWithin ? this.#held.indexOf('\n') : -1;
		const at = line !== -1 && (end === -1 || line < end) ? line + 1 : end === -1 ? -1 : end + until.length;
		if (at === -1) {
			this.#say(this.#take(Math.max(0, this.#held.length - until.length + 1)));
			return false;
		}
		this.#say(this.#take(at));
		this.#place = { kind: 'prose' };
		return this.#held !== '';
	}

	#take(length: number): string {
		const taken = this.#held.slice(0, length);
		this.#held = this.#held.slice(length);
		return taken;
	}

	#say(text: string): void {
		if (text === '') {
			return;
		}
		this.#isLineStart = /(?:^|\n)[ \t]*$/.test(text) && (text.includes('\n') || this.#isLineStart);
		const last = this.#out.at(-1);
		if (last?.kind === 'text') {
			this.#out[this.#out.length - 1] = { kind: 'text', text: last.text + text };
		} else {
			this.#out.push({ kind: 'text', text });
		}
	}
}

/** Returns true when the text ends within a mark, whose end may come in the next answer, or never. */
function isMarkBegun(text: string): boolean {
	const begun = text.slice(text.search(/[<[][^<[]*$/));
	return (
		begun.length >= LEAST_OF_MARK &&
		(BEGUN_MARKS.some((mark) => mark.startsWith(begun)) || /^<(?:function=|invoke name=")/.test(begun))
	);
}

/** Tool that was named last as that of a call, of those that there are. */
function lastNamed(body: string, tools: Tools): string | undefined {
	const names = [...body.matchAll(/"(?:name|tool|tool_name)"\s*:\s*"([\w.-]+)"|(?:^|[>\]\s])([\w.-]+)(?=[({<[\n])/g)];
	return names.map(([, quoted, bare]) => quoted ?? bare ?? '').findLast((name) => tools.has(name));
}
