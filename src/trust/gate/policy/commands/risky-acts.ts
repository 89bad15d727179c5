/**
 * Acts that a person is warned of, by program and arguments. `high`: what is lost stays lost, or more happens than anybody
 * sees. `machine`: a sandbox keeps it from happening. `away`: so too, and without one something leaves this machine.
 */
import { type Text, text } from '../../../../protocol/text/text.ts';
import {
	always,
	findEach,
	findEither,
	type Find,
	findFlag,
	findGit,
	findLike,
	operand,
	findUnless,
	findWhere,
	findWords,
} from './argument-finders.ts';

export type RiskReach = 'workspace' | 'machine' | 'away';

interface RiskyAct {
	readonly level: 'medium' | 'high';
	readonly reach: RiskReach;
	readonly why: Text;
	readonly find: Find;
}

/** Finders by names of programs, the names separated by spaces. */
type Programs = Readonly<Record<string, Find>>;

function listActs(level: RiskyAct['level'], reach: RiskyAct['reach'], why: Text, programs: Programs) {
	return Object.entries(programs).flatMap(([names, find]) =>
		names.split(' ').map((program): [string, RiskyAct] => [program, { level, reach, why, find }]),
	);
}

const FORCED = findEither(findFlag('f', '--force', '--force-with-lease', '--mirror'), findLike(/^\+./));
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
	...listActs('high', 'machine', text('Runs as administrator'), { 'sudo doas pkexec runas su gsudo': always }),
	...listActs('high', 'workspace', text('Deletes a folder and everything in it'), {
		rm: findUnless(onlyBuilt, findFlag('rR', '--recursive')),
		rimraf: findUnless(onlyBuilt, always),
		'rmtree srm wipe deltree': always,
		'rd rmdir': findLike(/^\/s$/i),
		'remove-item ri': findLike(/^-rec?/i),
		'del erase': findLike(/^\/s$/i),
	}),
	...listActs('medium', 'workspace', text('Deletes a folder that a build makes again'), {
		rm: findWhere(onlyBuilt, findFlag('rR', '--recursive')),
		rimraf: findWhere(onlyBuilt, always),
	}),
	...listActs('medium', 'workspace', text('Deletes without asking'), {
		rm: findFlag('f', '--force'),
		'del erase': findLike(/^\/[fq]$/i),
		'remove-item ri': findLike(/^-fo/i),
	}),
	...listActs('high', 'workspace', text('Deletes what it finds'), { 'find fd': findLike(/^-delete$/) }),
	...listActs('medium', 'workspace', text('Deletes files that the source does not have'), {
		rsync: findLike(/^--del/),
	}),
	...listActs('high', 'workspace', text('Destroys data for good'), { shred: always }),
	...listActs('high', 'machine', text('Reads or writes a device'), {
		dd: findLike(/^(?:if|of)=\/dev\/(?!null|zero|u?random)/),
	}),
	...listActs('high', 'machine', text('Erases a disk'), {
		'mkfs fdisk sfdisk gdisk parted wipefs blkdiscard diskpart format newfs': always,
		diskutil: findWords(['erasedisk|erasevolume|partitiondisk|zerodisk|secureerase']),
	}),
	...listActs('high', 'workspace', text('Makes files writable for everyone'), { chmod: findLike(WORLD_WRITABLE) }),
	...listActs('medium', 'workspace', text('Changes permissions of a whole folder'), {
		'chmod chown chgrp setfacl': findFlag('R', '--recursive'),
		icacls: findLike(/^\/t$/i),
	}),
	...listActs('medium', 'machine', text('Changes who owns a file'), { 'chown chgrp takeown': always }),
	...listActs('high', 'machine', text('Changes accounts of the system'), {
		'useradd userdel usermod adduser deluser groupadd groupdel passwd chpasswd visudo vipw': always,
	}),
	...listActs('high', 'machine', text('Ends processes by name'), { 'killall pkill taskkill stop-process': always }),
	...listActs('high', 'machine', text('Ends every process'), {
		kill: findEach((arg, index) => arg === '-1' && index > 0),
	}),
	...listActs('high', 'machine', text('Stops the machine'), {
		'shutdown reboot halt poweroff': always,
		systemctl: findWords(['reboot|poweroff|halt|suspend|hibernate']),
	}),
	...listActs('medium', 'machine', text('Stops a service'), {
		'systemctl service launchctl sc': findLike(/^(?:stop|disable|mask|unload|bootout|delete)$/),
	}),
	...listActs('high', 'machine', text('Opens the firewall'), {
		'iptables ip6tables nft ufw netsh': findLike(/^(?:-F|--flush|flush|disable|reset)$/),
	}),
	...listActs('medium', 'machine', text('Runs something later'), {
		'crontab at batch schtasks': findEach((arg) => arg !== '-l'),
	}),
	...listActs('high', 'machine', text('Changes the registry'), { reg: findWords(['delete|add|import']) }),

	// A push that may leave the sandbox reaches the server all the same.
	...listActs('high', 'workspace', text('Force push: overwrites history on the server'), {
		git: findGit('push', FORCED),
	}),
	...listActs('high', 'workspace', text('Deletes a branch on the server'), {
		git: findGit('push', findEither(findFlag('d', '--delete', '--prune'), findLike(/^:./))),
	}),
	...listActs('high', 'workspace', text('Discards changes that are not committed'), {
		git: findGit('reset', findFlag('', '--hard', '--merge', '--keep')),
	}),
	...listActs('medium', 'workspace', text('Discards changes that are not committed'), {
		git: findEither(
			findGit('checkout', findEither(findFlag('f', '--force'), findLike(/^(?:--|\.)$/))),
			findGit('restore', operand),
		),
	}),
	...listActs('high', 'workspace', text('Deletes files that Git does not know'), {
		git: findGit('clean', findFlag('f', '--force')),
	}),
	...listActs('high', 'workspace', text('Deletes stashed changes'), {
		git: findGit('stash', findWords(['drop|clear'])),
	}),
	...listActs('medium', 'workspace', text('Deletes a branch'), { git: findGit('branch', findFlag('Dd', '--delete')) }),
	...listActs('high', 'workspace', text('Overwrites history'), {
		git: findEither(findGit('filter-branch|filter-repo'), findGit('update-ref', findFlag('d', '--delete'))),
	}),
	...listActs('medium', 'workspace', text('Overwrites history'), {
		git: findGit('rebase', findLike(/^(?!--(?:abort|continue|skip|quit)$)/)),
	}),
	...listActs('high', 'workspace', text('Deletes history for good'), {
		git: findEither(findGit('reflog', findWords(['expire|delete'])), findGit('gc', findLike(/^--prune=(?:now|all)/))),
	}),

	...listActs('medium', 'away', text('Publishes to others'), {
		git: findGit('push'),
		[RELEASES]: findWords(['publish|upload|push']),
	}),
	...listActs('high', 'away', text('Takes back what is published'), {
		'npm pnpm cargo': findWords(['unpublish|yank']),
	}),
	...listActs('medium', 'machine', text('Removes packages'), {
		'apt apt-get yum dnf brew zypper apk pacman choco winget': findLike(
			/^(?:remove|purge|uninstall|autoremove|erase|del|-R\w*)$/,
		),
	}),
	...listActs('medium', 'workspace', text('Removes packages'), {
		'pip npm pnpm yarn gem cargo composer': findWords(['remove|uninstall|rm|un']),
	}),
	...listActs('medium', 'machine', text('Removes containers or images'), {
		'docker podman nerdctl': findEither(
			findWords(['rm|rmi|kill']),
			findWords(['system|volume|image|container|builder', 'prune|rm|remove']),
			findWords(['compose'], findLike(/^(?:-v|--volumes)$/)),
		),
	}),
	...listActs('high', 'away', text('Deletes what runs elsewhere'), {
		'kubectl oc': findWords(['delete|drain']),
		helm: findWords(['uninstall|delete']),
		'terraform tofu pulumi terragrunt': findEither(findWords(['destroy']), findLike(/^-destroy$/)),
		[CLOUDS]: findLike(/^(?:rb|delete|destroy|remove|terminate-instances)$|^delete-|:destroy$/),
	}),
	...listActs('high', 'away', text('Deletes what lies elsewhere'), { 'aws gsutil': findLike(/^rm$/) }),
	...listActs('high', 'away', text('Changes what runs elsewhere without asking'), {
		'terraform tofu terragrunt': findWords(['apply'], findLike(/^--?auto-approve/)),
	}),
	...listActs('medium', 'away', text('Sends data to another machine'), {
		curl: findEither(
			findFlag('dFT', '--data', '--data-raw', '--data-binary', '--data-urlencode', '--form', '--upload-file', '--json'),
			findLike(/^(?:-X)?(?:POST|PUT|DELETE|PATCH)$/i),
		),
		wget: findLike(/^--(?:post|body)-/),
		'scp sftp ftp lftp': operand,
		rsync: findLike(/^[\w.@-]+:(?!\\)/),
	}),
	...listActs('medium', 'away', text('Opens a raw connection'), { 'nc ncat netcat socat telnet': always }),
	...listActs('medium', 'away', text('Works on another machine'), { ssh: operand }),
	...listActs('high', 'workspace', text('Deletes data of a database'), {
		dropdb: always,
		'redis-cli': findLike(/^flush(?:all|db)$/i),
	}),
];

const BY_PROGRAM = Map.groupBy(ACTS, ([program]) => program);

export function listRiskyActs(program: string): readonly RiskyAct[] {
	return BY_PROGRAM.get(program)?.map(([, act]) => act) ?? [];
}
