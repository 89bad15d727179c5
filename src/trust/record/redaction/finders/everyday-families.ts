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
			/(?<keep>\b(?:IDENTIFIED BY(?: PASSWORD)?|(?:LOGIN|(?:USER|ROLE) [\w."]{1,64}|WITH(?: ENCRYPTED)?|ENCRYPTED) PASSWORD) ')(?!<redacted:)(?=[^'\n]{0,100}(?:[\d!#&]|[a-z][A-Z]))[^'\n%{$]{4,200}(?=')/gi,
	},
	{
		name: 'password',
		words: ["password('", 'password("'],
		pattern: /(?<keep>=\s{0,4}PASSWORD\(["'])(?!<redacted:)[^"'\n]{4,200}(?=["']\))/gi,
	},
	{
		name: 'password',
		words: ['define('],
		pattern:
			/(?<keep>\bdefine\(\s{0,4}["']\w{0,40}(?:PASSWORD|PASSWD|PASS|SECRET|TOKEN|API_KEY)["']\s{0,4},\s{0,4}["'])(?!<redacted:)(?=[^"'\n]{0,100}[\d!#%&*])[^"'\s$<]{6,200}(?=["'])/gi,
	},
	{
		name: 'password',
		words: ['value="', "value='"],
		pattern:
			/(?<keep>\b(?:name|key|id)=["'][\w.-]{0,60}(?:password|passwd|passphrase|secret|token|apikey)["']\s{1,8}value=["'])(?!<redacted:)(?=[^"'\n]{0,100}\d)(?=[^"'\n]{0,100}[A-Za-z])[^"'\s$<>{}]{6,200}(?=["'])/gi,
	},
	{
		name: 'password',
		words: [
			'password-stdin',
			'pass-stdin',
			'sudo -s',
			'with-token',
			'passphrase-fd',
			'passwd --stdin',
			'cryptsetup',
			'kinit',
		],
		// Passwords that a program reads from a pipe or a string of the shell.
		pattern:
			/(?<keep>\b(?:echo|printf)(?:\s{1,4}(?:-[ne]{1,2}|["']%s(?:\\n)?["'])){0,3}\s{1,4}["']?)(?!<redacted:)[^\s"'$<|\u0060]{4,400}(?=["']?\s{0,4}\|[^|\n;&]{0,160}(?:sudo -S|--pass(?:word)?-stdin|--with-token|--passphrase-fd|passwd --stdin|cryptsetup|kinit)\b)/g,
	},
	{
		name: 'password',
		words: ['<<<'],
		pattern:
			/(?<keep>\b(?:cryptsetup|kinit|sudo -S|passwd|--pass(?:word)?-stdin|--with-token|--passphrase-fd 0)\b[^\n<]{0,160}<<<\s?["']?)(?!<redacted:)[^\s"'$<]{4,400}/g,
	},
	{
		name: 'password',
		words: ['send'],
		pattern: /(?<keep>assw(?:or)?d[^\n]{0,24}\n?\s{0,8}send(?:\s--)?\s["'])(?!<redacted:)[^"'\\$\n]{4,100}(?=\\[rn])/gi,
	},
	{
		name: 'password',
		words: ['word is', 'wort ist', 'wort lautet', 'phrase is', 'code is'],
		// Passwords as people tell each other: letters with digits in one word, and no size or version.
		pattern:
			/(?<keep>\b(?:pass(?:word|phrase|code) is|(?:pass|kenn)wort (?:ist|lautet))(?::|\snow)?\s{0,4}["'\u0060]?)(?!<redacted:|(?:sha|md|utf|base|bcrypt|argon|pbkdf|http|oauth|v?\d+[a-z]{0,5}\b))(?=[^\s"'\u0060]{0,100}\d)(?=[^\s"'\u0060]{0,100}[A-Za-z])[^\s"'\u0060<>(){}[\]]{8,100}/gi,
	},
	{
		name: 'backup-codes',
		words: ['backup code', 'recovery code', '2fa code'],
		pattern:
			/(?<keep>\b(?:backup|recovery|2fa) codes?["']?\s{0,4}[:=]\s{0,12}["'[]{0,2}\s{0,12})(?:(?=[\w-]{0,100}\d)[a-z0-9]{4,8}-[a-z0-9]{4,8}(?:-[a-z0-9]{4,8}){0,3}["']?,?\s{0,12}["']?){1,20}/gi,
	},
	{
		name: 'password',
		words: [' -p ', ' -w '],
		// Behind the name of a user, whatever the program: only what chance makes.
		pattern:
			/(?<keep>\s(?:-[uUlDa]|--?user(?:name)?)[ =]["']?[\w.@=,-]{1,64}["']?\s(?:[^\n|;&]{0,80}?\s)?-[pPw] ["']?)(?!<redacted:)(?=[^\s"']{0,100}\d)(?=[^\s"']{0,100}[a-z])(?=[^\s"']{0,100}[A-Z])[^\s"'$<:/.]{8,100}(?=["']?(?:\s|$))/gi,
	},
	{
		name: 'password',
		words: [' <<<'],
		pattern:
			/(?<keep> <<< ?["']?(?:[\w.-]{1,32}:)?)(?!<redacted:)(?=[^\s"']{0,100}\d[A-Za-z])(?=[^\s"']{0,100}[a-z])(?=[^\s"']{0,100}[A-Z])[^\s"'$<:/.]{10,100}(?=["']?\s{0,4}$)/gm,
	},
	{
		name: 'password',
		words: ['<('],
		pattern:
			/(?<keep>(?:passw(?:or)?d|private-key|user-pass|secret|token)[^\n<]{0,40}<\((?:echo|printf)(?:\s-[ne]{1,2})?\s["']?(?:[\w.@-]{1,64}\\n)?)(?!<redacted:)[^\s"'$<)]{6,200}/gi,
	},
	{
		name: 'password',
		words: ['auth', '.login(', 'credential'],
		// The name of a user and a password, as code gives them together.
		pattern:
			/(?<keep>(?:\b(?:auth\s?=\s?|(?:http)?(?:basic|digest)_?auth|(?:ps|network|usernamepassword)credentials?)|\.login)\(\s{0,4}["'][^"'\n]{1,64}["']\s{0,2},\s{0,4}["'])(?!<redacted:)(?=[^"'\n]{0,100}\d)(?=[^"'\n]{0,100}[A-Za-z])[^\s"'$<{]{6,200}(?=["'])/gi,
	},
	{
		name: 'password',
		words: ['password "', "password '", 'password \u0060'],
		pattern:
			/(?<keep>(?:[a-z](?:key|store)?password) ["'\u0060])(?!<redacted:)(?=[^\s"'\u0060]{0,100}\d[A-Za-z!#$%&*])[^\s"'\u0060<{$(]{8,100}(?=["'\u0060])/gi,
	},
	{
		name: 'password',
		words: ['password ', 'passwort ', 'passphrase ', 'kennwort '],
		pattern:
			/(?<keep>\b(?:[Pp]assw(?:or[dt])|[Pp]assphrase|[Kk]ennwort) )(?!<redacted:|[A-Za-z]{0,12}(?:[Ss][Hh][Aa]|[Bb]ase|[Mm][Dd]|[Oo][Aa]uth|[Uu][Tt][Ff]|2|[Hh]ttp|[Vv]\d))(?=\S{0,100}\d[A-Za-z])(?=\S{0,100}[a-z])(?=\S{0,100}[A-Z])[^\s"'\u0060<>(){}[\],;:.=/-]{10,64}(?=[\s,.;]|$)/g,
	},
	{
		name: 'password',
		words: ['pw:', 'pw='],
		pattern:
			/(?<keep>(?<![\w-])pw[:=]\s{0,2}["']?)(?!<redacted:)(?=[^\s"']{0,100}[\d!#%&*])(?=[^\s"']{0,100}[A-Za-z])[^\s"'$<(){},;[\]]{8,100}/gi,
	},
	{
		name: 'signature',
		words: ['x-amz-signature', 'x-goog-signature'],
		pattern: /(?<keep>[?&]X-(?:Amz|Goog)-Signature=)[0-9a-f]{32,1024}/gi,
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
		name: 'password',
		words: ['password'],
		// Passwords that Apple makes for one program.
		pattern: /(?<keep>password[ =:]\s{0,2}["']?)[a-z]{4}(?:-[a-z]{4}){3}(?![\w-])/gi,
	},
	{
		name: 'psk',
		words: ['psk', 'presharedkey'],
		pattern:
			/(?<keep>\b(?:(?:psk|PresharedKey)\s{0,4}=\s{0,4}["']?|PSK\s{1,4}"))(?!<redacted:)(?=[^"'\n]*\d)(?:[^\s"'$<(){},;]{8,64}|(?<=")[^"\n]{8,63}(?="))/g,
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
