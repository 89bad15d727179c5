/**
 * The environment of a command: an allow-list of the host's, so that no key, token or loader setting of the editor
 * reaches it, plus what keeps programs from waiting for a person. `CI` is not set: it changes what builds do
 * (frozen lockfiles, warnings as errors), and input is closed anyway. No file of the workspace adds to it.
 */
import { homedir } from 'node:os';

const allowedVariables = new Set([
	...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'TMP', 'TEMP'],
	...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'],
	// Where tool chains live
	...[
		'JAVA_HOME',
		'GOPATH',
		'GOROOT',
		'GOBIN',
		'CARGO_HOME',
		'RUSTUP_HOME',
		'VIRTUAL_ENV',
		'CONDA_PREFIX',
		'PYENV_ROOT',
	],
	...['NVM_DIR', 'VOLTA_HOME', 'FNM_DIR', 'PNPM_HOME', 'BUN_INSTALL', 'DENO_DIR', 'ANDROID_HOME', 'DOTNET_ROOT'],
	// Windows
	...[
		'SYSTEMROOT',
		'SYSTEMDRIVE',
		'WINDIR',
		'COMSPEC',
		'PATHEXT',
		'USERPROFILE',
		'USERNAME',
		'APPDATA',
		'LOCALAPPDATA',
	],
	...[
		'PROGRAMDATA',
		'PROGRAMFILES',
		'PROGRAMFILES(X86)',
		'COMMONPROGRAMFILES',
		'HOMEDRIVE',
		'HOMEPATH',
		'PUBLIC',
		'OS',
	],
	...['NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE'],
]);
const localeName = /^LC_[A-Z]+$/;
const proxyName = /^(?:https?|no|all)_proxy$/i;

const NO_EDITOR =
	'No editor can be opened here. Give the message with -m or -F, keep it with --no-edit, or set GIT_EDITOR or GIT_SEQUENCE_EDITOR to a command that changes the file.';

/**
 * Editors of git, which would wait for a person, whatever a configuration names: each fails at once with what to do
 * instead. An editor that the command itself names is used. Git has `sh` read them, on every platform.
 */
const gitEditors: Readonly<Record<string, string>> = {
	'core.editor': `f() { if [ -n "$VISUAL$EDITOR" ]; then eval "\${VISUAL:-$EDITOR} \\"\\$@\\""; else echo "${NO_EDITOR}" >&2; return 1; fi; }; f`,
	'sequence.editor': 'f() { eval "$(git var GIT_EDITOR) \\"\\$@\\""; }; f',
};

export const fixedEnvironment: Readonly<Record<string, string>> = {
	TERM: 'dumb',
	NO_COLOR: '1',
	PAGER: 'cat',
	GIT_PAGER: 'cat',
	GIT_TERMINAL_PROMPT: '0',
	// Nobody reads that there is a newer one, and looking for it would ask for a host.
	NO_UPDATE_NOTIFIER: '1',
	npm_config_update_notifier: 'false',
	...withGitConfiguration(
		{},
		{
			// A folder that only looks like a repository configures nothing.
			'safe.bareRepository': 'explicit',
			'core.fsmonitor': 'false',
			'core.pager': 'cat',
			'log.showSignature': 'false',
			...gitEditors,
		},
	),
};

/** With further settings that win over every configuration file of git, but not over its command line. */
export function withGitConfiguration(
	environment: Readonly<Record<string, string>>,
	settings: Readonly<Record<string, string>>,
): Record<string, string> {
	const before = Number(environment['GIT_CONFIG_COUNT'] ?? 0);
	const entries = Object.entries(settings);
	const variables = entries.flatMap(([name, value], index) => [
		[`GIT_CONFIG_KEY_${before + index}`, name],
		[`GIT_CONFIG_VALUE_${before + index}`, value],
	]);
	return {
		...environment,
		...(Object.fromEntries(variables) as Record<string, string>),
		GIT_CONFIG_COUNT: String(before + entries.length),
	};
}

export type HostEnvironment = Readonly<Record<string, string | undefined>>;

export function commandEnvironment(host: HostEnvironment, platform: NodeJS.Platform): Record<string, string> {
	const environment: Record<string, string> = {};
	for (const [name, value] of Object.entries(host)) {
		// Names of Windows are one in any case.
		const key = platform === 'win32' ? name.toUpperCase() : name;
		if (value === undefined) {
			continue;
		}
		if (key === 'PATH') {
			environment['PATH'] = safeSearchPath(value, platform);
		} else if (allowedVariables.has(key) || localeName.test(key) || (proxyName.test(name) && !value.includes('@'))) {
			environment[name] = value;
		}
	}
	return { ...environment, ...fixedEnvironment };
}

/** Without empty and relative parts, which mean "where you are": a file of the workspace must not pass for a program. */
function safeSearchPath(value: string, platform: NodeJS.Platform): string {
	const separator = platform === 'win32' ? ';' : ':';
	const isAbsolute = (part: string) => (platform === 'win32' ? /^(?:[a-z]:)?[/\\]/i.test(part) : part.startsWith('/'));
	return value
		.split(separator)
		.filter((part) => isAbsolute(part))
		.join(separator);
}

/** A container may run as a user whom no table names: nothing is there, and nothing is read or written in its place. */
const NO_HOME = '/nonexistent';

/** Returns the user's own folder, as the environment or the table of users names it. */
export function userHomeFolder(): string {
	try {
		return homedir();
	} catch {
		return NO_HOME;
	}
}
