import * as vscode from 'vscode';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';

/** Finds a symbol as a model can name it: by its line, from 1, and its name. A part of a longer name is not meant where the name stands alone, too. */
export function findSymbolPosition(
	op: string,
	document: vscode.TextDocument,
	line: number,
	symbol: string,
): vscode.Position {
	if (line > document.lineCount) {
		throw new ProwessError('INVALID_PARAMS', `${op}: line ${line}: the file has ${document.lineCount} lines`, {
			said: text('There is no line {line}: the file has {count}.', { line, count: document.lineCount }),
		});
	}
	const { text: written } = document.lineAt(line - 1);
	const isPartOfName = (at: number) => {
		const range = document.getWordRangeAtPosition(new vscode.Position(line - 1, at));
		return range !== undefined && document.getText(range) !== symbol;
	};
	const places: number[] = [];
	for (let at = written.indexOf(symbol); at !== -1; at = written.indexOf(symbol, at + 1)) {
		places.push(at);
	}
	const column = places.find((at) => !isPartOfName(at)) ?? places[0];
	if (column === undefined) {
		throw new ProwessError(
			'INVALID_PARAMS',
			`${op}: ${JSON.stringify(symbol)} is not on line ${line}: ${written.trim()}`,
			{
				said: text('"{symbol}" is not on line {line}.', { symbol, line }),
			},
		);
	}
	return new vscode.Position(line - 1, column);
}
