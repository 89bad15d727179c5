/** Runs of lines that stand in two places to the letter. */

interface Repeat {
	readonly lines: number;
	/** Places of both copies as `file:line`, counted from 1. */
	readonly places: readonly [string, string];
}

const least = 6;
/** A line that says something: not an import, a bracket or a name in a list. */
const telling = /[\w'"`].*[\w'"`()].{8}/;

interface Line {
	readonly text: string;
	readonly at: number;
}

/** Pairs of the longest runs, of six lines or more, four of which say something. Blank lines and imports do not count. */
export function findRepeats(sources: ReadonlyMap<string, string>): Repeat[] {
	const files = [...sources].map(([file, text]) => ({ file, lines: linesOf(text) }));
	const seen = new Map<string, { readonly file: number; readonly line: number }[]>();
	const repeats: Repeat[] = [];
	const covered = new Set<string>();
	for (const [index, { file, lines }] of files.entries()) {
		for (let line = 0; line + least <= lines.length; line += 1) {
			const run = lines.slice(line, line + least).map(({ text }) => text);
			if (run.filter((text) => telling.test(text)).length < 4) continue;
			const key = run.join('\n');
			for (const other of seen.get(key) ?? []) {
				if (covered.has([index, line, other.file, other.line].join(' '))) continue;
				const others = files[other.file]?.lines ?? [];
				let length = least;
				while (
					lines[line + length]?.text !== undefined &&
					lines[line + length]?.text === others[other.line + length]?.text
				) {
					length += 1;
				}
				for (let step = 0; step <= length - least; step += 1) {
					covered.add([index, line + step, other.file, other.line + step].join(' '));
				}
				const place = (name: string, of: readonly Line[], start: number) => `${name}:${of[start]?.at ?? 0}`;
				repeats.push({
					lines: length,
					places: [place(files[other.file]?.file ?? '', others, other.line), place(file, lines, line)],
				});
			}
			seen.set(key, [...(seen.get(key) ?? []), { file: index, line }]);
		}
	}
	return repeats.sort((one, another) => another.lines - one.lines);
}

function linesOf(source: string): Line[] {
	const code = source.replaceAll(/^import [^;]*;$/gm, (text) => text.replaceAll(/[^\n]/g, ''));
	return code
		.split('\n')
		.map((text, index) => ({ text: text.trim(), at: index + 1 }))
		.filter(({ text }) => text !== '');
}
