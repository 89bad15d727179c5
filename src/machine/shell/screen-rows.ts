/** Lines of a screen and its cursor. Columns are cells: a wide character takes two, a combining one none. */
import { SCREEN_ROWS } from './limits.ts';

interface ScreenRow {
	text: string;
	/** Each character of `text` takes one cell. */
	isSingle: boolean;
	/** In place of `text`, once other characters were written over. */
	cells: string[] | undefined;
	/** In cells. */
	width: number;
	/** A part of it was written over: space at its end is what is left of that. */
	isRedrawn: boolean;
}

/** Characters that take one cell each. */
const SINGLE_CELLS =
	/^[\u0020-\u007e\u00a0-\u02ff\u0370-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u25fc\u25ff\u2800-\u28ff]*$/;
const NO_CELL = /^[\p{M}\u200b-\u200f\u2060\ufe00-\ufe0f]$/u;
const TWO_CELLS =
	/^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}])$/u;
const TAB_CELLS = 8;

export class ScreenRows {
	/** Lines that were drawn over something else. */
	redraws = 0;
	readonly #rows: ScreenRow[] = [createRow()];
	#row = 0;
	#column = 0;
	#saved: readonly [row: number, column: number] = [0, 0];
	/** The cursor has come to a line that may hold something. */
	#hasMoved = false;

	get count(): number {
		return this.#rows.length;
	}

	/** True when text that comes next is added to the end. */
	get isAtEnd(): boolean {
		const last = this.#rows.at(-1);
		return this.#row === this.#rows.length - 1 && last?.width === this.#column;
	}

	get isAtTop(): boolean {
		return this.#row === 0;
	}

	/** Characters of the line of the cursor. */
	get length(): number {
		const { text, cells } = this.#current();
		return cells?.length ?? text.length;
	}

	all(): string {
		return this.#rows.map((_, index) => this.textAt(index)).join('\n');
	}

	/** Removes empty lines below the cursor. */
	trimEnd(): void {
		while (this.#rows.length - 1 > this.#row && this.#rows.at(-1)?.width === 0) {
			this.#rows.pop();
		}
	}

	/** Text of a line as it is shown. */
	textAt(index: number): string {
		const row = this.#rows[index];
		const text = row?.cells?.join('') ?? row?.text ?? '';
		return row?.isRedrawn === true ? text.trimEnd() : text;
	}

	/** Removes lines from the top. */
	drop(count: number): void {
		this.#rows.splice(0, count);
		if (this.#rows.length === 0) {
			this.#rows.push(createRow());
		}
		this.#row = Math.max(0, this.#row - count);
		this.#saved = [Math.max(0, this.#saved[0] - count), this.#saved[1]];
	}

