/**
 * Rules on names, compared the way the most forgiving disk would: case folded, composed, without characters it ignores.
 * Own matching instead of a glob library, because here a name that is not matched is a hole: `*` is any text without
 * a slash, a rule matches at any depth, and one that ends with `/` matches the folder and all below it.
 */
type NameRules = (segments: readonly string[]) => boolean;

interface NameRule {
	readonly parts: readonly ((folded: string) => boolean)[];
	/** The last of them, as written. */
	readonly last: string;
	readonly withBelow: boolean;
}

export function nameRules(rules: readonly string[], except: readonly string[] = []): NameRules {
	const matches = createNameMatcher(rules);
	const excepts = createNameMatcher(except);
	return (segments) => {
		const folded = segments.map(foldName);
		return matches(folded) && !excepts(folded);
	};
}

/** Looks at the rules only whose last part can be a name: most names of a workspace are in no rule. */
function createNameMatcher(rules: readonly string[]): (folded: readonly string[]) => boolean {
	const compiled = rules.map(compileNameRule);
	const byName = Map.groupBy(
		compiled.filter(({ last }) => !last.includes('*')),
		({ last }) => last,
	);
	const wild = compiled.filter(({ last }) => last.includes('*'));
	return (folded) =>
		folded.some(
			(name, index) =>
				byName.get(name)?.some((rule) => isRuleMatch(rule, folded, index)) === true ||
				wild.some((rule) => isRuleMatch(rule, folded, index)),
		);
}

export function foldName(name: string): string {
	if (/^[!-~]*[!-\-/-~]$/.test(name)) {
		// Most names: of ASCII, without a dot or a blank at the end, only the case differs.
		return name.toLowerCase();
	}
	return name
		.normalize('NFC')
		.replaceAll(/\p{Cf}/gu, '')
		.toUpperCase()
		.toLowerCase()
		.normalize('NFC')
		.replace(/[. ]+$/u, '');
}

function compileNameRule(rule: string): NameRule {
	const withBelow = rule.endsWith('/');
	const parts = (withBelow ? rule.slice(0, -1) : rule).toLowerCase().split('/');
	return { parts: parts.map(compileNamePart), last: parts.at(-1) ?? '', withBelow };
}

function compileNamePart(part: string): NameRule['parts'][number] {
	if (!part.includes('*')) {
		return (folded) => folded === part;
	}
	const [first = '', ...others] = part.split('*');
	const last = others.pop() ?? '';
	return (folded) => isWildcardMatch(folded, first, others, last);
}

/** `*` between the parts is any text. Without a pattern: there are many rules, and each process would compile all of them. */
function isWildcardMatch(name: string, first: string, middle: readonly string[], last: string): boolean {
	if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) {
		return false;
	}
	const end = name.length - last.length;
	let at = first.length;
	for (const part of middle) {
		const found = name.indexOf(part, at);
		if (found === -1 || found + part.length > end) {
			return false;
		}
		at = found + part.length;
	}
	return true;
}

/** `end`: index of the name that the last part of the rule stands for. */
function isRuleMatch({ parts, withBelow }: NameRule, folded: readonly string[], end: number): boolean {
	const start = end - parts.length + 1;
	return (
		(withBelow || end === folded.length - 1) &&
		start >= 0 &&
		parts.every((isPart, index) => isPart(folded[start + index] ?? ''))
	);
}

/** Names of folders that tools fill with what others wrote, or with what they make again: nobody here follows what they say. */
const TOOL_FOLDER_NAMES = new Set(['node_modules', '__pycache__', '.venv', 'venv', 'target', '.tox', '.mypy_cache']);

export function isToolFolderName(name: string): boolean {
	return TOOL_FOLDER_NAMES.has(name);
}
