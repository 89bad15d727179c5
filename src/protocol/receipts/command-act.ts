/**
 * Act of one command, by its program and the words that choose its act. A command is only taken to read, to test or to do
 * any other named thing where that is known; all others may have done anything.
 */
import { countWrapperWords } from '../ops/commands/wrapped-commands.ts';
import type { RunAct } from './effect-receipt.ts';

export interface CommandAct {
	readonly act: RunAct;
	readonly program: string;
	readonly verb: string;
	/** Files that a program of the act `files` names. */
	readonly files: readonly string[];
	/** Host or service that it sends something to. */
	readonly sentTo?: string;
}

export function readCommandAct(argv: readonly string[]): CommandAct {
	const [first = '', ...rest] = withoutWrappers(argv);
	const program = baseName(first);
	const words = rest.filter((word, at) => word !== '' && !word.startsWith('-') && !isValueOfGit(program, rest, at));
	const none = { program, verb: '', files: [] };
	if (rest.length > 0 && rest.length <= 2 && rest.every((word) => TELLS.has(word))) {
		return { ...none, act: 'read' };
	}
	if (FILE_PROGRAMS.has(program)) {
		return { ...none, act: 'files', files: words };
	}
	if (program === 'curl' || program === 'wget' || program === 'http' || program === 'https') {
		return { ...none, ...requestAct(program, rest) };
	}
	const verb = verbOf(program, words);
	return { ...none, verb, ...ownAct(program, verb, rest), ...filesOfGit(program, verb, words) };
}

/** `git -C folder status` and `git -c name=value commit` have a value before their word. */
function isValueOfGit(program: string, rest: readonly string[], at: number): boolean {
	return program === 'git' && at < 6 && /^-[cC]$/.test(rest[at - 1] ?? '');
}

/** Words with which any program only tells of itself. */
const TELLS = new Set(['--version', '-V', '--help', 'help', 'version']);
const FILE_PROGRAMS = new Set([
	'rm',
	'rmdir',
	'unlink',
	'mv',
	'cp',
	'ln',
	'mkdir',
	'touch',
	'chmod',
	'chown',
	'tee',
	'truncate',
]);

/** Programs before a command, beside those that every reader of commands knows, and the word that must come between. */
const RUNNERS: Readonly<Record<string, readonly string[]>> = {
	uv: ['run'],
	poetry: ['run'],
	pipenv: ['run'],
	pdm: ['run'],
	hatch: ['run'],
	rye: ['run'],
	bundle: ['exec'],
	pnpm: ['exec', 'dlx'],
	yarn: ['exec', 'dlx'],
	npm: ['exec', 'x'],
	bun: ['x'],
	'cross-env': [],
	'env-cmd': [],
	dotenv: [],
	c8: [],
	nyc: [],
	'xvfb-run': [],
};

function withoutWrappers(argv: readonly string[]): readonly string[] {
	let words = argv;
	for (let depth = 0; depth < 5; depth += 1) {
		const [first = '', ...rest] = words;
		if (/^[A-Za-z_]\w*=/.test(first)) {
			words = rest;
			continue;
		}
		const program = baseName(first);
		const between = Object.hasOwn(RUNNERS, program) ? RUNNERS[program] : undefined;
		const ownWords = between === undefined ? countWrapperWords(program, rest) : undefined;
		let inner: readonly string[] = ownWords === undefined ? [] : rest.slice(ownWords);
		if (between !== undefined && (between.length === 0 || between.includes(rest[0] ?? ''))) {
			inner = rest.slice(between.length === 0 ? 0 : 1);
			inner = inner.slice(inner.findIndex((word) => !word.startsWith('-') && !/^[A-Za-z_]\w*=/.test(word)));
		}
		// `python -m pytest` and `coverage run -m pytest` are pytest.
		const module = /^(?:python|py|coverage)$/.test(program) ? rest.indexOf('-m') : -1;
		if (module !== -1 && module < 3) {
			inner = rest.slice(module + 1);
		}
		if (inner.length === 0 || (inner[0] ?? '') === '') {
			return words;
		}
		words = inner;
	}
	return words;
}

