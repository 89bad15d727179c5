/** A warning for the person who is asked, from the exact target (S0-21). It never allows or refuses anything. */
import { type Text, text } from '../../../protocol/text.ts';
import type { Target } from '../../contract/target.ts';
import { MAX_ASSESSED_CHARS } from './limits.ts';

export type Assessment = { readonly level: 'low' | 'medium' | 'high'; readonly why: Text | undefined };

const HIGH: readonly (readonly [RegExp, Text])[] = [
	[/\brm\s+(?:\S+\s+)*?(?:-[a-z]*[rf][a-z]*|--recursive|--force)\b/i, text('deletes recursively or without asking')],
	[/\b(?:rimraf|rmtree|shutil\.rmtree|Remove-Item\s.*-Recurse|rd\s+\/s|del\s+\/[sf])\b/i, text('deletes recursively')],
	[/\bdd\b.*\b(?:if|of)=\/dev\//i, text('reads or writes a device')],
	[/\bmkfs(?:\.\w+)?\b|\bfdisk\b|\bparted\b|>\s*\/dev\/(?:sd|nvme|hd|disk)/i, text('overwrites a disk')],
	[/\bshred\b|\bwipefs\b/i, text('destroys data for good')],
	[/:\(\)\s*\{.*\};\s*:/, text('is a fork bomb')],
	[/\bchmod\s+(?:-R\s+)?(?:0?777|a\+[rwx]*w|o\+w)/i, text('makes files writable for everyone')],
	[/\b(?:drop|truncate)\s+(?:table|database|schema)\b/i, text('drops data of a database')],
	[/\bkillall\b|\bpkill\b|\bkill\s+-9\s+-1\b/i, text('ends processes by name')],
	[/\b(?:iptables|nft|ufw)\s+(?:-F|--flush|flush|disable|reset)/i, text('opens the firewall')],
	[/\/etc\/(?:passwd|shadow|sudoers)\b/i, text('touches accounts of the system')],
	[
		/\bos\.system\b|\bsubprocess\b.*shell\s*=\s*True|\b__import__\s*\(\s*['"]os|\beval\s*\(|\bexec\s*\(/i,
		text('runs code it builds itself'),
	],
	[/\bgit\s+(?:\S+\s+)*?(?:push\s+.*(?:--force|-f)\b|reset\s+--hard|clean\s+-\w*f)/i, text('discards work in git')],
];

const MEDIUM: readonly (readonly [RegExp, Text])[] = [
	[/\b(?:curl|wget)\b.*\|\s*(?:ba|z|da)?sh\b/i, text('runs what it downloads')],
	[/\b(?:apt|apt-get|yum|dnf|brew|pip3?|npm|gem|cargo)\s+(?:remove|purge|uninstall)\b/i, text('removes packages')],
	[/\b(?:systemctl|service)\s+(?:\S+\s+)?(?:stop|disable|mask)\b/i, text('stops services')],
	[/\b(?:docker|podman)\s+(?:rm|rmi|system\s+prune|volume\s+rm|kill)\b/i, text('removes containers or images')],
	[/\b(?:sudo|doas|pkexec|runas)\b/i, text('asks for more rights')],
	[
		/\b(?:requests|httpx|fetch)\b.*\b(?:post|put|delete|patch)\b|\bcurl\b.*-X\s*(?:POST|PUT|DELETE|PATCH)/i,
		text('sends data to another machine'),
	],
	[/\bsocket\.socket\b|\bimportlib\b|\bnc\s+-|\bncat\b/i, text('opens raw connections or loads code')],
	[/\b(?:npm|pnpm|yarn|cargo|twine|gem)\s+publish\b|\bgit\s+push\b/i, text('publishes')],
];

export function assess(targets: readonly Target[]): Assessment {
	const shown = targets.map(textOf).join('\n').slice(0, MAX_ASSESSED_CHARS);
	for (const [level, patterns] of [
		['high', HIGH],
		['medium', MEDIUM],
	] as const) {
		const found = patterns.find(([pattern]) => pattern.test(shown));
		if (found !== undefined) {
			return { level, why: found[1] };
		}
	}
	return { level: 'low', why: undefined };
}

/** A sentence for whoever is asked. */
export function warningOf(level: Assessment['level'], why: Text): Text {
	return level === 'high' ? text('High risk: it {why}.', { why }) : text('Medium risk: it {why}.', { why });
}

function textOf(target: Target): string {
	switch (target.kind) {
		case 'command':
			return [...(target.fedBy ?? []), target.argv].map((argv) => argv.join(' ')).join(' | ');
		case 'host':
			return target.host;
		case 'secret':
			return target.name;
		case 'file':
		case 'database':
		case 'beyond':
			return target.path;
	}
}
