/** Finds the password that a command is given by an option of one letter, which means something else to other programs. */
import type { SecretFinding } from '../findings.ts';
import { MAX_COMMAND } from '../limits.ts';
import type { Vocabulary } from './word-pass.ts';

interface CredentialCommand {
	readonly family: string;
	/** Programs, with a `|` between two. */
	readonly names: string;
	/** Begins behind the name of the program. */
	readonly follows: RegExp;
	/** The first group stays. */
	readonly option: RegExp;
}

const credentialCommands: readonly CredentialCommand[] = [
	{
		family: 'curl-user',
		names: 'curl',
		follows: /\b/y,
		// The password behind the name, or all that stands there when one of the two is left out.
		option:
			/(\s(?:-u|--user)(?:[ =]|\\\n){1,4}["']?(?:[^\s:"'$<]{0,64}["']?:["']?(?!["'\s])|(?=[^\s:"'$<]{3,64}:["'\s])))(?!<redacted:|["']?[$[]|\{\{)[^\s"'<]{3,200}/g,
	},
	{
		family: 'mysql',
		names: 'mysql|mysqldump|mysqladmin|mariadb|mariadb-dump',
		follows: / +-/y,
		// Neither ports nor the options of other commands behind it.
		option: /(\s-p["']?)(?![$<{]|\d+:|(?:arents|ath|erm|ipe|ort|rint0?|rofile|roject|rune)\b)[^\s"'<,;)]{3,200}/g,
	},
	{
		family: 'sshpass',
		names: 'sshpass',
		follows: / +-/y,
		option: /(\s-p[ =]{0,4}["']?)(?![$<{])[^\s"'<]{3,200}/g,
	},
	{
		family: 'login',
		names:
			'docker|podman|buildah|skopeo|nerdctl|helm registry|oras|az|oc|mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|twine|cqlsh|rdesktop|psexec|PsExec|PsExec64|cf|argocd|vsphere|nats',
		follows: / +[\w"'-]/y,
		// Ports and folders go behind `-p`, too: only behind the name of a user, or of the act.
		option:
			/(\s(?:login\b|-u|--user(?:name)?[ =])[^\n|;&]{0,160}?\s(?:-p|--password)[ =]["']?)(?![$<{-])[^\s"'<]{4,200}/g,
	},
	{
		family: 'command-password',
		names:
			'redis-cli|sqlcmd|bcp|isql|osql|ipmitool|ldapsearch|ldapadd|ldapmodify|ldapdelete|ldappasswd|ldapwhoami|ldapcompare|plink|pscp|psftp|keytool|jarsigner|zip|unzip|ssh-keygen|certutil|security',
		follows: / +[\w-]/y,
		option:
			/(\s-(?:a|w|P|N|pw|storepass|keypass|srcstorepass|deststorepass)[ =]["']?)(?![$<{-])(?=[^\s"'<]*(?:\d|[A-Z][^\s"'<]*[a-z]|[a-z][^\s"'<]*[A-Z]))[^\s"'<:/]{4,200}(?!\.\w)/g,
	},
	{
		family: 'archive-password',
		names: '7z|7za|7zr|rar|unrar',
		follows: / +[aextl]/y,
		option: /(\s-h?p["']?)(?![$<{])[^\s"'<]{4,200}/g,
	},
	{
		family: 'httpie',
		names: 'http|https|xh',
		follows: / +-/y,
		option: /(\s(?:-a|--auth)[ =]["']?[^\s:"'$<]{1,64}:)(?![$<{])[^\s"'<]{3,200}/g,
	},
	{
		family: 'samba',
		names: 'smbclient|rpcclient|smbmap|winexe|smbget|net rpc',
		follows: / /y,
		option: /(\s(?:-U|--user)[ =]?["']?[^\s%"'$<]{1,64}%)(?![$<{])[^\s"'<]{3,200}/g,
	},
	{
		family: 'windows-net',
		names: 'net|net1|net.exe|net1.exe|NET|NET1|NET.exe|NET1.exe|Net|Net1|Net.exe|Net1.exe',
		follows: / +[uU]/y,
		option:
			/((?:^|\s)use(?:r\s{1,4}[\w.\\-]{1,64}|\s[^\n]{0,100}?\\\\[\w.$\\-]{3,100})\s{1,4}["']?)(?![$<{/*%])(?=[^\s"']*[\d!#&%])[^\s"'<]{4,200}/gi,
	},
	{
		family: 'remote-desktop',
		names: 'xfreerdp|xfreerdp3|wfreerdp|mstsc',
		follows: / +\//y,
		option: /(\s\/p:["']?)(?![$<{])[^\s"'<]{3,200}/g,
	},
	{
		family: 'ftp',
		names: 'lftp',
		follows: / /y,
		option: /(\s-u[ =]["']?[^\s,"'$<]{1,64},)(?![$<{])[^\s"'<]{3,200}/g,
	},
	{
		family: 'new-password',
		names: 'htpasswd|rabbitmqctl|nmcli',
		follows: / /y,
		option:
			/((?:^|\s)(?:-(?=[A-Za-z]{0,20}n)[A-Za-z]*b[A-Za-z]*\s{1,4}[\w.@-]{1,64}|-[A-Za-z]*b[A-Za-z]*\s{1,4}\S{1,200}\s{1,4}[\w.@-]{1,64}|(?:add_user|change_password)\s{1,4}[\w.@-]{1,64}|[^\n]{0,100}?wifi connect [^\n]{1,64} password)\s{1,4}["']?)(?![$<{-])[^\s"'<]{4,200}/g,
	},
	{
		family: 'message-broker',
		names: 'mosquitto_pub|mosquitto_sub|mosquitto_rr',
		follows: / +-/y,
		option: /(\s(?:-P|--pw)[ =]["']?)(?![$<{-])[^\s"'<]{4,200}/g,
	},
	{
		family: 'snmp',
		names: 'snmpwalk|snmpget|snmpset|snmpbulkwalk|snmpbulkget|snmptrap|snmptable|snmpstatus',
		follows: / +-/y,
		option: /(\s-[AX] {1,4}["']?)(?![$<{-])[^\s"'<]{8,200}/g,
	},
	{
		family: 'windows-password',
		names: 'schtasks|cmdkey|SCHTASKS|CMDKEY|schtasks.exe|cmdkey.exe|wmic|winrs|signtool|signtool.exe',
		follows: / +[\w/]/y,
		option: /(\s\/(?:rp|pass|password|p)[: ]["']?)(?![$<{/*%])[^\s"'<]{4,200}/gi,
	},
	{
		family: 'openssl',
		names: 'openssl',
		follows: / +(?:enc|aes|des|camellia|aria)/y,
		option: /(\s-[kK] {1,4}["']?)(?![$<{-])[^\s"'<]{4,200}/g,
	},
	{
		family: 'kept-password',
		names: 'aws|npm|pnpm|yarn|git|poetry|ngrok|composer|bundle|conda|hub|glab|pulumi|sfdx|vercel',
		follows: / +config/y,
		option:
			/((?:^|\s)(?:(?:configure|config)(?:\s{1,4}(?:set|add|-g|--global|--local|--secret)){0,4}\s{1,4}(?:[\w./:@-]{0,120}(?:secret|token|passw(?:or)?d|_auth|api_?key|access_?key)[\w.-]{0,40}[ =]|http-basic\.[\w.-]{1,60}\s{1,4}[\w.@-]{1,64} |add-authtoken ))\s{0,4}["']?)(?![$<{-])(?=[^\s"']{0,100}\d)[^\s"'<]{8,400}/gi,
	},
	{
		family: 'given-secret',
		names: 'gh secret set|glab variable set|choco apikey|openssl passwd',
		follows: / +\S/y,
		option: /(\s(?:--body|--value|-[bvk1256]) ["']?)(?![$<{-])[^\s"'<]{6,400}/g,
	},
	{
		family: 'given-secret',
		names: 'ansible-vault encrypt_string|rclone obscure|set-initial-password',
		follows: / +\S/y,
		option: /(^ {1,4}["']?)(?![$<{-])(?=[^\s"']{0,100}\d)[^\s"'<]{6,400}/g,
	},
	{
		family: 'given-secret',
		names: 'samba-tool user|mc alias|b2 authorize-account|user-secrets set|bundle config',
		follows: / +\S/y,
		option:
			/(^ {1,4}(?:(?:create|add|setpassword) [\w.@-]{1,64} (?:--newpassword=)?|set \S{1,60} \S{1,100} [\w-]{2,100} |0\w{2,30} |["']?[\w:.-]{1,100}["']? (?=["'])|https?:\/\/\S{1,100} [\w.-]{1,64}:)["']?)(?![$<{-])[^\s"'<]{6,400}/g,
	},
	{
		family: 'document-password',
		names: 'qpdf|pdftk',
		follows: / +\S/y,
		option: /(\s(?:--encrypt|(?:user|owner|input)_pw) ["']?)(?![$<{-])[^\s"'<]{4,200}/g,
	},
	{
		family: 'wifi-password',
		names: 'wpa_passphrase',
		follows: / /y,
		option: /(^ +[\w.-]{1,32} +["']?)(?![$<{-])[^\s"'<]{8,64}/g,
	},
	{
		family: 'sqlplus',
		names: 'sqlplus|expdp|impdp|sqlldr|rman',
		follows: / /y,
		option: /(\s["']?[A-Za-z]\w{0,30}\/)(?![$<{])[^\s"'<@/]{3,100}(?=@)/g,
	},
];

/** Part of a text behind the name of a program. */
interface Stretch {
	readonly start: number;
	end: number;
}

interface Program {
	readonly name: string;
	readonly command: CredentialCommand;
}

const programs: readonly Program[] = credentialCommands.flatMap((command) =>
	command.names.split('|').map((name) => ({ name, command })),
);

export const programVocabulary: Vocabulary = {
	words: programs.map(({ name }) => name),
	ignoresCase: false,
	begin: (text, { secrets }) => {
		/** Overlapping stretches of a command become one, so that it is searched once and is not cut. */
		const byCommand = new Map<CredentialCommand, Stretch[]>();
		return {
			tell(word, start) {
				const program = programs[word];
				if (program === undefined || isIdentifierPart(text.charCodeAt(start - program.name.length - 1))) return;
				const { follows } = program.command;
				follows.lastIndex = start;
				if (!follows.test(text)) return;
				const stretches = byCommand.get(program.command) ?? [];
				const last = stretches.at(-1);
				if (last !== undefined && start <= last.end) {
					last.end = start + MAX_COMMAND;
				} else {
					stretches.push({ start, end: start + MAX_COMMAND });
				}
				byCommand.set(program.command, stretches);
			},
			finish() {
				for (const [command, stretches] of byCommand) {
					for (const stretch of stretches) addCredentials(text, command, stretch, secrets);
				}
			},
		};
	},
};

function addCredentials(text: string, command: CredentialCommand, stretch: Stretch, secrets: SecretFinding[]): void {
	for (const match of text.slice(stretch.start, stretch.end).matchAll(command.option)) {
		const [whole, kept = ''] = match;
		const at = stretch.start + match.index;
		secrets.push({ family: command.family, start: at + kept.length, end: at + whole.length });
	}
}

/** True for what `\w` matches. */
function isIdentifierPart(code: number): boolean {
	return (
		(code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f
	);
}
