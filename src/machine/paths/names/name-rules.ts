/**
 * Rules on names, compared the way the most forgiving disk would: case folded, composed, without characters it ignores.
 * Own matching instead of a glob library, because here a name that is not matched is a hole: `*` is any text without
 * a slash, a rule matches at any depth, and one that ends with `/` matches the folder and all below it.
 */
type NameRules = (segments: readonly string[]) => boolean;

interface NameRule {
	readonly parts: readonly ((folded: string) => boolean)[];
	readonly withBelow: boolean;
}

export function nameRules(rules: readonly string[], except: readonly string[] = []): NameRules {
	const matched = rules.map(compileNameRule);
	const excepted = except.map(compileNameRule);
	return (segments) => {
		const folded = segments.map(foldName);
		return matched.some((rule) => isRuleMatch(rule, folded)) && !excepted.some((rule) => isRuleMatch(rule, folded));
	};
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
	const parts = (withBelow ? rule.slice(0, -1) : rule).split('/');
	return { parts: parts.map((part) => compileNamePart(part.toLowerCase())), withBelow };
}

function compileNamePart(part: string): NameRule['parts'][number] {
	if (!part.includes('*')) {
		return (folded) => folded === part;
	}
	const pattern = new RegExp(`^${part.split('*').map(escapePatternSigns).join('[^]*')}$`, 'u');
	return (folded) => pattern.test(folded);
}

function escapePatternSigns(text: string): string {
	return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function isRuleMatch({ parts, withBelow }: NameRule, segments: readonly string[]): boolean {
	const last = segments.length - parts.length;
	for (let start = withBelow ? 0 : Math.max(0, last); start <= last; start++) {
		if (parts.every((isPart, index) => isPart(segments[start + index] ?? ''))) {
			return true;
		}
	}
	return false;
}
