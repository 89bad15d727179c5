/** Other names for the same thing, for rules that tighten: subcommands, their abbreviations, and programs that do the same. */
import { listNames } from './indirect-commands.ts';

/** Subcommands of git; any other word there is an alias, or a program of its own. */
export const GIT_SUBCOMMANDS: ReadonlySet<string> = listNames(
	`add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap
	check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph commit-tree
	config count-objects credential describe diagnose diff diff-files diff-index diff-tree difftool fast-export fast-import
	fetch fetch-pack for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id grep gui hash-object help hook
	http-fetch http-push imap-send index-pack init instaweb interpret-trailers log ls-files ls-remote ls-tree mailinfo
	mailsplit maintenance merge merge-base merge-file merge-index merge-one-file merge-tree mergetool mktag mktree mv
	name-rev notes pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push range-diff read-tree rebase
	receive-pack reflog remote repack replace request-pull rerere reset restore rev-list rev-parse revert rm send-email
	send-pack shortlog show show-branch show-index show-ref sparse-checkout stash status stripspace submodule switch
	symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info upload-archive upload-pack var
	verify-commit verify-pack verify-tag version whatchanged worktree write-tree`,
);

/** Programs that take any beginning of a subcommand for it. */
export const ABBREVIATING: ReadonlySet<string> = new Set(['npm', 'pnpm', 'gem', 'bundle', 'hg', 'thor', 'ip', 'svn']);

/** Aliases of subcommands, by the usual name. */
export const SUBCOMMAND_ALIASES: Readonly<Record<string, readonly string[]>> = {
	install: 'i in ins inst insta instal isnt isnta isntal isntall add'.split(' '),
	ci: 'clean-install ic install-clean isntall-clean install-ci-test cit sit'.split(' '),
	test: 't tst it'.split(' '),
	run: 'run-script rum urn'.split(' '),
	exec: 'x'.split(' '),
	uninstall: 'un unlink remove rm r'.split(' '),
	update: 'up upgrade udpate'.split(' '),
	unpublish: ['unpub'],
	commit: ['ci'],
	checkout: ['co'],
};

/** Other commands that do what a command does, by its first words. */
export const EQUIVALENTS: readonly (readonly [readonly string[], readonly (readonly string[])[]])[] = [
	[
		['git', 'push'],
		[
			['git', 'send-pack'],
			['git', 'http-push'],
			['git', 'receive-pack'],
			['git', 'subtree', 'push'],
			['git', 'lfs', 'push'],
			['git', 'svn', 'dcommit'],
			['git', 'p4', 'submit'],
			['gh', 'repo', 'sync'],
			['git-push'],
			['git-send-pack'],
		],
	],
	[
		['git', 'commit'],
		[['git', 'commit-tree'], ['git-commit']],
	],
	[
		['git', 'reset'],
		[['git', 'read-tree'], ['git', 'update-ref'], ['git-reset']],
	],
	[
		['git', 'checkout'],
		[
			['git', 'switch'],
			['git', 'restore'],
			['git', 'checkout-index'],
		],
	],
	[
		['git', 'merge'],
		[
			['git', 'pull'],
			['git', 'merge-tree'],
		],
	],
	[
		['rm'],
		[
			['unlink'],
			['rmdir'],
			['shred'],
			['rimraf'],
			['trash'],
			['trash-put'],
			['gio', 'trash'],
			['srm'],
			['wipe'],
			['find', '-delete'],
			['fd', '-x', 'rm'],
			['git', 'rm'],
			['git', 'clean'],
			['rsync', '--delete'],
			['remove-item'],
			['del'],
			['erase'],
			['rd'],
		],
	],
	[
		['npm', 'publish'],
		[
			['pnpm', 'publish'],
			['yarn', 'publish'],
			['yarn', 'npm', 'publish'],
			['bun', 'publish'],
		],
	],
	[['sudo'], [['doas'], ['pkexec'], ['su'], ['run0'], ['runuser']]],
];

/** Long names of flags of one letter, as most programs have them. */
export const LONG_FLAGS: Readonly<Record<string, readonly string[]>> = {
	a: ['all'],
	d: ['delete'],
	f: ['force'],
	r: ['recursive'],
	R: ['recursive'],
};
