/** Finds the command that decides a condition, in the files of a project that name its commands, and runs nothing. */
import { join } from 'node:path';
import { isProjectFile, readManifestScripts, readProjectFile } from './project-files.ts';

/** A kind of condition that commands decide: its words, and names of scripts for it, the best first. */
interface CheckTopic {
	readonly words: RegExp;
	readonly scripts: readonly string[];
	readonly cargo?: string;
	readonly go?: string;
}

const checkTopics: readonly CheckTopic[] = [
	{
		words: /\b(?:types?|type-?check(?:s|er)?|tsc|typen)\b/iu,
		scripts: ['typecheck', 'type-check', 'check-types', 'types', 'tsc'],
		cargo: 'check',
	},
	{
		words: /\b(?:lint(?:er|s|ing)?|eslint|clippy)\b/iu,
		scripts: ['lint'],
		cargo: 'clippy -- -D warnings',
		go: 'vet ./...',
	},
	{
		words: /\b(?:format(?:ted|ting)?|formatiert)\b/iu,
		scripts: ['format:check', 'check-format', 'fmt:check'],
		cargo: 'fmt --check',
	},
	{
		words: /\b(?:builds?|compiles?|baut|kompiliert)\b/iu,
		scripts: ['build', 'compile'],
		cargo: 'build',
		go: 'build ./...',
	},
	{ words: /\b(?:tests?|specs?|test suite)\b/iu, scripts: ['test', 'tests'], cargo: 'test', go: 'test ./...' },
];

/** Words that say that a command ends well; a condition without them is about something else. */
const ENDS_WELL =
	/\b(?:pass(?:es|ing)?|succeeds?|works?|clean|green|ok|no (?:errors|warnings|problems)|bestehen|besteht|laufen|läuft|grün|sauber|fehlerfrei|builds?|compiles?|baut|kompiliert|formatted|formatiert)\b/iu;

/** Words that narrow a condition to what no script of the project checks as it is. */
const NARROWED = /\b(?:in|for|of|für|von|about|covers?|new)\s|[/\\]|\.\w{1,4}\b/iu;

/** Returns the command line; undefined: no command decides all of the condition. */
export function findCheck(condition: string, folder: string): string | undefined {
	const named = /^\W*`([^`\n]+)`\s+(?:passes|succeeds|works|ends with 0|is green|läuft|besteht|ist grün)\W*$/iu.exec(
		condition,
	)?.[1];
	if (named !== undefined) {
		return named.trim();
	}
	const parts = condition.split(/\s+(?:and|und)\s+|,\s*/iu).filter((part) => part.trim() !== '');
	const lines = parts.map((part) => findPartCheck(part, folder));
	return lines.length === 0 || lines.includes(undefined) ? undefined : [...new Set(lines)].join(' && ');
}

function findPartCheck(part: string, folder: string): string | undefined {
	const topic = checkTopics.find(({ words }) => words.test(part));
	if (topic === undefined || !ENDS_WELL.test(part) || NARROWED.test(part)) {
		return undefined;
	}
	return npmCheck(topic, folder) ?? makeCheck(topic, folder) ?? ecosystemCheck(topic, folder);
}

const NPM_RUNNERS = [
	['pnpm-lock.yaml', 'pnpm'],
	['yarn.lock', 'yarn'],
	['bun.lock', 'bun'],
	['bun.lockb', 'bun'],
] as const;

/** The script that `npm init` writes; it fails always, and says nothing about the project. */
const NO_TEST = 'no test specified';

function npmCheck({ scripts }: CheckTopic, folder: string): string | undefined {
	const own = readManifestScripts(folder);
	const script = scripts.find((name) => own[name] !== undefined && !own[name].includes(NO_TEST));
	if (script === undefined) {
		return undefined;
	}
	const runner = NPM_RUNNERS.find(([file]) => isProjectFile(join(folder, file)))?.[1] ?? 'npm';
	return script === 'test' && runner !== 'bun' ? `${runner} test` : `${runner} run ${script}`;
}

function makeCheck({ scripts }: CheckTopic, folder: string): string | undefined {
	const rules = [readProjectFile(folder, 'Makefile'), readProjectFile(folder, 'makefile')].join('\n');
	const target = scripts.find((name) => new RegExp(`^${name}\\s*:(?!=)`, 'mu').test(rules));
	return target === undefined ? undefined : `make ${target}`;
}

function ecosystemCheck({ cargo, go, scripts }: CheckTopic, folder: string): string | undefined {
	if (cargo !== undefined && isProjectFile(join(folder, 'Cargo.toml'))) {
		return `cargo ${cargo}`;
	}
	if (go !== undefined && isProjectFile(join(folder, 'go.mod'))) {
		return `go ${go}`;
	}
	const isPython = ['pytest.ini', 'pyproject.toml', 'tox.ini'].some((file) =>
		readProjectFile(folder, file).includes('pytest'),
	);
	return isPython && scripts.includes('test') ? 'pytest' : undefined;
}
