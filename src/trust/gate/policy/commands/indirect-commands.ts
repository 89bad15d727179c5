/**
 * Programs whose arguments are programs: shells, interpreters, wrappers, runners and remote shells, and the flags that make
 * one of other tools. A wildcard on them would allow anything, so only their exact words can be allowed.
 */

/** Shells, by their `programName`. */
export const SHELLS: ReadonlySet<string> = listNames(
	'sh bash dash zsh ksh fish csh tcsh ash rbash pwsh powershell cmd',
);
/** Programs that run code which their arguments may hold. */
export const INTERPRETERS: ReadonlySet<string> = listNames(
	'node nodejs deno bun tsx python pypy ruby perl php lua luajit tclsh julia groovy scala elixir osascript',
);

const INDIRECT = new Set([
	...SHELLS,
	...INTERPRETERS,
	...listNames(`sudo su doas pkexec runuser env nice ionice nohup setsid stdbuf timeout time watch xargs parallel flock chroot unshare
	nsenter strace ltrace gdb lldb script expect tmux screen at batch crontab systemd-run start-stop-daemon taskset chrt
	busybox toybox command eval exec source builtin ts-node python2 python3 pypy3 wish rscript r
	java jshell kotlin iex erl ghci swift dotnet go-run awk gawk mawk nawk sed ed ex
	vi vim nvim view emacs nano less more most man pager
	npx npm-exec pnpx bunx uvx pipx corepack volta nvm asdf mise direnv just task rake
	ssh scp sftp rsync telnet nc ncat netcat socat ftp lftp curl wget aria2c
	docker podman nerdctl kubectl helm vagrant ansible terraform
	setarch linux32 linux64 i386 x86_64 uname26 capsh firejail bwrap runcon runuser faketime fakeroot proot unbuffer rlwrap
	dbus-run-session xvfb-run sg newgrp chpst softlimit cpulimit torsocks proxychains proxychains4 valgrind perf ltrace
	caffeinate chronic run-parts busctl systemctl service ld.so choom prlimit aa-exec setpriv nsenter s6-setuidgid logsave
	pip pipenv poetry uv gem bundle bundler rustup composer cpan luarocks conda mamba pdm hatch tox nox pre-commit
	sqlite mysql psql mongo redis-cli dc bc gnuplot octave ghc ghci cabal stack sbt gradle gradlew mvn mvnw ant cmake ctest
	ninja meson bazel buck scons autoconf autoreconf m4 latex pdflatex xelatex luatex tex dpkg rpm apt apt-get yum dnf brew
	snap flatpak nmap tcpdump wireshark zsoelim split-run emacsclient vimdiff rvim rview vimtutor pico jed joe micro watchexec
	entr nodemon concurrently foreman honcho supervisord pm2 forever wrangler serverless pulumi packer
	mount umount insmod dd mkfs wsl cscript wscript mshta rundll32 regsvr32 msbuild installutil`),
]);

/** Arguments, anywhere in the command, with which a program runs others. */
const INDIRECT_ARGUMENTS: Readonly<Record<string, RegExp>> = {
	find: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/,
	fd: /^(?:-x|-X|--exec|--exec-batch)/,
	rg: /^(?:--pre|--hostname-bin|--search-zip|-z$)/,
	uniq: /^[^-].*\.(?:json|toml|ya?ml|[cm]?[jt]s|sh|py)$/i,
	git: /^(?:-c|-C|--exec-path|--git-dir|--work-tree|--config-env|--upload-pack|--receive-pack|--exec|-p|--paginate|--ext-diff|--textconv|--no-verify|--gpg-sign|-O|--open-files-in-pager)(?:=|$)|^ext::|^(?:config|submodule|filter-branch|bisect|difftool|mergetool|rebase|hook|daemon|instaweb|credential)$/,
	// Old-style flags need no dash: `tar cIf program archive file`.
	tar: /^[A-Za-z]{0,9}[IFCTKX][A-Za-z]{0,9}$|^(?:-I|-F|--to-command|--checkpoint-action|--use-compress-program|--info-script|--rsh-command)/,
	zip: /^(?:-T|-TT|--unzip-command)/,
	sort: /^--compress-program/,
	file: /^-(?:m|C)/,
	pytest: /^-p/,
	tsc: /^--plugins/,
	npm: /^--(?:script-shell|userconfig|globalconfig|node-options|prefix)(?:=|$)|^(?:exec|x|explore|edit|config|set|init|create|install|i|in|ins|it|add|ci|ic|update|up|upgrade|rebuild|rb|link|ln|dedupe|ddp|publish|pack|pkg|audit|adduser|login)$/,
	pnpm: /^(?:exec|dlx|create|config|install|i|add|update|up|rebuild|link|publish)$/,
	yarn: /^(?:exec|dlx|create|config|node|install|add|up|upgrade|link|publish)$/,
	go: /^(?:run|generate|tool|install|get)$|^-(?:exec|toolexec|vettool|ldflags|gcflags)/,
	cargo: /^(?:run|config|install)$|^--config/,
	make: /^(?:-f|-C|-E|--eval|--file|--makefile|--directory)/,
	gcc: /^(?:-wrapper|-fplugin|-B|-specs)/,
};