/** `/usr/bin/Python3.12.exe` is `python`. */
function baseName(word: string): string {
	const base = word.split(/[\\/]/).at(-1)?.toLowerCase() ?? '';
	return base
		.replace(/\.(?:exe|cmd|bat|com|ps1)$/, '')
		.replace(/^(python|pip|node|ruby|php|clang|gcc)-?\d[\d.]*$/, '$1');
}

/** Programs whose second word, or the name of a script behind it, says what they do. */
const RUN_SCRIPTS = new Set(['npm', 'pnpm', 'yarn', 'bun', 'composer', 'deno']);

function verbOf(program: string, words: readonly string[]): string {
	const [first = '', second = ''] = words;
	if (RUN_SCRIPTS.has(program) && /^(?:run|run-script|task)$/.test(first)) {
		return second;
	}
	if (program === 'docker' && first === 'compose') {
		return `compose ${second}`;
	}
	if (['gh', 'glab', 'kubectl'].includes(program) || /^(?:stash|remote|worktree|submodule|config)$/.test(first)) {
		return second === '' ? first : `${first} ${second}`;
	}
	return /^[a-z][\w:.-]{0,60}$/i.test(first) ? first : '';
}

function filesOfGit(program: string, verb: string, words: readonly string[]): Partial<CommandAct> {
	return program === 'git' && verb === 'mv' && words.length === 3 ? { act: 'files', files: words.slice(1) } : {};
}

type FoundAct = Pick<CommandAct, 'act'> & Partial<CommandAct>;

function ownAct(program: string, verb: string, rest: readonly string[]): FoundAct {
	if (READERS_ALWAYS.has(program)) {
		return { act: 'read' };
	}
	if (program === 'unzip') {
		return { act: rest.some((word) => /^-[lZtv]+$/.test(word)) ? 'read' : 'other' };
	}
	if (program === 'crontab') {
		return { act: rest.includes('-l') ? 'read' : 'other' };
	}
	const writes = Object.hasOwn(WRITING_WORDS, program) ? WRITING_WORDS[program] : undefined;
	if (writes !== undefined) {
		return { act: rest.some((word) => writes.test(word)) ? 'other' : 'read' };
	}
	const isFixing = rest.some((word) => /^(?:--fix|--fix-.*|--write|-w|--apply|--autocorrect.*|-A|-a)$/.test(word));
	const act = programAct(program, verb, rest);
	return act === 'lint' && isFixing ? { act: 'other' } : { act, ...sentBy(program, verb, act) };
}

function sentBy(program: string, verb: string, act: RunAct): Partial<CommandAct> {
	const isSending = act === 'push' || ((program === 'gh' || program === 'glab') && act === 'other');
	return isSending ? { sentTo: verb === '' ? program : `${program} ${verb}` } : {};
}

function programAct(program: string, verb: string, rest: readonly string[]): RunAct {
	const row = Object.hasOwn(ACTS_OF_PROGRAM, program) ? ACTS_OF_PROGRAM[program] : undefined;
	for (const [act, pattern] of Object.entries(row ?? {}) as readonly (readonly [RunAct, string])[]) {
		if (
			pattern === '*' ||
			pattern.split(' ').some((word) => word === verb.replace(' ', '/') || (word === '-' && verb === ''))
		) {
			return refineAct(program, verb, act, rest);
		}
	}
	if (
		RUN_SCRIPTS.has(program) ||
		['make', 'just', 'task', 'rake', 'gradlew', 'nx', 'turbo', 'invoke'].includes(program)
	) {
		return nameAct(verb);
	}
	return 'other';
}

