/**
 * Written instructions with what stands for their folder and for what they were called with: `{baseDir}`,
 * `${CLAUDE_SKILL_DIR}`, `${CLAUDE_PLUGIN_ROOT}`, `${CLAUDE_PLUGIN_DATA}`, `$ARGUMENTS`, `$ARGUMENTS[0]` and `$1`, as Claude Code and others write them.
 */

interface Filling {
	/** Where the files of the instructions lie, absolute. */
	readonly folder: string;
	/** Folder of the plugin that they are a part of; absent: the folder stands for it. */
	readonly pluginFolder?: string | undefined;
	/** Folder that this plugin keeps its data in; absent: they are in no plugin, and the words stay. */
	readonly pluginData?: string | undefined;
	/** Params that they were started with; `arguments` is a line of words, or a list of them. */
	readonly params: unknown;
}

const PLUGIN_DATA = /\$\{(?:CLAUDE_)?PLUGIN_DATA\}/g;

/** Returns true when the text names the folder that its plugin keeps its data in. */
export function namesPluginData(text: string): boolean {
	return text.search(PLUGIN_DATA) >= 0;
}

/** Text with its places filled; params that have none follow at its end. `$1` is the first word, and stays where so many were not given. */
export function filledInstructions(text: string, filling: Filling): string {
	const { filled, line, others } = filledPlaces(text, filling);
	const rest = [
		...(line === '' ? [] : [`Arguments: ${line}`]),
		...(Object.keys(others).length === 0 ? [] : [`Params: ${JSON.stringify(others)}`]),
	];
	return [filled, ...rest].join('\n\n');
}

/** Text alone. `line` and `others`: what has no place in it. */
export function filledPlaces(text: string, { folder, pluginFolder = folder, pluginData, params }: Filling) {
	const given = typeof params === 'object' && params !== null ? (params as Readonly<Record<string, unknown>>) : {};
	const { arguments: named, ...others } = given;
	const words = splitArguments(named);
	const line = typeof named === 'string' ? named : words.join(' ');
	let isUsed = false;
	const markUsed = (value: string) => {
		isUsed = true;
		return value;
	};
	const filled = text
		.replaceAll(/\{baseDir\}|\$\{CLAUDE_SKILL_DIR\}/g, () => folder)
		.replaceAll(/\$\{(?:CLAUDE_)?PLUGIN_ROOT\}/g, () => pluginFolder)
		.replaceAll(PLUGIN_DATA, (words) => pluginData ?? words)
		.replaceAll(/\$ARGUMENTS(?:\[(\d{1,2})\])?(?!\w)|\$([1-9])(?!\w)/g, (whole, index?: string, place?: string) => {
			if (place !== undefined) {
				const word = words[Number(place) - 1];
				return word === undefined ? whole : markUsed(word);
			}
			return markUsed(index === undefined ? line : (words[Number(index)] ?? ''));
		});
	return { filled, line: isUsed ? '' : line, others };
}

/** Words of a line; those in quotation marks are one. */
function splitArguments(given: unknown): readonly string[] {
	if (Array.isArray(given)) {
		return given.map(String);
	}
	const found = typeof given === 'string' ? given.matchAll(/"([^"]*)"|'([^']*)'|\S+/g) : [];
	return [...found].map(([whole, double, single]) => double ?? single ?? whole);
}
