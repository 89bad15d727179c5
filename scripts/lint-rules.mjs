/** Rules of our own for the lint. */

/** `...{ a, b }` in an object: what stands in it is not checked for excess properties, and only saves lines. */
const noSpreadOfLiteral = {
	/** @param {{ report(problem: { node: object, message: string }): void }} context */
	create: (context) => ({
		/** @param {{ parent?: { type: string }, argument: { type: string } }} node */
		SpreadElement(node) {
			if (node.parent?.type === 'ObjectExpression' && node.argument.type === 'ObjectExpression') {
				const message = 'Write the properties themselves: those of a spread literal are not checked for excess ones';
				context.report({ node, message });
			}
		},
	}),
};

/** Names of functions that read a file by its path, or open one for that; the last two hold all of them. */
const readsFiles = new Set([
	...['readFile', 'readFileSync', 'createReadStream', 'openAsBlob', 'open', 'openSync'],
	...['promises', 'default'],
]);
const isFileModule = (/** @type {unknown} */ name) => /^(?:node:)?fs(?:\/promises)?$/.test(String(name));

/** A file that others made may be a device, a pipe or a link: one reader knows what to do then. */
const readByReader = {
	/** @param {{ report(problem: { node: object, message: string }): void }} context */
	create(context) {
		const message =
			'Files that others made are read by readRegularFile; who reads only its own is listed in readsOwnFiles (scripts/boundaries.ts)';
		return {
			/** @param {{ source: { value: unknown }, importKind?: string, specifiers: readonly { type: string, importKind?: string, imported?: { name?: string, value?: string } }[] }} node */
			ImportDeclaration(node) {
				if (!isFileModule(node.source.value) || node.importKind === 'type') return;
				for (const each of node.specifiers) {
					const name = each.imported?.name ?? each.imported?.value ?? '';
					if (each.importKind !== 'type' && (each.type !== 'ImportSpecifier' || readsFiles.has(name))) {
						context.report({ node: each, message });
					}
				}
			},
			/** @param {{ source: { value?: unknown } }} node */
			ImportExpression(node) {
				if (isFileModule(node.source.value)) context.report({ node, message });
			},
		};
	},
};

export default {
	meta: { name: 'prowess' },
	rules: { 'no-spread-of-literal': noSpreadOfLiteral, 'read-by-reader': readByReader },
};