/** Act of a script, by its name. */
function nameAct(name: string): RunAct {
	if (
		/(?:^|[:_-])(?:test|tests|spec|specs|e2e|check|verify|coverage|mocha|jest|vitest|pytest|ava|cypress|playwright)(?:$|[:_-])/.test(
			name,
		)
	) {
		return /(?:^|[:_-])(?:check|verify)$/.test(name) && /type|format|lint/.test(name) ? 'lint' : 'test';
	}
	if (/(?:^|[:_-])(?:lint|eslint|oxlint|biome|typecheck|type-check|types|tsc|stylelint)(?:$|[:_-])/.test(name)) {
		return /fix/.test(name) ? 'other' : 'lint';
	}
	return /(?:^|[:_-])(?:build|compile|bundle|webpack|rollup|esbuild|dist|package)(?:$|[:_-])/.test(name)
		? 'build'
		: 'other';
}

/** The act, where flags make another one of it. */
function refineAct(program: string, verb: string, act: RunAct, rest: readonly string[]): RunAct {
	const hasWord = (pattern: RegExp) => rest.some((word) => pattern.test(word));
	if (program === 'tsc' && hasWord(/^--noEmit$/i)) {
		return 'lint';
	}
	if (program === 'node') {
		return hasWord(/^--test$/) ? 'test' : hasWord(/^(?:-c|--check)$/) ? 'lint' : 'other';
	}
	if (
		act === 'lint' &&
		/^(?:prettier|black|rustfmt|gofmt|ruff|cargo|dotnet|dart)$/.test(program) &&
		/^(?:|fmt|format)$/.test(verb)
	) {
		return hasWord(/^(?:--check|-c|--list-different|-l|--diff|--verify-no-changes|--dry-run)$/) ? 'lint' : 'other';
	}
	if (program === 'git' && act === 'read') {
		// A name behind `branch` or `tag` makes one.
		const makes = /^(?:branch|tag)$/.test(verb) && rest.some((word, at) => at > 0 && !word.startsWith('-'));
		return hasWord(/^(?:-[dDmMf]|--delete|--force|--set-upstream.*|--output.*)$/) || makes ? 'other' : 'read';
	}
	if (program === 'npm' && verb === 'audit' && rest.includes('fix')) {
		return 'install';
	}
	if (act === 'push' && hasWord(/^(?:--dry-run|-n)$/)) {
		return 'read';
	}
	if (program === 'gh' && verb.startsWith('api')) {
		return hasWord(/^(?:-X|--method|-f|-F|--field|--raw-field|--input)/) ? 'push' : 'read';
	}
	return act;
}

function listWords(text: string): ReadonlySet<string> {
	return new Set(text.split(' '));
}

const READERS_ALWAYS = listWords(
	'ls cat head tail wc grep egrep fgrep zgrep ack ag cut diff cmp comm file stat du df md5sum sha1sum sha256sum sha512sum cksum echo printf basename dirname nl tac od xxd hexdump strings true false test [ [[ pwd which whereis type command whoami id groups hostname uname date uptime free nproc arch ps pgrep pstree lsof ss netstat printenv tree realpath readlink less more man seq sleep rev fold column paste tr jq cloc tokei scc wait cd pushd popd export set unset source . : ping dig nslookup host traceroute journalctl dmesg nm objdump ldd readelf exit return read local declare',
);

/** Programs that read, except with one of these words. */
const WRITING_WORDS: Readonly<Record<string, RegExp>> = {
	find: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/,
	fd: /^(?:-x|-X|--exec|--exec-batch)/,
	rg: /^--pre/,
	sort: /^(?:-o|--output)/,
	uniq: /^[^-].*\.\w+$/,
	sed: /^(?:-[a-zA-Z]*i|--in-place)|(?:^|[;\d$/])w /,
	awk: />|system|-i|inplace/,
	gawk: />|system|-i|inplace/,
	yq: /^(?:-i|--inplace)/,
	env: /^[^-]/,
};

