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

export default { meta: { name: 'prowess' }, rules: { 'no-spread-of-literal': noSpreadOfLiteral } };
