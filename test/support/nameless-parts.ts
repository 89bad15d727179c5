/** Roles that act, and so need a name of their own. */
const acting =
	/^\s*- (?:button|link|textbox|combobox|checkbox|switch|option|tab|menuitem|searchbox|group|region)\b(.*)$/gm;

/** Lines of `tree`, an accessibility tree as Playwright writes it, with a part that acts and has no name. */
export function listNameless(tree: string): readonly string[] {
	return [...tree.matchAll(acting)].flatMap(([line, rest = '']) =>
		/^ "[^"]*\S[^"]*"/.test(rest) ? [] : [line.trim()],
	);
}