/** Words of each program that say what it does, `-` for none of them and `*` for any; two words have a `/` between. */
const ACTS_OF_PROGRAM: Readonly<Record<string, Readonly<Partial<Record<RunAct, string>>>>> = {
	git: {
		read: 'status log show diff blame ls-files ls-tree ls-remote rev-parse rev-list merge-base describe shortlog reflog check-ignore show-ref count-objects grep cat-file name-rev whatchanged branch tag stash/list stash/show remote remote/show worktree/list config/--get fetch for-each-ref range-diff cherry diff-tree diff-index diff-files var version help',
		commit: 'commit merge rebase cherry-pick revert am pull',
		push: 'push send-email',
	},
	hg: { read: 'status log diff cat annotate heads summary', commit: 'commit ci merge', push: 'push' },
	jj: { read: 'status st log diff show', commit: 'commit describe desc new squash', push: 'git' },
	svn: { read: 'status log diff info cat list', push: 'commit ci' },
	gh: {
		read: 'pr/view pr/list pr/diff pr/checks pr/status run/view run/list run/watch issue/view issue/list issue/status repo/view release/view release/list auth/status workflow/view workflow/list search/prs search/issues search/code',
		push: 'pr/create pr/merge pr/comment pr/review pr/edit pr/close issue/create issue/comment issue/close issue/edit release/create gist/create workflow/run api',
	},
	glab: {
		read: 'mr/view mr/list issue/view issue/list ci/status ci/view',
		push: 'mr/create mr/merge mr/note issue/create issue/note',
	},
	npm: {
		test: 'test t tst',
		install: 'install i in add ci ic update up upgrade uninstall remove rm dedupe audit-fix link',
		build: 'pack',
		push: 'publish',
		read: 'ls list ll view info show outdated audit why explain search root prefix bin whoami ping query help fund doctor config',
	},
	pnpm: {
		test: 'test t',
		install: 'install i add update up remove rm uninstall dedupe',
		push: 'publish',
		read: 'ls list why outdated audit root licenses',
	},
	yarn: {
		test: 'test',
		install: '- install add up upgrade remove dedupe',
		push: 'publish',
		read: 'list why outdated audit info versions',
		lint: 'eslint tsc',
	},
	bun: { test: 'test', install: 'install i add remove update', push: 'publish', build: 'build', read: 'pm' },
	deno: { test: 'test', lint: 'lint check', build: 'compile bundle', install: 'install add' },
	composer: { install: 'install require update remove', read: 'show outdated why validate', test: 'test' },
	pip: { install: 'install uninstall', read: 'list show freeze check' },
	uv: { install: 'sync add remove pip lock', read: 'tree', build: 'build', push: 'publish' },
	poetry: { install: 'install add remove update lock', read: 'show check', build: 'build', push: 'publish' },
	conda: { install: 'install create remove update env', read: 'list info search' },
	gem: { install: 'install uninstall update', read: 'list search', build: 'build', push: 'push' },
	bundle: { install: '- install update add', read: 'list outdated show' },
	cargo: {
		test: 'test nextest t bench',
		build: 'build b run r',
		lint: 'check c clippy fmt doc',
		install: 'add install update remove fetch',
		push: 'publish',
		read: 'tree metadata search',
	},
	go: { test: 'test', build: 'build', lint: 'vet', install: 'get install mod', read: 'list version env doc' },
	dotnet: { test: 'test', build: 'build publish pack', install: 'restore add remove', lint: 'format', push: 'nuget' },
	mvn: {
		test: 'test verify integration-test',
		build: 'compile package install',
		push: 'deploy',
		lint: 'validate checkstyle:check',
	},
	mvnw: { test: 'test verify integration-test', build: 'compile package install', push: 'deploy' },
	gradle: {
		test: 'test check',
		build: 'build assemble jar classes compileJava',
		push: 'publish',
		read: 'tasks dependencies projects',
	},
	gradlew: {
		test: 'test check',
		build: 'build assemble jar classes compileJava',
		push: 'publish',
		read: 'tasks dependencies projects',
	},
	sbt: { test: 'test', build: 'compile package' },
	mix: { test: 'test', build: 'compile', install: 'deps.get', lint: 'credo dialyzer format' },
	swift: { test: 'test', build: 'build' },
	flutter: { test: 'test', build: 'build', lint: 'analyze' },
	dart: { test: 'test', build: 'compile', lint: 'analyze format' },
	zig: { test: 'test', build: 'build' },
	bazel: { test: 'test', build: 'build', read: 'query' },
	...sameAct(
		'test',
		'mocha jest vitest pytest py.test unittest ava tap rspec phpunit minitest ctest tox nox playwright cypress karma bats nose2 behave cucumber pest wdio testcafe',
	),
	...sameAct('build', 'webpack rollup esbuild swc parcel tsup ninja gcc g++ clang clang++ cc c++ javac rustc kotlinc'),
	...sameAct(
		'lint',
		'eslint oxlint standard xo stylelint biome mypy pyright flake8 pylint ruff black isort golangci-lint staticcheck gofmt rustfmt rubocop shellcheck hadolint markdownlint prettier checkstyle ktlint detekt clang-tidy cppcheck phpstan psalm tflint yamllint vulture bandit knip depcheck svelte-check vue-tsc astro-check',
	),
	...sameAct('install', 'apt apt-get apk dnf yum pacman brew zypper choco winget scoop snap'),
	tsc: { build: '*' },
	node: { other: '*' },
	vite: { build: 'build' },
	next: { build: 'build', lint: 'lint' },
	make: { build: '- all build compile', test: 'test tests check', lint: 'lint' },
	cmake: { build: '*' },
	docker: {
		read: 'ps images logs inspect info version top stats port diff history compose/ps compose/logs compose/config',
		build: 'build compose/build',
		push: 'push',
	},
	kubectl: { read: '*' },
	systemctl: { read: 'status is-active list-units show' },
	terraform: { read: 'plan show validate output version' },
	twine: { push: 'upload', read: 'check' },
	mail: { push: '*' },
	sendmail: { push: '*' },
	mutt: { push: '*' },
	'notify-send': { push: '*' },
	rake: { test: 'test spec' },
};

