/**
 * Secrets that their surroundings give away. A pattern with a group `keep` leaves that part readable. Each is linear in its
 * text. Tokens with a form of their own are in `token-forms.ts`.
 */
import { EVERYDAY_FAMILIES, type Family } from './everyday-families.ts';
import type { Vocabulary } from './word-pass.ts';

export type { Family };

const COMMON: readonly Family[] = [
	{
		name: 'private-key',
		words: ['private key'],
		// A shorter one is no key, unless the text was cut in it.
		pattern:
			/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:[A-Za-z0-9+/=\s\\:,>|#*"']|-(?!----)){40,32000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?|[A-Za-z0-9+/=\r\n]{4,40}(?![^]))/g,
	},
	{
		name: 'authorization',
		words: ['authorization'],
		pattern:
			/(?<keep>\b(?:proxy-)?authorization["']?\s{0,8}[:=]\s{0,8}["']?(?:(?:basic|bearer|ssws|(?:api-?)?token|apikey|digest|negotiate)\s{1,8})?)(?!<redacted:|0{8}|(?:mF_9\.B5f-4\.1JqM|SlAV32hkKG|czZCaGRSa3F0MzpnWDFmQmF0M2JW)(?![\w~+/=%-]|\.\w))(?:(?=[a-z._~+/=-]{0,64}\d)[A-Za-z0-9._~+/=%-]{8,}|[A-Za-z_~+/=%-]{16,}(?!\.))/gi,
	},
	{
		name: 'bearer',
		words: ['bearer'],
		pattern:
			/(?<keep>\bbearer\s{1,8})(?!<redacted:|(?:mF_9\.B5f-4\.1JqM|SlAV32hkKG)(?![\w~+/=%-]|\.\w))(?![a-z_]{1,40}=")(?:(?=[a-z._~+/=-]{0,64}\d)[A-Za-z0-9._~+/=%-]{8,}|[A-Za-z0-9._~+/=%-]{16,})/gi,
	},
	{
		name: 'facebook',
		pattern: /(?<![\w.-])\d{15,16}[|%][\w-]{27,40}(?![\w-])/g,
	},
	{
		name: 'discord',
		pattern: /(?<![\w.-])[MNO][A-Za-z0-9_-]{23,27}\.[\w-]{6}\.(?=[A-Za-z_-]{0,37}\d)[\w-]{27,40}(?![\w.-])/g,
	},
	{
		name: 'asana',
		words: ['1/', '2/'],
		pattern: /(?<![\w./-])[12]\/\d{15,17}(?:\/\d{15,17})?:[a-f0-9]{32}(?!\w)/g,
	},
	{
		name: 'ngrok',
		pattern: /(?<![\w.-])[12][A-Za-z0-9]{26}_(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{21}(?![\w.-])/g,
	},
	{
		name: 'netrc',
		words: ['machine'],
		pattern:
			/(?<keep>\bmachine\s{1,8}\S{1,100}\s{1,8}login\s{1,8}\S{1,100}\s{1,8}password\s{1,8})(?!<redacted:|\$\([\w./-]+[ \t]|(?:\$\{[^\s}]*\}|\$\w+|%s|%\w+%|%\(\w+\)s|\{[\w.]*\})["']?(?!\S)|\{\{[ \t])\S{3,200}/g,
	},
	{
		name: 'docker',
		words: ['"auth":'],
		pattern: /(?<keep>"auth":\s{0,4}")(?=[A-Za-z+/]{0,64}\d)[A-Za-z0-9+/]{16,400}={0,2}(?=")/g,
	},
	{
		name: 'nuget',
		words: ['<add key="'],
		pattern: /(?<keep><add key="(?:ClearText)?Password"\s{1,8}value=")(?!<redacted:)[^"\n%]{8,200}/gi,
	},
	{
		name: 'url-password',
		words: ['://'],
		pattern:
			/(?<keep>:\/\/(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s:@/"'<>]{0,200}:)(?!<redacted:|x-oauth-basic@|(?:[a-z]{1,4}|\d{1,3}|pass(?:word|wd))@(?![^\s/"'<>]*@))[^\s/"'<>]{3,200}(?=@)/gi,
	},
	{
		name: 'url-token',
		words: ['://'],
		// After the password, which stands behind it.
		pattern: /(?<=:\/\/)(?=[A-Za-z_-]{0,64}\d)[\w-]{20,200}(?=@|:(?:[\w-]{1,40}|<redacted:url-password>)@)/g,
	},
];

const FAMILIES: readonly Family[] = [...EVERYDAY_FAMILIES, ...COMMON];

const WORDLESS = FAMILIES.filter(({ words }) => words === undefined);

/** Returns the families that may find something in a text that holds words of `held`, in their order. */
export function listFamilies(held: ReadonlySet<Family>): readonly Family[] {
	return held.size === 0 ? WORDLESS : FAMILIES.filter((family) => family.words === undefined || held.has(family));
}

export function familyVocabulary(): Vocabulary {
	const byWord = new Map<string, Family[]>();
	for (const family of FAMILIES) {
		for (const word of family.words ?? []) byWord.set(word, [...(byWord.get(word) ?? []), family]);
	}
	const families = [...byWord.values()];
	return {
		words: [...byWord.keys()],
		ignoresCase: true,
		begin: (_, { held }) => {
			const isTold = new Uint8Array(families.length);
			return {
				tell(word) {
					isTold[word] = 1;
				},
				finish() {
					for (const family of families.filter((_each, word) => isTold[word] === 1).flat()) held.add(family);
				},
			};
		},
	};
}
