/** Functions that are the same to the letter but for their names: one was written again because nobody found the other. */

const topLevel = /^(?:export )?((?:async )?function\*? (\w+)(?:<[^>\n]*>)?\(([^]*?)\n\})$/gm;
const parameter = /(\w+)\??: /g;
/** Shorter ones say no more than the call of a shared one would. */
const MIN_CHARS = 56;

interface TwinPlace {
	readonly file: string;
	readonly name: string;
}

/** Returns each group of functions with the same code, whatever they and their parameters are called. */
export function findTwins(sources: ReadonlyMap<string, string>): (readonly TwinPlace[])[] {
	const places = [...sources].flatMap(([file, text]) =>
		[...text.matchAll(topLevel)].map(([, code = '', name = '', rest = '']) => ({
			place: { file, name },
			code: withoutNames(code, name, rest.slice(0, rest.indexOf('{'))),
		})),
	);
	return [...Map.groupBy(places, ({ code }) => code)]
		.filter(([code, group]) => group.length > 1 && code.length >= MIN_CHARS)
		.map(([, group]) => group.map(({ place }) => place));
}

function withoutNames(code: string, name: string, head: string): string {
	const names = [name, ...[...head.matchAll(parameter)].map(([, each = '']) => each)];
	return names
		.reduce((text, each, index) => text.replaceAll(new RegExp(`(?<![.\\w])${each}\\b`, 'g'), `n${index}`), code)
		.replaceAll(/\s+/g, ' ');
}
