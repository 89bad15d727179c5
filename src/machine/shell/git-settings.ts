/**
 * Settings that make Git safe in a repository that somebody else has written, whose configuration, hooks, filters and
 * drivers are programs to run. Settings given on the command line win over every configuration file.
 */
import { fixedEnvironment, withGitConfiguration } from '../environment.ts';

export const nullDevice = process.platform === 'win32' ? 'NUL' : '/dev/null';

const overrides: readonly string[] = [
	'core.fsmonitor=false',
	`core.hooksPath=${nullDevice}`,
	'core.pager=cat',
	'core.editor=false',
	'core.sshCommand=false',
	'core.askPass=',
	'core.untrackedCache=false',
	'core.quotePath=false',
	'credential.helper=',
	'diff.external=',
	'diff.submodule=short',
	'diff.ignoreSubmodules=dirty',
	'diff.noprefix=false',
	'diff.mnemonicPrefix=false',
	'interactive.diffFilter=',
	'log.showSignature=false',
	'gpg.program=false',
	'gpg.ssh.program=false',
	'gpg.x509.program=false',
	'merge.verifySignatures=false',
	'status.submoduleSummary=false',
	'submodule.recurse=false',
	'protocol.allow=never',
	'protocol.ext.allow=never',
	'protocol.file.allow=never',
	'safe.bareRepository=explicit',
];

/** Before the git command itself. `filters` are the names of all filters that are configured anywhere. */
export function gitFlags(filters: readonly string[]): string[] {
	const ofFilters = filters.flatMap((name) => [
		`filter.${name}.clean=`,
		`filter.${name}.smudge=`,
		`filter.${name}.process=`,
		`filter.${name}.required=false`,
	]);
	return ['--no-pager', '--no-optional-locks', ...[...overrides, ...ofFilters].flatMap((setting) => ['-c', setting])];
}

/** `GIT_ALLOW_PROTOCOL` and `GIT_NO_LAZY_FETCH`: a missing object is an error, not a reason to run a transport. */
export function gitEnvironment(command: Readonly<Record<string, string>>): Record<string, string> {
	return {
		...command,
		...fixedEnvironment,
		LC_ALL: 'C',
		GIT_ALLOW_PROTOCOL: 'none',
		GIT_NO_LAZY_FETCH: '1',
		GIT_OPTIONAL_LOCKS: '0',
		GIT_ASKPASS: '',
		SSH_ASKPASS: '',
		GIT_EXTERNAL_DIFF: '',
	};
}

/**
 * The environment of a command that only reads: Git runs no hook, fetches nothing and leaves the index as it is. Programs that
 * a repository names are looked for beforehand, see `plain-repository.ts`.
 */
export function readingGit(command: Readonly<Record<string, string>>): Record<string, string> {
	const quiet = {
		...command,
		GIT_OPTIONAL_LOCKS: '0',
		GIT_NO_LAZY_FETCH: '1',
		GIT_ALLOW_PROTOCOL: 'none',
	};
	return withGitConfiguration(quiet, { 'core.hooksPath': nullDevice, 'diff.ignoreSubmodules': 'all' });
}
