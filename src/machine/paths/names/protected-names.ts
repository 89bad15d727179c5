/**
 * Files that steer what runs, here or in another tool, or what an agent is told, without the user running them: writing
 * such a file always asks. The rules go by name, whether or not the file exists, because creating it is the attack. The
 * sandbox of commands keeps all of them read-only except installed packages, which package managers write.
 */
import type { ProtectedKind } from '../../../contract/ops/target.ts';
import { nameRules } from './name-rules.ts';

/** Names by what reads them; the first kind that matches counts. */
const PROTECTED_NAMES: { readonly [K in ProtectedKind]: readonly string[] } = {
	git: [
		'.git/',
		'git~1/',
		'.gitmodules',
		'.gitattributes',
		'.gitconfig',
		'.config/git/',
		'.githooks/',
		'.husky/',
		'.hg/',
		'.svn/',
		'.huskyrc*',
		...['lefthook*.y*ml', 'lefthook*.json', 'lefthook*.toml', '.lefthook*', '.config/lefthook*'],
		...['.pre-commit-config.y*ml', '.overcommit.y*ml'],
	],
	editor: [
		'.vscode/',
		'*.code-workspace',
		'.idea/',
		'.fleet/',
		'.zed/',
		'.vs/',
		'.theia/',
		'.nova/',
		'*.sublime-project',
		'*.sublime-workspace',
		'.config/nvim/',
		'.nvim.lua',
		'.helix/',
		'.lvimrc',
		'.devcontainer/',
		'.devcontainer.json',
		'.vimrc',
		'.nvimrc',
		'.exrc',
		'.emacs.d/',
		'.dir-locals.el',
		'.dir-locals-2.el',
		'.ycm_extra_conf.py',
	],
	agent: [
		'.prowess/',
		'.agents/',
		'.github/skills/',
		'.github/hooks/',
		'.github/agents/',
		'.codebolt/',
		'.claude/',
		'.claude.json',
		'.cursor/',
		'.codex/',
		'.gemini/',
		'.windsurf/',
		'.continue/',
		'.kilocode/',
		'.kiro/',
		'.roo/',
		'.roomodes',
		'.goose/',
		'.junie/',
		'.qwen/',
		'.trae/',
		'.cline/',
		'.amp/',
		'.opencode/',
		'opencode.json',
		'opencode.jsonc',
		'.opencode.json',
		...['.amazonq/', '.pearai/', '.qodo/', '.void/', '.idx/', '.gitpod.y*ml', '.replit'],
		...['.augment/', '.factory/', '.openhands/', '.rovodev/', '.tabnine/', '.zencoder/', 'crush.json', '.crush.json'],
		'.mcp.json',
		'mcp.json',
		'.aider.conf.y*ml',
	],
	instructions: [
		'agents.md',
		'agents.override.md',
		'agent.md',
		'claude.md',
		'claude.local.md',
		'gemini.md',
		...['crush.md', 'qwen.md', 'warp.md', 'replit.md', '.augment-guidelines'],
		'.cursorrules',
		'.clinerules',
		'.clinerules/',
		'.windsurfrules',
		'.roorules',
		'.goosehints',
		'.rules',
		'.github/copilot-instructions.md',
		'.github/instructions/',
		'.github/prompts/',
		'.github/chatmodes/',
	],
	integration: [
		'.github/workflows/',
		'.github/actions/',
		'.gitlab-ci.y*ml',
		'.gitlab/ci/',
		'.circleci/',
		'.buildkite/',
		'.forgejo/',
		'.gitea/',
		'.woodpecker/',
		'.woodpecker.y*ml',
		'.teamcity/',
		'.semaphore/',
		'.travis.y*ml',
		'.drone.y*ml',
		'.drone.star',
		'.cirrus.y*ml',
		'.appveyor.y*ml',
		'appveyor.y*ml',
		...['azure-pipelines*.y*ml', '.azure-pipelines/', '.pipelines/', '.builds/', '.build.yml'],
		'bitbucket-pipelines.y*ml',
		'cloudbuild.y*ml',
		'buildspec.y*ml',
		'codefresh.y*ml',
		'wercker.y*ml',
		'jenkinsfile',
	],
	shell: [
		'.bashrc',
		'.bash_*',
		'.profile',
		'.zshrc',
		'.zshenv',
		'.zprofile',
		'.zlogin',
		'.zlogout',
		'.kshrc',
		'.cshrc',
		'.tcshrc',
		'.login',
		'.inputrc',
		'.config/fish/',
		'.env',
		'.env.*',
		'.envrc',
		'.direnv/',
		'.ssh/',
		'.aws/',
		'.gnupg/',
		'.netrc',
		'.curlrc',
		'.wgetrc',
		'.tmux.conf',
		'.screenrc',
		'.psqlrc',
		'.sqliterc',
		'.irbrc',
		'.pryrc',
		...['.rprofile', '.renviron', '.rdata', '.iex.exs', '.ghci', '.ocamlinit'],
		'.config/environment.d/',
		'.gemrc',
		'.pdbrc',
		'.pdbrc.py',
		'.pythonrc*',
		'.pythonstartup*',
		'.gdbinit',
		'.lldbinit',
		'.ripgreprc',
		'.ackrc',
		'.perldb',
		'.my.cnf',
	],
	build: [
		'.npmrc',
		'.yarnrc',
		'.yarnrc.yml',
		'.yarn/',
		'.pnpmfile.cjs',
		'.pnpmfile.mjs',
		'pnpmfile.js',
		'bunfig.toml',
		'sitecustomize.py',
		'usercustomize.py',
		...['.tool-versions', '.prototools', 'rust-toolchain', 'rust-toolchain.toml', '.bazeliskrc'],
		...['mise.toml', 'mise.*.toml', '.mise.toml', '.mise.*.toml', '.mise/', '.config/mise.toml', '.config/mise/'],
		'.cargo/config',
		'.cargo/config.toml',
		'.mvn/',
		'.bundle/config',
		'.bazelrc',
		'.buckconfig',
		'.config/pip/',
		'pip.conf',
		'pip.ini',
		'.nuget/',
		'nuget.config',
		'.gradle/init.gradle',
		'.gradle/init.d/',
		'.gradle/gradle.properties',
	],
	programs: [
		...['node_modules/.bin/', '.venv/bin/', '.venv/scripts/', 'venv/bin/', 'venv/scripts/', 'bin/activate'],
		...['.pnp.cjs', '.pnp.js', '.pnp.loader.mjs', '.local/bin/'],
	],
	packages: ['node_modules/'],
};

