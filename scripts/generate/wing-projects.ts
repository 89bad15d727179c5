/** The tsconfig of each wing, from the tables of arrows: a wing has the flags of its folder, and sees what it may import. */

import { arrows, wings } from '../boundaries.ts';

/** Declarations of globals, for a folder that is checked with the types of neither Node nor the browser. */
const declarations: Readonly<Record<string, readonly string[]>> = { protocol: ['../../base/globals.d.ts'] };

/** Texts of files by their paths. */
export function wingProjects(): Readonly<Record<string, string>> {
	return Object.fromEntries(
		Object.entries(wings).flatMap(([folder, inner]) =>
			Object.entries(inner).map(([wing, may]) => [
				`src/${folder}/${wing}/tsconfig.json`,
				projectText(declarations[folder] ?? [], [
					...(arrows[folder]?.folders ?? []).map((name) => `../../${name}`),
					...may.map((name) => `../${name}`),
				]),
			]),
		),
	);
}

/** Laid out as the formatter would. */
function projectText(globals: readonly string[], references: readonly string[]): string {
	const include = ['./**/*.ts', './**/*.tsx', ...globals].map((path) => `"${path}"`);
	const paths = references.map((path) => `{ "path": "${path}" }`);
	const line = `\t"references": [${paths.join(', ')}]`;
	// Mirror the formatter, which counts a tab as two.
	const isLong = line.length + 1 > 120;
	return [
		'{',
		'\t// Made from the tables in scripts/boundaries.ts (npm run generate).',
		'\t"extends": "../tsconfig.json",',
		`\t"include": [${include.join(', ')}],`,
		isLong ? `\t"references": [\n${paths.map((path) => `\t\t${path}`).join(',\n')}\n\t]` : line,
		'}',
		'',
	].join('\n');
}
