/** Names that a source declares. Reads its text, which the formatter keeps in one shape. */

const functions = /^\s*(?:export )?(?:async )?function\*? (\w+)/gm;
const arrows =
	/^\s*(?:export )?const (\w+) = (?:async )?(?:<[^>\n]*>)?(?:\w+ =>|\([^()]*(?:\([^()]*\)[^()]*)*\)(?:: [^={}]+)? =>)/gm;
const declarations =
	/^(?:export )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm;

/** Returns the names of all functions, also of those inside of others: declared, or kept in a constant. */
export function functionNames(source: string): string[] {
	return [...source.matchAll(functions), ...source.matchAll(arrows)].map(([, name = '']) => name);
}

/** Returns the names declared at the top of the file. Overloads count once. */
export function topLevelNames(source: string): string[] {
	return [...new Set([...source.matchAll(declarations)].map(([, name = '']) => name))];
}
