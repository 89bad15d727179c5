/**
 * Parts of the user's home that a sandboxed command finds: toolchains, settings of tools without their credentials, and
 * caches that belong to its workspace. Everything else is hidden.
 */
import { userHomeFolder } from '../../environment.ts';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type Text, text } from '../../../protocol/text/text.ts';

interface HomeEntry {
	/** Below the home. */
	readonly path: string;
	/** `tools`: as it is, read-only. `settings`: read-only, without credentials. `cache`: writable, private to the workspace. */
	readonly as: 'tools' | 'settings' | 'cache';
	/** A variable that names another place for `path`, of which `below` is meant. */
	readonly variable?: string;
	readonly below?: string;
	/** Purpose of the entry. */
	readonly why: Text;
}

/** The home that the system's table of users names; without an entry there, as in containers with any user, that of the environment. */
export function homeOfUser(): string {
	try {
		return userInfo().homedir;
	} catch {
		return userHomeFolder();
	}
}

export const homeTable: readonly HomeEntry[] = [
	{ path: '.nvm', variable: 'NVM_DIR', as: 'tools', why: text('versions of Node.js') },
	{ path: '.volta', variable: 'VOLTA_HOME', as: 'tools', why: text('versions of Node.js') },
	{ path: '.fnm', variable: 'FNM_DIR', as: 'tools', why: text('versions of Node.js') },
	{ path: '.local/share/fnm', as: 'tools', why: text('versions of Node.js') },
	{ path: '.bun', variable: 'BUN_INSTALL', below: 'bin', as: 'tools', why: text('Bun') },
	{ path: '.deno', below: 'bin', as: 'tools', why: text('Deno') },
	{ path: '.local/share/pnpm', variable: 'PNPM_HOME', as: 'tools', why: text('pnpm') },
	{ path: '.pyenv', variable: 'PYENV_ROOT', as: 'tools', why: text('versions of Python') },
	{ path: '.local/share/uv', as: 'tools', why: text('versions of Python and tools of uv') },
	{ path: '.local/share/pipx', as: 'tools', why: text('tools of pipx') },
	{ path: '.local/pipx', as: 'tools', why: text('tools of pipx') },
	{ path: '.rbenv', as: 'tools', why: text('versions of Ruby') },
	{ path: '.sdkman', as: 'tools', why: text('versions of Java') },
	{ path: '.jenv', as: 'tools', why: text('versions of Java') },
	{ path: '.asdf', as: 'tools', why: text('versions of tools') },
	{ path: '.local/share/mise', as: 'tools', why: text('versions of tools') },
	{ path: '.rustup', variable: 'RUSTUP_HOME', as: 'tools', why: text('versions of Rust') },
	{ path: '.cargo', variable: 'CARGO_HOME', below: 'bin', as: 'tools', why: text('Cargo and its tools') },
	{ path: 'go', variable: 'GOPATH', below: 'bin', as: 'tools', why: text('tools in Go') },
	{ path: '.dotnet', variable: 'DOTNET_ROOT', as: 'tools', why: text('.NET') },
	{ path: '.ghcup', as: 'tools', why: text('versions of Haskell') },
	{ path: '.juliaup', as: 'tools', why: text('versions of Julia') },
	{ path: '.nix-profile', as: 'tools', why: text('programs of Nix') },
	{ path: '.local/bin', as: 'tools', why: text('your own programs') },
	{ path: '.local/lib', as: 'tools', why: text('packages of Python') },
	{ path: 'bin', as: 'tools', why: text('your own programs') },
	{ path: '.gitconfig', as: 'settings', why: text('your name and settings in Git') },
	{ path: '.config/git', as: 'settings', why: text('your name and settings in Git') },
	{ path: '.npmrc', as: 'settings', why: text('which registry npm uses') },
	{ path: '.yarnrc.yml', as: 'settings', why: text('which registry Yarn uses') },
	{ path: '.config/pip', as: 'settings', why: text('which index pip uses') },
	{ path: '.config/uv', as: 'settings', why: text('which index uv uses') },
	{
		path: '.cargo',
		variable: 'CARGO_HOME',
		below: 'config.toml',
		as: 'settings',
		why: text('which registry Cargo uses'),
	},
	{ path: '.cache', variable: 'XDG_CACHE_HOME', as: 'cache', why: text('caches') },
	{ path: '.npm', as: 'cache', why: text('packages of npm') },
	{ path: '.cargo', variable: 'CARGO_HOME', below: 'registry', as: 'cache', why: text('packages of Cargo') },
	{ path: '.cargo', variable: 'CARGO_HOME', below: 'git', as: 'cache', why: text('packages of Cargo') },
	{ path: 'go', variable: 'GOPATH', below: 'pkg', as: 'cache', why: text('packages of Go') },
	{ path: '.m2', below: 'repository', as: 'cache', why: text('packages of Maven') },
	{ path: '.gradle', as: 'cache', why: text('packages and daemons of Gradle') },
	{ path: '.nuget', below: 'packages', as: 'cache', why: text('packages of .NET') },
	{ path: '.bun', variable: 'BUN_INSTALL', below: 'install', as: 'cache', why: text('packages of Bun') },
	{ path: '.yarn', as: 'cache', why: text('packages of Yarn') },
];

/** Where an entry lies for a user of this home and environment. */
export function resolveHomeEntry(
	{ path, variable, below = '' }: HomeEntry,
	home: string,
	environment: Readonly<Record<string, string>>,
): string {
	const named = variable === undefined ? undefined : environment[variable];
	const [first = ''] = (named ?? '').split(':');
	return join(first.startsWith('/') ? first : join(home, path), below);
}