/** True when a part of the command decides what other program runs. */
export function runsOtherPrograms(argv: readonly string[]): boolean {
	const program = programName(argv[0] ?? '');
	if (INDIRECT.has(program)) {
		return true;
	}
	const known = KNOWN_SUBCOMMANDS[program];
	if (known !== undefined && !known.has(argv.slice(1).find((each) => !each.startsWith('-')) ?? '')) {
		return argv.length > 1 && !argv.slice(1).every((each) => each.startsWith('-'));
	}
	return startsPrograms(program, argv.slice(1));
}

/** True when one of the words makes the program run others. */
export function startsPrograms(program: string, words: readonly string[]): boolean {
	const argument = INDIRECT_ARGUMENTS[program];
	return argument !== undefined && words.some((each) => argument.test(each));
}

/**
 * Subcommands that are what they are called. Any other may be an abbreviation, an alias from a configuration file or a
 * program of its own: `npm exe`, `git zz`.
 */
const KNOWN_SUBCOMMANDS: Readonly<Record<string, ReadonlySet<string>>> = {
	git: listNames(
		`add annotate apply archive blame branch cat-file check-ignore checkout cherry cherry-pick clean clone commit
		count-objects describe diff fetch for-each-ref format-patch fsck gc grep hash-object help init log ls-files ls-remote
		ls-tree merge merge-base mv name-rev notes pull push range-diff reflog remote reset restore rev-list rev-parse revert
		rm shortlog show show-ref stash status switch symbolic-ref tag var verify-commit version whatchanged worktree`,
	),
	npm: listScriptSubcommands(
		'audit bin docs doctor fund help info ls list outdated ping prefix query repo root search team token view version whoami',
	),
	pnpm: listScriptSubcommands('audit bin list licenses ls outdated root store why'),
	yarn: listScriptSubcommands('audit bin info licenses list outdated why version versions workspaces'),
};

/** Returns the subcommands that run the scripts of the project, and the `others` that run nothing. */
function listScriptSubcommands(others: string): ReadonlySet<string> {
	return new Set(['test', 'run', 'run-script', 'start', 'stop', 'restart', ...others.split(' ')]);
}

/** `/usr/bin/Python3.12.exe` is `python`. */
export function programName(path: string): string {
	const base = path.split(/[\\/]/).at(-1) ?? '';
	const name = base.toLowerCase().replace(/\.(?:exe|cmd|bat|com|ps1|sh)$/, '');
	return INDIRECT.has(name) ? name : name.replace(/-?\d[\d.]*$/, '');
}

/** Names that white space separates. */
export function listNames(names: string): ReadonlySet<string> {
	return new Set(names.trim().split(/\s+/));
}

/** Scripts of a manifest that an installation runs by itself, whatever is installed. */
export const INSTALL_SCRIPTS: readonly string[] = [
	...['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare', 'dependencies'],
	...['prepack', 'postpack', 'pnpm:devPreinstall'],
];
