import { inEnglish, text, type Text, type Translation, translateText } from '../text/text.ts';

/** Problem of a manifest, with its place. */
export interface ManifestProblem {
	/** An error keeps the item from being used; a warning does not. */
	readonly severity: 'error' | 'warning';
	/** In English. */
	readonly message: string;
	/** The same, to be translated where it is shown; absent where it is not in our words. */
	readonly said?: Text;
	/** Name of the file, without its folder; empty: the folder itself. */
	readonly file: string;
	/** Both from 1; the column counts UTF-16 code units. */
	readonly line: number;
	readonly column: number;
	/** Keys and indexes in the document; empty: the whole of it. */
	readonly path: readonly (string | number)[];
}

type ManifestProblemPlace = Pick<ManifestProblem, 'file' | 'line' | 'column' | 'path'>;

/** `words`: a text of ours, or a string that is said as it is. */
export function manifestProblem(
	severity: ManifestProblem['severity'],
	words: Text | string,
	{ file, line, column, path }: ManifestProblemPlace,
): ManifestProblem {
	const place = { file, line, column, path };
	return typeof words === 'string'
		? { severity, message: words, ...place }
		: { severity, message: inEnglish(words), said: words, ...place };
}

/** Where it is not known more exactly. */
export function createTopPlace(file: string): ManifestProblemPlace {
	return { file, line: 1, column: 1, path: [] };
}

/** Returns the problem as one line, in English: `capability.yaml:3: level: …`. */
export function problemText(problem: ManifestProblem): string {
	return formatPlacedProblem(problem, problem.message);
}

/** The same line in the language of the reader. */
export function problemInWords(problem: ManifestProblem, translate: Translation): string {
	return formatPlacedProblem(
		problem,
		problem.said === undefined ? problem.message : translateText(problem.said, translate),
	);
}

/** The line as a text. The file lies in `folder`. */
export function problemSaid(folder: string, { file, line, path, message, said }: ManifestProblem): Text {
	const problem = said ?? message;
	const words = path.length === 0 ? problem : text('{at}: {problem}', { at: path.join('.'), problem });
	const at = file === '' ? folder : `${folder}/${file}:${line}`;
	return text('{at}: {problem}', { at, problem: words });
}

function formatPlacedProblem({ file, line, path }: ManifestProblem, words: string): string {
	const what = `${path.length === 0 ? '' : `${path.join('.')}: `}${words}`;
	return file === '' ? what : `${file}:${line}: ${what}`;
}
