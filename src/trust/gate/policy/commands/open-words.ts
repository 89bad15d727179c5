/**
 * Rules that end with ` **`: further words of any kind, flags too, behind words that say what is done. They count in the sandbox
 * only, which keeps in whatever those words mean; a word that names another program, or something outside, still asks.
 */
import { listNames, runsOtherPrograms, startsPrograms } from './indirect-commands.ts';
import { isPlainOperand } from './plain-operand.ts';

/**
 * Subcommands whose further words a rule may leave open: they name what is done. None of them discards, publishes or
 * installs what it is told.
 */
const SUBCOMMANDS: Readonly<Record<string, RegExp>> = {
	git: /^(?:add|commit|stash|fetch|pull|merge|switch|cherry-pick|tag|mv|revert|worktree|status|diff|log|show)$/,
	npm: /^(?:test|run|start|ci|ls|outdated|view)$/,
	pnpm: /^(?:test|run|start|build|lint|list|outdated)$/,
	yarn: /^(?:test|run|start|build|lint|list|outdated)$/,
	bun: /^(?:test|run)$/,
	deno: /^(?:test|check|lint|fmt|task)$/,
	cargo: /^(?:build|test|check|clippy|fmt|run|bench|doc|tree)$/,
	go: /^(?:build|test|vet|fmt|mod|list|doc)$/,
	node: /^--test$/,
	cmake: /^--build$/,
	poetry: /^(?:install|build|check|lock)$/,
	uv: /^(?:sync|build|lock)$/,
	bundle: /^(?:install|check)$/,
	composer: /^(?:install|validate|test)$/,
	dotnet: /^(?:build|test|restore|format)$/,
	gradle: /^(?:build|test|check|assemble|lint)$/,
	mvn: /^(?:test|compile|package|verify)$/,
	swift: /^(?:build|test)$/,
	rake: /^(?:test|spec|build|lint)$/,
	just: /^[\w-]+$/,
	task: /^[\w-]+$/,
};

/** Programs that run the program named behind them, by the words before it. */
const PROGRAM_RUNNERS: readonly (readonly string[])[] = [
	['npx'],
	['bunx'],
	['uvx'],
	['pnpm', 'exec'],
	['bundle', 'exec'],
	['poetry', 'run'],
	['uv', 'run'],
	['python', '-m'],
	['python3', '-m'],
];

/** Programs without subcommands that build, check and change files of the workspace. */
const PLAIN_PROGRAMS = listNames(
	`tsc eslint prettier vitest jest mocha ava tap pytest ruff black mypy flake8 pylint pyright isort tox nox make ctest ninja
	gcc clang javac rustfmt gofmt mkdir touch cp ln unzip zip biome stylelint webpack vite rollup esbuild turbo nx`,
);

/** Words by which Git discards, deletes or overwrites. */
const DISCARDS = /^(?:drop|clear|prune|remove|-[A-Za-z]*[dDfF][A-Za-z]*|--delete|--force.*|--discard-changes|--abort)$/;

/**
 * Returns the number of leading words that name what the command does; undefined: no rule may leave its other words
 * open.
 */
export function countNamingWords(argv: readonly string[]): number | undefined {
	const [program = '', second = ''] = argv;
	const runner = PROGRAM_RUNNERS.find((words) => words.every((word, index) => argv[index] === word));
	if (runner !== undefined) {
		const named = argv[runner.length] ?? '';
		return /^[a-z][\w.-]*$/i.test(named) && !runsOtherPrograms([named]) ? runner.length + 1 : undefined;
	}
	const subcommands = Object.hasOwn(SUBCOMMANDS, program) ? SUBCOMMANDS[program] : undefined;
	if (subcommands !== undefined) {
		return subcommands.test(second) ? 2 : undefined;
	}
	return PLAIN_PROGRAMS.has(program) ? 1 : undefined;
}

/** True when the words that a rule leaves open may follow the words it names. */
export function areOpenWords(fixed: readonly string[], rest: readonly string[], cwd: string): boolean {
	const said = countNamingWords(fixed);
	const [program = ''] = fixed;
	if (said === undefined || fixed.length < said || startsPrograms(program, rest)) {
		return false;
	}
	return rest.every((word) => isOpenWord(word, cwd) && !(program === 'git' && DISCARDS.test(word)));
}

/** A flag, with what it is given, or an operand. */
function isOpenWord(word: string, cwd: string): boolean {
	if (/^-{1,2}$/.test(word)) {
		return true;
	}
	if (!word.startsWith('-')) {
		return isPlainOperand(word, cwd);
	}
	const [flag, value] = /^--?[A-Za-z0-9][\w-]*(?:=(.*))?$/s.exec(word) ?? [];
	return flag !== undefined && (value === undefined || isPlainOperand(value, cwd));
}
