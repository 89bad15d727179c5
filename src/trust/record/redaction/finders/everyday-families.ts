/** Secrets in ordinary lines of shells, settings and programs, which their surroundings give away. Each is linear in its text. */
export interface Family {
	readonly name: string;
	readonly pattern: RegExp;
	/** Words in small letters, one of which is in all that the pattern finds: without them it is not even compiled. */
	readonly words?: readonly string[];
	/** Set for a pattern of the user, which runs under a time limit. */
	readonly isOwn?: true;
}

export const EVERYDAY_FAMILIES: readonly Family[] = [
	{
		name: 'private-key',
		words: ['mii', 'mhccaqeei', 'mighageambmg', 'mc4caqawbqydk2v', 'b3blbnnzac1rzxktdje'],
		// The first line may be missing: then a key begins as its version does in Base64, or as OpenSSH's do.
		pattern:
			/(?<![A-Za-z0-9+/])(?:MII[A-Za-z0-9+/]{2}[AQgw]IBA|MHcCAQEEI|MIGHAgEAMBMG|MC4CAQAwBQYDK2V|b3BlbnNzaC1rZXktdjE)[A-Za-z0-9+/=]{20,}(?:(?:\\r)?(?:\\n|[\s"'>|#*]{1,12})[A-Za-z0-9+/]{16,76}={0,2}(?![\w+/=-]))*/g,
	},
	{
		name: 'private-key',
		words: ['private-lines: '],
		// PuTTY writes the number of lines before them.
		pattern: /(?<keep>\bPrivate-Lines: \d{1,4}\s{1,4})(?:[A-Za-z0-9+/=]{1,64}\s{0,4}(?![\w-]*:)){1,400}/g,
	},
	{
		name: 'password-hash',
		words: ['$1$', '$2', '$5$', '$6$', '$y$', '$gy$', '$7$', '$apr1$', '$argon2', '$scrypt$', '$pbkdf2'],
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
		words: ['secret access key'],
		pattern: /(?<keep>\bSecret access key[^\n]{0,80}\r?\n(?:[^,\n]{0,60},){1,4})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/gi,
	},
	{
		name: 'csv-password',
		words: ['name,password'],
		pattern: /(?<keep>^User ?name,Password\b[^\n]{0,120}\r?\n[^,\n]{1,100},)(?!<redacted:)[^,\n]{6,200}/gim,
	},
	{
		name: 'cookie',
		words: ['cookie', '-b'],
		pattern:
			/(?<keep>(?:\b(?:set-)?cookie["']?\s{0,4}:\s{0,4}["']?|(?<=\s)-b\s{1,4}["'])(?:[\w.-]{1,40}=[^;\s"']{0,200};\s{0,2}){0,6}?[\w.-]{0,20}(?:sess(?:ion)?(?:_?id)?|sid|auth|token|jwt|csrf)[\w.-]{0,20}=)(?!<redacted:)(?=[^;\s"']*\d)[^;\s"'<{$]{12,400}/gi,
	},
	{
		name: 'plist',
		words: ['<key>'],
		pattern:
			/(?<keep><key>[\w .-]{0,40}(?:key|token|secret|passw(?:or)?d|passphrase)<\/key>\s{0,24}<string>)(?!<redacted:)(?=[^<]*\d)[^<\s$({]{6,300}(?=<)/gi,
	},
	{
		name: 'password',
		words: [
			'passe',
			'contrase',
			'senha',
			'wachtwoord',
			'haslo',
			'hasło',
			'пароль',
			'密码',
			'密碼',
			'パスワード',
			'비밀번호',
			'lösenord',
			'adgangskode',
			'salasana',
			'jelszó',
			'şifre',
			'parola',
		],
		// Words of other languages stand before nothing else.
		pattern:
			/(?<keep>(?<![A-Za-z])(?:[Mm]ot_?de_?passe|[Cc]ontrase[ñn]a|[Ss]enha|[Ww]achtwoord|[Hh]as[łl]o|[Пп]ароль|密码|密碼|パスワード|비밀번호|[Ll]ösenord|[Aa]dgangskode|[Ss]alasana|[Jj]elszó|[Şş]ifre|[Pp]arola)["']?\s{0,2}[:=：]\s{0,4}["']?)(?!<redacted:)(?=[^\s"']*(?:[\d!#$%&*]|[a-z][A-Z]))[^\s"'<>()[\]{},;]{6,100}/g,
	},
	{
		name: 'password',
		words: ['convertto-securestring'],
		pattern: /(?<keep>\bConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?["'])(?!<redacted:)[^"'$\n]{4,200}(?=["'])/gi,
	},
	{
		name: 'password',
		words: ['identified by', "password '"],
		pattern:
			/(?<keep>\b(?:IDENTIFIED BY(?: PASSWORD)?|(?:LOGIN|USER [\w."]{1,64}|WITH(?: ENCRYPTED)?|ENCRYPTED) PASSWORD) ')(?!<redacted:)(?=[^'\n]*(?:[\d!#&]|[a-z][A-Z]))[^'\n%{$]{4,200}(?=')/gi,
	},
	{
		name: 'password',
		words: ['requirepass', 'masterauth', 'snmp-server community'],
		pattern:
			/(?<keep>\b(?:requirepass|masterauth|snmp-server community)\s{1,4}["']?)(?!<redacted:)(?=[^\s"']*(?:\d|[a-z][A-Z]))[^\s"'$<]{6,200}/g,
	},
	{
		name: 'password',
		words: [' pass:'],
		pattern: /(?<keep>\bpass(?:in|out)? pass:)(?!<redacted:)[^\s"'$<]{4,200}/g,
	},
	{
		name: 'password',
		words: ['chpasswd'],
		pattern:
			/(?<keep>["'][a-z_][\w.-]{0,31}:)(?!<redacted:)[^\s"'$<:]{4,200}(?=["']\s{0,4}\|\s{0,4}(?:sudo )?chpasswd)/g,
	},
	{
		name: 'psk',
		words: ['psk', 'presharedkey'],
		pattern:
			/(?<keep>\b(?:psk|PresharedKey)\s{0,4}=\s{0,4}["']?)(?!<redacted:)(?=[^"'\n]*\d)(?:[^\s"'$<(){},;]{8,64}|(?<=")[^"\n]{8,63}(?="))/g,
	},
	{
		name: 'oracle',
		words: ['jdbc:oracle:thin:'],
		pattern: /(?<keep>\bjdbc:oracle:thin:[\w.]{1,64}\/)(?!<redacted:)[^\s"'@/]{3,100}(?=@)/g,
	},
	{
		name: 'wallet',
		pattern: /(?<![\w/+=.-])(?=[^\s]{0,20}\d)[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?![\w/+=-])/g,
	},
	{
		name: 'wallet',
		words: ['mnemonic', 'phrase', 'words'],
		pattern:
			/(?<keep>\b(?:mnemonic|(?:seed|recovery|backup)[ _-]?(?:phrase|words))["']?\s{0,3}[:=]\s{0,3}["']?)(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8}/gi,
	},
];
