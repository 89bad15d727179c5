/**
 * Rules on names, compared the way the most forgiving disk would: case folded, composed, without characters it ignores.
 * Own matching instead of a glob library, because here a name that is not matched is a hole: `*` is any text without
 * a slash, a rule matches at any depth, and one that ends with `/` matches the folder and all below it.
 */
type NameRules = (segments: readonly string[]) => boolean;

interface Rule {
	readonly parts: readonly ((folded: string) => boolean)[];
	readonly withBelow: boolean;
}

export function nameRules(rules: readonly string[], except: readonly string[] = []): NameRules {
	const matched = rules.map(compile);
	const excepted = except.map(compile);
	return (segments) => {
		const folded = segments.map(fold);
		return matched.some((rule) => matches(rule, folded)) && !excepted.some((rule) => matches(rule, folded));
	};
}

export function fold(name: string): string {
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

function compile(rule: string): Rule {
	const withBelow = rule.endsWith('/');
	const parts = (withBelow ? rule.slice(0, -1) : rule).split('/');
	return { parts: parts.map((part) => matcherOf(part.toLowerCase())), withBelow };
}

function matcherOf(part: string): Rule['parts'][number] {
	if (!part.includes('*')) {
		return (folded) => folded === part;
	}
	const pattern = new RegExp(`^${part.split('*').map(escape).join('[^]*')}$`, 'u');
	return (folded) => pattern.test(folded);
}

function escape(text: string): string {
	return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function matches({ parts, withBelow }: Rule, segments: readonly string[]): boolean {
	const last = segments.length - parts.length;
	for (let start = withBelow ? 0 : Math.max(0, last); start <= last; start++) {
		if (parts.every((isPart, index) => isPart(segments[start + index] ?? ''))) {
			return true;
		}
	}
	return false;
}
