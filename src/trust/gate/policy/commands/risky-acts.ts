/**
 * Acts that a person is warned of, by program and arguments. `high`: what is lost stays lost, or more happens than anybody
 * sees. `machine`: a sandbox keeps it from happening.
 */
import { type Text, text } from '../../../../protocol/text/text.ts';
import { always, each, either, type Find, flag, git, like, operand, unless, where, word } from './argument-finders.ts';

interface RiskyAct {
	readonly level: 'medium' | 'high';
	readonly reach: 'workspace' | 'machine';
	readonly why: Text;
	readonly find: Find;
}

/** Finders by names of programs, the names separated by spaces. */
type Programs = Readonly<Record<string, Find>>;

function acts(level: RiskyAct['level'], reach: RiskyAct['reach'], why: Text, programs: Programs) {
	return Object.entries(programs).flatMap(([names, find]) =>
		names.split(' ').map((program): [string, RiskyAct] => [program, { level, reach, why, find }]),
	);
}

const FORCED = either(flag('f', '--force', '--force-with-lease', '--mirror'), like(/^\+./));
/** Folders that a build, a test run or an installation makes again: deleting them is an everyday act that loses no work. */
const BUILT =
	/^(?:\.\/)?(?:[\w@-][\w@.-]*\/)*(?:dist|build|out|target|coverage|node_modules|__pycache__|\.cache|\.next|\.nuxt|\.turbo|\.parcel-cache|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.nyc_output)\/?$/;
const onlyBuilt = (args: readonly string[]) => {
	const named = args.filter((arg) => !arg.startsWith('-'));
	return named.length > 0 && named.every((arg) => BUILT.test(arg));
};
const WORLD_WRITABLE = /^(?:0?[0-7]{2}[2367]|[ugoa]*[oa][ugoa]*[+=][rwxXst]*w[rwxXst]*)$/;
const RELEASES = 'npm pnpm yarn bun cargo twine gem poetry uv';
const CLOUDS = 'aws gcloud az gsutil heroku fly flyctl vercel gh glab';

