/**
 * Secrets that their surroundings give away. A pattern with a group `keep` leaves that part readable. Each is linear in its
 * text. Tokens with a form of their own are in `token-forms.ts`.
 */
export interface Family {
	readonly name: string;
	readonly pattern: RegExp;
	/** Set for a pattern of the user, which runs under a time limit. */
	readonly isOwn?: true;
}

export const FAMILIES: readonly Family[] = [
	{
		name: 'private-key',
		// A shorter one is no key, unless the text was cut in it.
		pattern:
			/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:[A-Za-z0-9+/=\s\\:,>|#*"']|-(?!----)){40,32000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?|[A-Za-z0-9+/=\r\n]{4,40}(?![^]))/g,
	},
	{
		name: 'private-key',
		// The first line may be missing: then a key begins as its version does in Base64, or as OpenSSH's do.
		pattern:
			/(?<![A-Za-z0-9+/])(?:MII[A-Za-z0-9+/]{2}[AQgw]IBA|MHcCAQEEI|MIGHAgEAMBMG|MC4CAQAwBQYDK2V|b3BlbnNzaC1rZXktdjE)[A-Za-z0-9+/=]{20,}(?:(?:\\r)?(?:\\n|[\s"'>|#*]{1,12})[A-Za-z0-9+/]{16,76}={0,2}(?![\w+/=-]))*/g,
	},
	{
		name: 'private-key',
		// PuTTY writes the number of lines before them.
		pattern: /(?<keep>\bPrivate-Lines: \d{1,4}\s{1,4})(?:[A-Za-z0-9+/=]{1,64}\s{0,4}(?![\w-]*:)){1,400}/g,
	},
	{
		name: 'password-hash',
		pattern: /\$(?:1|2[abxy]|5|6|y|gy|7|apr1|argon2id?|scrypt|pbkdf2(?:-\w+)?)\$(?=[^\s:"']*\d)[\w./+=,$-]{26,200}/g,
	},
	{
		name: 'password-hash',
		// Windows writes the older hash before it.
		pattern: /(?<keep>:[0-9a-fA-F]{32}:)[0-9a-fA-F]{32}(?=:{2,3}|\s|$)/g,
	},
	{
		name: 'pgpass',
		pattern:
			/(?<keep>^(?:[A-Za-z][\w.-]{0,100}|\*|\d{1,3}(?:\.\d{1,3}){3}):(?:\d{4,5}|\*):(?:[\w-]{1,64}|\*):[\w.@-]{1,64}:)(?!<redacted:)(?=[^\s:]*\d)(?=[^\s:]*[A-Za-z])[^\s:()/;,]{6,200}$/gm,
	},
	{
		name: 'aws',
		pattern: /(?<keep>\bSecret access key[^\n]{0,80}\r?\n(?:[^,\n]{0,60},){1,4})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/gi,
	},
	{
		name: 'csv-password',
		pattern: /(?<keep>^User ?name,Password\b[^\n]{0,120}\r?\n[^,\n]{1,100},)(?!<redacted:)[^,\n]{6,200}/gim,
	},
	{
		name: 'cookie',
		pattern:
			/(?<keep>(?:\b(?:set-)?cookie["']?\s{0,4}:\s{0,4}["']?|(?<=\s)-b\s{1,4}["'])(?:[\w.-]{1,40}=[^;\s"']{0,200};\s{0,2}){0,6}?[\w.-]{0,20}(?:sess(?:ion)?(?:_?id)?|sid|auth|token|jwt|csrf)[\w.-]{0,20}=)(?!<redacted:)(?=[^;\s"']*\d)[^;\s"'<{$]{12,400}/gi,
	},
	{
		name: 'plist',
		pattern:
			/(?<keep><key>[\w .-]{0,40}(?:key|token|secret|passw(?:or)?d|passphrase)<\/key>\s{0,24}<string>)(?!<redacted:)(?=[^<]*\d)[^<\s$({]{6,300}(?=<)/gi,
	},
	{
		name: 'password',
		// Words of other languages stand before nothing else.
		pattern:
			/(?<keep>(?<![\p{L}])(?:mot_?de_?passe|contrase(?:ñ|n)a|senha|wachtwoord|hasło|haslo|пароль|密码|密碼|パスワード|비밀번호|lösenord|adgangskode|salasana|jelszó|şifre|parola)["']?\s{0,2}[:=：]\s{0,4}["']?)(?!<redacted:)(?=[^\s"']*(?:[\d!#$%&*]|[a-z][A-Z]))[^\s"'<>()[\]{},;]{6,100}/giu,
	},
	{
		name: 'password',
		pattern: /(?<keep>\bConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?["'])(?!<redacted:)[^"'$\n]{4,200}(?=["'])/gi,
	},
	{
		name: 'password',
		pattern:
			/(?<keep>\b(?:IDENTIFIED BY(?: PASSWORD)?|(?:LOGIN|USER [\w."]{1,64}|WITH(?: ENCRYPTED)?|ENCRYPTED) PASSWORD) ')(?!<redacted:)(?=[^'\n]*(?:[\d!#&]|[a-z][A-Z]))[^'\n%{$]{4,200}(?=')/gi,
	},
	{
		name: 'password',
		pattern:
			/(?<keep>\b(?:requirepass|masterauth|snmp-server community)\s{1,4}["']?)(?!<redacted:)(?=[^\s"']*(?:\d|[a-z][A-Z]))[^\s"'$<]{6,200}/g,
	},
	{
		name: 'password',
		pattern: /(?<keep>\bpass(?:in|out)? pass:)(?!<redacted:)[^\s"'$<]{4,200}/g,
	},
	{
		name: 'password',
		pattern:
			/(?<keep>["'][a-z_][\w.-]{0,31}:)(?!<redacted:)[^\s"'$<:]{4,200}(?=["']\s{0,4}\|\s{0,4}(?:sudo )?chpasswd)/g,
	},
	{
		name: 'psk',
		pattern:
			/(?<keep>\b(?:psk|PresharedKey)\s{0,4}=\s{0,4}["']?)(?!<redacted:)(?=[^"'\n]*\d)(?:[^\s"'$<(){},;]{8,64}|(?<=")[^"\n]{8,63}(?="))/g,
	},
	{
		name: 'oracle',
		pattern: /(?<keep>\bjdbc:oracle:thin:[\w.]{1,64}\/)(?!<redacted:)[^\s"'@/]{3,100}(?=@)/g,
	},
	{
		name: 'wallet',
		pattern: /(?<![\w/+=.-])(?=[^\s]{0,20}\d)[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?![\w/+=-])/g,
	},
	{
		name: 'wallet',
		pattern:
			/(?<keep>\b(?:mnemonic|(?:seed|recovery|backup)[ _-]?(?:phrase|words))["']?\s{0,3}[:=]\s{0,3}["']?)(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8}/gi,
	},
	{
		name: 'authorization',
		pattern:
			/(?<keep>\b(?:proxy-)?authorization["']?\s{0,8}[:=]\s{0,8}["']?(?:(?:basic|bearer|ssws|(?:api-?)?token|apikey|digest|negotiate)\s{1,8})?)(?!<redacted:|0{8})(?:(?=[a-z._~+/=-]{0,64}\d)[A-Za-z0-9._~+/=%-]{8,}|[A-Za-z_~+/=%-]{16,}(?!\.))/gi,
	},
	{
		name: 'bearer',
		pattern:
			/(?<keep>\bbearer\s{1,8})(?!<redacted:)(?![a-z_]{1,40}=")(?:(?=[a-z._~+/=-]{0,64}\d)[A-Za-z0-9._~+/=%-]{8,}|[A-Za-z0-9._~+/=%-]{16,})/gi,
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
		pattern: /(?<![\w./-])[12]\/\d{15,17}(?:\/\d{15,17})?:[a-f0-9]{32}(?!\w)/g,
	},
	{
		name: 'ngrok',
		pattern: /(?<![\w.-])[12][A-Za-z0-9]{26}_(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{21}(?![\w.-])/g,
	},
	{
		name: 'netrc',
		pattern:
			/(?<keep>\bmachine\s{1,8}\S{1,100}\s{1,8}login\s{1,8}\S{1,100}\s{1,8}password\s{1,8})(?!<redacted:)\S{3,200}/g,
	},
	{
		name: 'docker',
		pattern: /(?<keep>"auth":\s{0,4}")(?=[A-Za-z+/]{0,64}\d)[A-Za-z0-9+/]{16,400}={0,2}(?=")/g,
	},
	{
		name: 'nuget',
		pattern: /(?<keep><add key="(?:ClearText)?Password"\s{1,8}value=")(?!<redacted:)[^"\n%]{8,200}/gi,
	},
	{
		name: 'url-password',
		pattern:
			/(?<keep>:\/\/(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s:@/"'<>]{0,200}:)(?!<redacted:|x-oauth-basic@|(?:[a-z]{1,4}|\d{1,3}|pass(?:word|wd))@(?![^\s/"'<>]*@))[^\s/"'<>]{3,200}(?=@)/gi,
	},
	{
		name: 'url-token',
		// After the password, which stands behind it.
		pattern: /(?<=:\/\/)(?=[A-Za-z_-]{0,64}\d)[\w-]{20,200}(?=@|:(?:[\w-]{1,40}|<redacted:url-password>)@)/g,
	},
];

/** Patterns of the same flags as one; the flags but `g`. */
const anyFamily = Array.from(
	Map.groupBy(FAMILIES, ({ pattern }) => pattern.flags.replace('g', '')),
	([flags, families]) =>
		new RegExp(families.map(({ pattern }) => pattern.source.replaceAll('(?<keep>', '(?:')).join('|'), flags),
);

/** True when any of `FAMILIES` matches in `text`; faster than testing each of them. */
export function holdsFamily(text: string): boolean {
	return anyFamily.some((pattern) => pattern.test(text));
}