/** Rules of the names that the sandbox of commands keeps from being written, for one that judges by paths itself. */
export const readOnlyInSandbox: readonly string[] = Object.entries(PROTECTED_NAMES)
	.filter(([kind]) => kind !== 'programs' && kind !== 'packages')
	.flatMap(([, names]) => names);

const STEERING_FOLDER_NAMES: ReadonlySet<string> = new Set(
	readOnlyInSandbox.flatMap((rule) => {
		const slash = rule.indexOf('/');
		return slash > 0 && slash < rule.length - 1 ? [rule.slice(0, slash)] : [];
	}),
);

/** True of a folder that files below it steer by, such as `.github`, and that may hold others as well. */
function holdsSteering(name: string): boolean {
	return STEERING_FOLDER_NAMES.has(name.toLowerCase());
}

const protectedKindRules = Object.entries(PROTECTED_NAMES).map(
	([kind, names]) => [kind as ProtectedKind, nameRules(names)] as const,
);
const anyOfThem = nameRules(Object.values(PROTECTED_NAMES).flat());

/** Undefined for an ordinary name. */
export function protectedKind(segments: readonly string[]): ProtectedKind | undefined {
	return anyOfThem(segments) ? protectedKindRules.find(([, isNamed]) => isNamed(segments))?.[0] : undefined;
}

export function isProtectedName(segments: readonly string[]): boolean {
	return anyOfThem(segments);
}

/**
 * True when the sandbox of commands keeps the path from being written: every protected kind but the files that
 * installing a package writes.
 */
export function isReadOnlyInSandbox(segments: readonly string[]): boolean {
	const kind = protectedKind(segments);
	return kind !== undefined && kind !== 'programs' && kind !== 'packages';
}

/** True also for the name of a folder such as `.github`, in whose place a link leads to files that steer. */
export function steersByName(segments: readonly string[]): boolean {
	return isReadOnlyInSandbox(segments) || holdsSteering(segments.at(-1) ?? '');
}
