/** Finds the password that a command is given by an option of one letter, which means something else to other programs. */
import type { SecretFinding, TextPlace } from '../findings.ts';
import { MAX_COMMAND } from '../limits.ts';

interface CredentialCommand {
	readonly family: string;
	readonly name: RegExp;
	/** The first group stays. */
	readonly option: RegExp;
}

const credentialCommands: readonly CredentialCommand[] = [
	{
		family: 'curl-user',
		name: /\bcurl\b/g,
		// The password behind the name, or all that stands there when one of the two is left out.
		option:
			/(\s(?:-u|--user)(?:[ =]|\\\n){1,4}["']?(?:[^\s:"'$<]{0,64}["']?:["']?(?!["'\s])|(?=[^\s:"'$<]{3,64}:["'\s])))(?!<redacted:|["']?[$[]|\{\{)[^\s"'<]{3,200}/g,
	},
	{
		family: 'mysql',
		name: /\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)(?= +-)/g,
		// Neither ports nor the options of other commands behind it.
		option: /(\s-p["']?)(?![$<{]|\d+:|(?:arents|ath|erm|ipe|ort|rint0?|rofile|roject|rune)\b)[^\s"'<,;)]{3,200}/g,
	},
	{
		family: 'sshpass',
		name: /\bsshpass(?= +-)/g,
		option: /(\s-p[ =]{0,4}["']?)(?![$<{])[^\s"'<]{3,200}/g,
	},
	{
		family: 'login',
		name: /\b(?:docker|podman|buildah|skopeo|nerdctl|helm registry|oras|az|oc|mongosh?|mongodump|mongorestore|mongoexport|mongoimport)(?= +[\w"'-])/g,
		// Ports and folders go behind `-p`, too: only behind the name of a user, or of the act.
		option:
			/(\s(?:login\b|-u|--user(?:name)?[ =])[^\n|;&]{0,160}?\s(?:-p|--password)[ =]["']?)(?![$<{-])[^\s"'<]{4,200}/g,
	},
	{
		family: 'command-password',
		name: /\b(?:redis-cli|sqlcmd|bcp|isql|osql|ipmitool|ldap(?:search|add|modify|delete|passwd|whoami|compare)|plink|pscp|psftp|keytool|jarsigner|zip|unzip|ssh-keygen)(?= +[\w-])/g,
		option:
			/(\s-(?:a|w|P|N|pw|storepass|keypass|srcstorepass|deststorepass)[ =]["']?)(?![$<{-])(?=[^\s"'<]*(?:\d|[A-Z][^\s"'<]*[a-z]|[a-z][^\s"'<]*[A-Z]))[^\s"'<:/]{4,200}(?!\.\w)/g,
	},
	{
		family: 'archive-password',
		name: /\b(?:7z[ar]?|7za|rar|unrar)(?= +[aextl])/g,
		option: /(\s-h?p["']?)(?![$<{])[^\s"'<]{4,200}/g,
	},
	{
		family: 'httpie',
		name: /\b(?:https?|xh)(?= +-)/g,
		option: /(\s(?:-a|--auth)[ =]["']?[^\s:"'$<]{1,64}:)(?![$<{])[^\s"'<]{3,200}/g,
	},
	{
		family: 'samba',
		name: /\b(?:smbclient|rpcclient|smbmap|winexe|smbget|net rpc)(?= +)/g,
		option: /(\s(?:-U|--user)[ =]?["']?[^\s%"'$<]{1,64}%)(?![$<{])[^\s"'<]{3,200}/g,
	},
	{
		family: 'windows-net',
		name: /\b(?:net|NET|Net)1?(?:\.exe)?(?= +[uU])/g,
		option:
			/((?:^|\s)use(?:r\s{1,4}[\w.\\-]{1,64}|\s[^\n]{0,100}?\\\\[\w.$\\-]{3,100})\s{1,4}["']?)(?![$<{/*%])(?=[^\s"']*[\d!#&%])[^\s"'<]{4,200}/gi,
	},
	{
		family: 'remote-desktop',
		name: /\b(?:xfreerdp3?|wfreerdp|mstsc)(?= +\/)/g,
		option: /(\s\/p:["']?)(?![$<{])[^\s"'<]{3,200}/g,
	},
	{
		family: 'ftp',
		name: /\blftp(?= +)/g,
		option: /(\s-u[ =]["']?[^\s,"'$<]{1,64},)(?![$<{])[^\s"'<]{3,200}/g,
	},
	{
		family: 'new-password',
		name: /\b(?:htpasswd|rabbitmqctl|nmcli)(?= +)/g,
		option:
			/((?:^|\s)(?:-[A-Za-z]*b[A-Za-z]*\s{1,4}\S{1,200}\s{1,4}[\w.@-]{1,64}|(?:add_user|change_password)\s{1,4}[\w.@-]{1,64}|[^\n]{0,100}?wifi connect [^\n]{1,64} password)\s{1,4}["']?)(?![$<{-])[^\s"'<]{4,200}/g,
	},
	{
		family: 'wifi-password',
		name: /\bwpa_passphrase(?= +)/g,
		option: /(^ +[\w.-]{1,32} +["']?)(?![$<{-])[^\s"'<]{8,64}/g,
	},
	{
		family: 'sqlplus',
		name: /\b(?:sqlplus|expdp|impdp|sqlldr|rman)(?= +)/g,
		option: /(\s["']?[A-Za-z]\w{0,30}\/)(?![$<{])[^\s"'<@/]{3,100}(?=@)/g,
	},
];

/** Most texts name none of the programs: one pass tells. */
const anyCommand = new RegExp(credentialCommands.map(({ name }) => name.source).join('|'));

export function findCommandCredentials(text: string): SecretFinding[] {
	if (!anyCommand.test(text)) return [];
	return credentialCommands.flatMap(({ family, name, option }) =>
		findCommandStretches(text, name).flatMap((stretch) =>
			Array.from(text.slice(stretch.start, stretch.end).matchAll(option), ({ 0: whole, 1: kept = '', index }) => {
				const start = stretch.start + index;
				return { family, start: start + kept.length, end: start + whole.length };
			}),
		),
	);
}

/**
 * Returns the stretches of text that follow the commands. Overlapping ones become one stretch, so that it is searched
 * once and is not cut.
 */
function findCommandStretches(text: string, name: RegExp): TextPlace[] {
	const stretches: { start: number; end: number }[] = [];
	name.lastIndex = 0;
	while (name.test(text)) {
		const start = name.lastIndex;
		const last = stretches.at(-1);
		if (last !== undefined && start <= last.end) {
			last.end = start + MAX_COMMAND;
		} else {
			stretches.push({ start, end: start + MAX_COMMAND });
		}
	}
	return stretches;
}