const ACTS: readonly [string, RiskyAct][] = [
	...acts('high', 'machine', text('Runs as administrator'), { 'sudo doas pkexec runas su gsudo': always }),
	...acts('high', 'workspace', text('Deletes a folder and everything in it'), {
		rm: unless(onlyBuilt, flag('rR', '--recursive')),
		rimraf: unless(onlyBuilt, always),
		'rmtree srm wipe deltree': always,
		'rd rmdir': like(/^\/s$/i),
		'remove-item ri': like(/^-rec?/i),
		'del erase': like(/^\/s$/i),
	}),
	...acts('medium', 'workspace', text('Deletes a folder that a build makes again'), {
		rm: where(onlyBuilt, flag('rR', '--recursive')),
		rimraf: where(onlyBuilt, always),
	}),
	...acts('medium', 'workspace', text('Deletes without asking'), {
		rm: flag('f', '--force'),
		'del erase': like(/^\/[fq]$/i),
		'remove-item ri': like(/^-fo/i),
	}),
	...acts('high', 'workspace', text('Deletes what it finds'), { 'find fd': like(/^-delete$/) }),
	...acts('medium', 'workspace', text('Deletes files that the source does not have'), { rsync: like(/^--del/) }),
	...acts('high', 'workspace', text('Destroys data for good'), { shred: always }),
	...acts('high', 'machine', text('Reads or writes a device'), {
		dd: like(/^(?:if|of)=\/dev\/(?!null|zero|u?random)/),
	}),
	...acts('high', 'machine', text('Erases a disk'), {
		'mkfs fdisk sfdisk gdisk parted wipefs blkdiscard diskpart format newfs': always,
		diskutil: word(['erasedisk|erasevolume|partitiondisk|zerodisk|secureerase']),
	}),
	...acts('high', 'workspace', text('Makes files writable for everyone'), { chmod: like(WORLD_WRITABLE) }),
	...acts('medium', 'workspace', text('Changes permissions of a whole folder'), {
		'chmod chown chgrp setfacl': flag('R', '--recursive'),
		icacls: like(/^\/t$/i),
	}),
	...acts('medium', 'machine', text('Changes who owns a file'), { 'chown chgrp takeown': always }),
	...acts('high', 'machine', text('Changes accounts of the system'), {
		'useradd userdel usermod adduser deluser groupadd groupdel passwd chpasswd visudo vipw': always,
	}),
	...acts('high', 'machine', text('Ends processes by name'), { 'killall pkill taskkill stop-process': always }),
	...acts('high', 'machine', text('Ends every process'), { kill: each((arg, index) => arg === '-1' && index > 0) }),
	...acts('high', 'machine', text('Stops the machine'), {
		'shutdown reboot halt poweroff': always,
		systemctl: word(['reboot|poweroff|halt|suspend|hibernate']),
	}),
	...acts('medium', 'machine', text('Stops a service'), {
		'systemctl service launchctl sc': like(/^(?:stop|disable|mask|unload|bootout|delete)$/),
	}),
	...acts('high', 'machine', text('Opens the firewall'), {
		'iptables ip6tables nft ufw netsh': like(/^(?:-F|--flush|flush|disable|reset)$/),
	}),
	...acts('medium', 'machine', text('Runs something later'), {
		'crontab at batch schtasks': each((arg) => arg !== '-l'),
	}),
	...acts('high', 'machine', text('Changes the registry'), { reg: word(['delete|add|import']) }),

	// A push that may leave the sandbox reaches the server all the same.
	...acts('high', 'workspace', text('Force push: overwrites history on the server'), { git: git('push', FORCED) }),
	...acts('high', 'workspace', text('Deletes a branch on the server'), {
		git: git('push', either(flag('d', '--delete', '--prune'), like(/^:./))),
	}),
	...acts('high', 'workspace', text('Discards changes that are not committed'), {
		git: git('reset', flag('', '--hard', '--merge', '--keep')),
	}),
	...acts('medium', 'workspace', text('Discards changes that are not committed'), {
		git: either(git('checkout', either(flag('f', '--force'), like(/^(?:--|\.)$/))), git('restore', operand)),
	}),
	...acts('high', 'workspace', text('Deletes files that Git does not know'), {
		git: git('clean', flag('f', '--force')),
	}),
	...acts('high', 'workspace', text('Deletes stashed changes'), { git: git('stash', word(['drop|clear'])) }),
	...acts('medium', 'workspace', text('Deletes a branch'), { git: git('branch', flag('Dd', '--delete')) }),
	...acts('high', 'workspace', text('Overwrites history'), {
		git: either(git('filter-branch|filter-repo'), git('update-ref', flag('d', '--delete'))),
	}),
	...acts('medium', 'workspace', text('Overwrites history'), {
		git: git('rebase', like(/^(?!--(?:abort|continue|skip|quit)$)/)),
	}),
	...acts('high', 'workspace', text('Deletes history for good'), {
		git: either(git('reflog', word(['expire|delete'])), git('gc', like(/^--prune=(?:now|all)/))),
	}),

	...acts('medium', 'machine', text('Publishes to others'), {
		git: git('push'),
		[RELEASES]: word(['publish|upload|push']),
	}),
	...acts('high', 'machine', text('Takes back what is published'), { 'npm pnpm cargo': word(['unpublish|yank']) }),
	...acts('medium', 'machine', text('Removes packages'), {
		'apt apt-get yum dnf brew zypper apk pacman choco winget': like(
			/^(?:remove|purge|uninstall|autoremove|erase|del|-R\w*)$/,
		),
	}),
	...acts('medium', 'workspace', text('Removes packages'), {
		'pip npm pnpm yarn gem cargo composer': word(['remove|uninstall|rm|un']),
	}),
	...acts('medium', 'machine', text('Removes containers or images'), {
		'docker podman nerdctl': either(
			word(['rm|rmi|kill']),
			word(['system|volume|image|container|builder', 'prune|rm|remove']),
			word(['compose'], like(/^(?:-v|--volumes)$/)),
		),
	}),
	...acts('high', 'machine', text('Deletes what runs elsewhere'), {
		'kubectl oc': word(['delete|drain']),
		helm: word(['uninstall|delete']),
		'terraform tofu pulumi terragrunt': either(word(['destroy']), like(/^-destroy$/)),
		[CLOUDS]: like(/^(?:rb|delete|destroy|remove|terminate-instances)$|^delete-|:destroy$/),
	}),
	...acts('high', 'machine', text('Deletes what lies elsewhere'), { 'aws gsutil': like(/^rm$/) }),
	...acts('high', 'machine', text('Changes what runs elsewhere without asking'), {
		'terraform tofu terragrunt': word(['apply'], like(/^--?auto-approve/)),
	}),
	...acts('medium', 'machine', text('Sends data to another machine'), {
		curl: either(
			flag('dFT', '--data', '--data-raw', '--data-binary', '--data-urlencode', '--form', '--upload-file', '--json'),
			like(/^(?:-X)?(?:POST|PUT|DELETE|PATCH)$/i),
		),
		wget: like(/^--(?:post|body)-/),
		'scp sftp ftp lftp': operand,
		rsync: like(/^[\w.@-]+:(?!\\)/),
	}),
	...acts('medium', 'machine', text('Opens a raw connection'), { 'nc ncat netcat socat telnet': always }),
	...acts('medium', 'machine', text('Works on another machine'), { ssh: operand }),
	...acts('high', 'workspace', text('Deletes data of a database'), {
		dropdb: always,
		'redis-cli': like(/^flush(?:all|db)$/i),
	}),
];

const BY_PROGRAM = Map.groupBy(ACTS, ([program]) => program);

export function riskyActsOf(program: string): readonly RiskyAct[] {
	return BY_PROGRAM.get(program)?.map(([, act]) => act) ?? [];
}
