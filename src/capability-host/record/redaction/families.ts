/**
 * What looks like a secret by itself, though nobody told us its value: the second line, after exact values. Lengths are minimums,
 * so a longer key is struck out whole. A pattern with a group `keep` leaves that part readable. Each is linear in its text.
 */
export interface Family {
	readonly name: string;
	readonly pattern: RegExp;
	/** Of the user: it is watched. */
	readonly isOwn?: true;
}

const wordStart = '(?<![A-Za-z0-9_-])';

function token(name: string, body: string): Family {
	return { name, pattern: new RegExp(`${wordStart}${body}`, 'g') };
}

export const FAMILIES: readonly Family[] = [
	{
		name: 'private-key',
		pattern:
			/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s\\:,]|-(?!----)){40,32000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
	},
	token('jwt', 'eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}'),
	token('anthropic', 'sk-ant-[A-Za-z0-9_-]{20,}'),
	token('openrouter', 'sk-or-(?:v1-)?[A-Za-z0-9]{20,}'),
	token('openai', 'sk-(?:proj|svcacct|admin|service)-[A-Za-z0-9_-]{20,}'),
	token('openai', 'sk-[A-Za-z0-9]{20,}'),
	token('google', 'AIza[A-Za-z0-9_-]{35,}'),
	token('google', 'ya29\\.[A-Za-z0-9_-]{20,}'),
	token('google', 'GOCSPX-[A-Za-z0-9_-]{20,}'),
	token('aws', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16,}'),
	token('stripe', '(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,}'),
	token('stripe', 'whsec_[A-Za-z0-9+/=]{24,}'),
	token('github', '(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{30,}'),
	token('github', 'github_pat_[A-Za-z0-9_]{40,}'),
	token('gitlab', '(?:glpat|gldt|glrt|glcbt|glptt)-[A-Za-z0-9_-]{20,}'),
	token('slack', 'xox[abeoprs]-[A-Za-z0-9-]{10,}'),
	token('slack', 'xapp-[0-9]-[A-Za-z0-9-]{10,}'),
	{ name: 'slack', pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9+/_-]{20,}/g },
	token('npm', 'npm_[A-Za-z0-9]{30,}'),
	token('pypi', 'pypi-[A-Za-z0-9_-]{50,}'),
	token('huggingface', 'hf_[A-Za-z0-9]{30,}'),
	token('sendgrid', 'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{30,}'),
	token('xai', 'xai-[A-Za-z0-9]{40,}'),
	token('groq', 'gsk_[A-Za-z0-9]{40,}'),
	token('digitalocean', 'do[opr]_v1_[a-f0-9]{40,}'),
	token('azure', '(?<=AccountKey=)[A-Za-z0-9+/]{60,}={0,2}'),
	{
		name: 'authorization',
		pattern:
			/(?<keep>\b(?:proxy-)?authorization["']?\s{0,8}[:=]\s{0,8}["']?(?:(?:basic|bearer|token|digest|negotiate)\s{1,8})?)(?!<redacted:)[A-Za-z0-9._~+/=-]{8,}/gi,
	},
	{
		name: 'bearer',
		pattern:
			/(?<keep>\bbearer\s{1,8})(?!<redacted:)(?:(?=[a-z._~+/=-]{0,64}\d)[A-Za-z0-9._~+/=-]{8,}|[A-Za-z0-9._~+/=-]{16,})/gi,
	},
	{
		name: 'url-password',
		pattern: /(?<keep>\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'<>]{0,200}:)(?!<redacted:)[^\s@/"'<>]{3,200}(?=@)/gi,
	},
];

const anyFamily = [false, true].map((ignoresCase) => {
	const sources = FAMILIES.filter(({ pattern }) => pattern.ignoreCase === ignoresCase).map(({ pattern }) =>
		pattern.source.replaceAll('(?<keep>', '(?:'),
	);
	return new RegExp(sources.join('|'), ignoresCase ? 'i' : '');
});

/** Whether any of `FAMILIES` matches in `text`; sooner told than by asking each of them. */
export function holdsFamily(text: string): boolean {
	return anyFamily.some((pattern) => pattern.test(text));
}