	/** Text without control characters but tabs. */
	write(text: string): void {
		if (text === '') {
			return;
		}
		const row = this.#current();
		const width = measureCells(text, this.#column);
		if (this.#column >= row.width) {
			const added = ' '.repeat(this.#column - row.width) + text;
			if (row.cells === undefined) {
				row.text += added;
				row.isSingle &&= SINGLE_CELLS.test(text);
			} else {
				row.cells = addCells(row.cells, added);
			}
			row.width = this.#column + width;
		} else {
			this.#noteRedraw(row);
			this.#replace(row, this.#column, this.#column + width, text);
		}
		this.#column += width;
	}

	newLine(): void {
		this.moveTo(this.#row + 1, 0);
	}

	/** Goes one line down, in the same column. */
	index(): void {
		this.moveTo(this.#row + 1, this.#column);
	}

	/** Goes one line up; at the top, a new one comes in. */
	reverseIndex(): void {
		if (this.#row === 0) {
			this.#rows.unshift(createRow());
			this.#rows.splice(SCREEN_ROWS);
		} else {
			this.moveTo(this.#row - 1, this.#column);
		}
	}

	moveBy(rows: number, columns: number): void {
		this.moveTo(this.#row + rows, this.#column + columns);
	}

	moveTo(row: number, column: number): void {
		this.#row = Math.max(0, row);
		// A program that counts columns in the thousands is not drawing.
		this.#column = Math.min(Math.max(0, column), MOST_COLUMNS);
		while (this.#rows.length <= this.#row) {
			this.#rows.push(createRow());
		}
		this.#hasMoved = true;
	}

	moveToRow(row: number): void {
		this.moveTo(row, this.#column);
	}

	moveToColumn(column: number): void {
		this.moveTo(this.#row, column);
	}

	nextTab(): void {
		this.moveToColumn((Math.floor(this.#column / TAB_CELLS) + 1) * TAB_CELLS);
	}

	save(): void {
		this.#saved = [this.#row, this.#column];
	}

	restore(): void {
		this.moveTo(...this.#saved);
	}

	/** 0: from the cursor to the end of the line, 1: from its beginning to the cursor, 2: all of it. */
	eraseInLine(part: number): void {
		const row = this.#current();
		if (part === 0 ? row.width > this.#column : row.width > 0) {
			this.#noteRedraw(row);
		}
		if (part === 0) {
			this.#truncate(row, this.#column);
		} else if (part === 1) {
			this.eraseCells(0, this.#column + 1);
		} else {
			this.#truncate(row, 0);
		}
	}

	/** The same of the screen. */
	erase(part: number): void {
		if (part === 0) {
			this.eraseInLine(0);
			this.#remove(this.#row + 1, this.#rows.length);
		} else if (part === 1) {
			this.eraseInLine(1);
			for (const row of this.#rows.slice(0, this.#row)) {
				this.#blank(row);
			}
		} else {
			for (const row of this.#rows) {
				this.#blank(row);
			}
			this.#remove(this.#row + 1, this.#rows.length);
		}
	}

	/** Blanks `count` cells from `start`, or from the cursor. */
	eraseCells(start = this.#column, count = 1): void {
		const row = this.#current();
		const end = Math.min(start + count, row.width);
		if (end > start) {
			this.#noteRedraw(row);
			this.#replace(row, start, end, ' '.repeat(end - start));
		}
	}

	/** Takes cells out of the line, so that the rest moves to the cursor. */
	deleteCells(count: number): void {
		const row = this.#current();
		if (row.width > this.#column) {
			this.#noteRedraw(row);
			this.#replace(row, this.#column, Math.min(this.#column + count, row.width), '');
		}
	}

	/** Puts blank cells into the line, before the one of the cursor. */
	insertCells(count: number): void {
		const row = this.#current();
		if (row.width > this.#column) {
			this.#noteRedraw(row);
			const most = Math.max(row.width, MOST_COLUMNS);
			this.#replace(row, this.#column, this.#column, ' '.repeat(Math.min(count, MOST_COLUMNS)));
			this.#truncate(row, most);
		}
	}

	insertLines(count: number): void {
		this.#rows.splice(this.#row, 0, ...Array.from({ length: Math.min(count, SCREEN_ROWS) }, createRow));
		this.#rows.splice(Math.max(SCREEN_ROWS, this.#row + 1));
		this.moveTo(this.#row, 0);
	}

	deleteLines(count: number): void {
		this.#remove(this.#row, Math.min(this.#row + count, this.#rows.length));
		this.moveTo(this.#row, 0);
	}

	#current(): ScreenRow {
		return this.#rows[this.#row] ?? createRow();
	}

	#noteRedraw(row: ScreenRow): void {
		row.isRedrawn = true;
		if (this.#hasMoved) {
			this.#hasMoved = false;
			this.redraws += 1;
		}
	}

	#remove(from: number, to: number): void {
		const removed = this.#rows.splice(from, to - from);
		this.redraws += removed.filter(({ width }) => width > 0).length;
		if (this.#rows.length === 0) {
			this.#rows.push(createRow());
		}
	}

	#blank(row: ScreenRow): void {
		this.redraws += row.width > 0 ? 1 : 0;
		this.#truncate(row, 0);
	}

	#truncate(row: ScreenRow, width: number): void {
		if (row.width > width) {
			this.#replace(row, width, row.width, '');
		}
	}

	#replace(row: ScreenRow, start: number, end: number, by: string): void {
		row.isRedrawn = true;
		if (row.isSingle && SINGLE_CELLS.test(by)) {
			row.text = row.text.slice(0, start) + by + row.text.slice(end);
			row.width = row.text.length;
			return;
		}
		const cells = (row.cells ??= addCells([], row.text));
		row.isSingle = false;
		// Half of a wide character is a blank.
		if (cells[start] === '' && start > 0) {
			cells[start - 1] = ' ';
		}
		if (cells[end] === '') {
			cells[end] = ' ';
		}
		const after = cells.splice(start).slice(end - start);
		row.cells = addCells(cells, by).concat(after);
		row.width = row.cells.length;
	}
}

const MOST_COLUMNS = 2000;
/** Length of a cell with the characters that combine in it; the rest is left out. */
const MOST_COMBINED = 32;

function createRow(): ScreenRow {
	return { text: '', isSingle: true, cells: undefined, width: 0, isRedrawn: false };
}

function measureCells(text: string, from: number): number {
	if (SINGLE_CELLS.test(text)) {
		return text.length;
	}
	let column = from;
	for (const character of text) {
		column += character === '\t' ? TAB_CELLS - (column % TAB_CELLS) : countCells(character);
	}
	return column - from;
}

function countCells(character: string): number {
	return TWO_CELLS.test(character) ? 2 : NO_CELL.test(character) ? 0 : 1;
}

/** Adds each cell of a text; a wide character stands in its first cell, and its second is empty. */
function addCells(cells: string[], text: string): string[] {
	if (SINGLE_CELLS.test(text)) {
		return cells.concat(text.split(''));
	}
	for (const character of text) {
		if (character === '\t') {
			do {
				cells.push(' ');
			} while (cells.length % TAB_CELLS !== 0);
			continue;
		}
		const count = countCells(character);
		if (count > 0) {
			cells.push(character, ...(count === 2 ? [''] : []));
			continue;
		}
		const at = cells.at(-1) === '' ? cells.length - 2 : cells.length - 1;
		if ((cells[at]?.length ?? MOST_COMBINED) < MOST_COMBINED) {
			cells[at] += character;
		}
	}
	return cells;
}