function sameAct(act: RunAct, programs: string): Record<string, Partial<Record<RunAct, string>>> {
	return Object.fromEntries(programs.split(' ').map((program) => [program, { [act]: '*' }]));
}

/** Requests from the command line: sent where they carry something, else read; written where a file is named for it. */
function requestAct(program: string, rest: readonly string[]): Pick<CommandAct, 'act'> & Partial<CommandAct> {
	const hasWord = (pattern: RegExp) => rest.some((word) => pattern.test(word));
	const method = rest[rest.findIndex((word) => /^(?:-X|--request)$/.test(word)) + 1] ?? '';
	const isCarrying =
		hasWord(
			/^(?:-d|--data\S*|-F|--form\S*|-T|--upload-file|--json|--post-data.*|--post-file.*|--method=P.*)$|^-X(?:POST|PUT|PATCH|DELETE)$/,
		) ||
		(hasWord(/^(?:-X|--request)$/) && /^(?:POST|PUT|PATCH|DELETE)$/i.test(method)) ||
		(program.startsWith('http') && hasWord(/^(?:POST|PUT|PATCH|DELETE)$|^[\w.-]+:?=/));
	const url = rest.find((word) => /:\/\/|^localhost|^[\w-]+(?:\.[\w-]+)+/.test(word)) ?? '';
	if (isCarrying) {
		return { act: 'push', sentTo: /^(?:\w+:\/\/)?(?:[^@/]*@)?([^/?#]*)/.exec(url)?.[1] ?? program };
	}
	const keeps =
		program === 'wget' ? !hasWord(/^(?:-q?O-|--spider)$/) : hasWord(/^(?:-[a-zA-Z]*[oO]|--output|--remote-name)$/);
	return { act: keeps ? 'other' : 'read' };
}
