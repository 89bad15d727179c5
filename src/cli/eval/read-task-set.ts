/** Reads a set of tasks: folders with a `task.yaml`, or the layout of the Aider polyglot benchmark. */
import { existsSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJsonOrUndefined } from '../../base/text/lenient.ts';
import { readRegularFile } from '../../machine/paths/reading/read-regular-file.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { readShellLine } from '../../protocol/ops/commands/read-shell-line.ts';
import { readStrictYaml } from '../../protocol/manifest/strict-yaml.ts';
import { problemText } from '../../protocol/manifest/problem.ts';
import * as z from '../../protocol/text/zod.ts';
import { evalLimits } from './limits.ts';
import type { EvalTask, TaskFile } from './task.ts';

/** Path relative to the folder of a task. */
const innerPath = z
	.string()
	.min(1)
	.max(1_000)
	.refine((path) => !path.startsWith('/') && !path.split(/[\\/]/).includes('..'), 'expected a path in the task');

const TaskFileWords = z.strictObject({
	prompt: z.string().trim().min(1),
	check: z
		.string()
		.trim()
		.min(1)
		.max(2_000)
		.refine(
			(line) => readShellLine(line) !== undefined,
			'expected simple commands without variables or substitutions; put the rest into a script',
		),
	tests: z.array(innerPath).max(1_000).default([]),
	turnMs: z.int().positive().max(evalLimits.turnMs).default(evalLimits.turnMs),
	checkMs: z.int().positive().max(evalLimits.checkMs).default(evalLimits.checkMs),
	rounds: z.int().positive().max(500).optional(),
	maxCost: z.number().positive().optional(),
});

const ExerciseConfig = z.object({
	files: z.object({
		solution: z.array(innerPath),
		test: z.array(innerPath),
		example: z.array(innerPath).default([]),
	}),
});

/** Checks of exercises by their language, with what the machine has: there is no network in the sandbox. */
const EXERCISE_CHECKS: Readonly<Record<string, string>> = {
	cpp: 'cmake -S . -B build -DEXERCISM_RUN_ALL_TESTS=1 && cmake --build build',
	go: 'go test ./...',
	java: './gradlew --offline test',
	javascript: 'npm run test',
	python: "python3 -m unittest discover -p '*_test.py'",
	rust: 'cargo test --offline -- --include-ignored',
};

/** Words by which exercises skip all tests but the first, with what stands there for the check. */
const SKIPPED_TESTS: Readonly<Record<string, readonly [what: RegExp, by: string]>> = {
	java: [/@Disabled\b(?:\([^)]*\))?\s*/g, ''],
	javascript: [/\bxtest\(/g, 'test('],
};

/**
 * Returns the tasks by name. Rejects with INVALID_PARAMS where there is none, where a task is not as its form wants, or
 * where a file of it is a link or too large.
 */
export async function readTaskSet(folder: string): Promise<readonly EvalTask[]> {
	const names = await listTaskFolders(folder);
	if (names.length === 0) {
		const message = `${folder} has no tasks: expected folders with a task.yaml, or <language>/exercises/practice/<name> as in the Aider polyglot benchmark`;
		throw new ProwessError('INVALID_PARAMS', message, { path: folder });
	}
	if (names.length > evalLimits.tasks) {
		throw new ProwessError('INVALID_PARAMS', `${folder} has more than ${evalLimits.tasks} tasks`, { path: folder });
	}
	return await Promise.all(names.map((name) => readTask(folder, name)));
}

/** Folders in which a task begins, at most four levels down. */
async function listTaskFolders(folder: string, within = '', levels = 4): Promise<readonly string[]> {
	const found: string[] = [];
	const here = await readdir(join(folder, within), { withFileTypes: true });
	for (const entry of here.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
		if (!entry.isDirectory()) continue;
		const name = within === '' ? entry.name : `${within}/${entry.name}`;
		if (isTaskFolder(join(folder, name))) found.push(name);
		else if (levels > 1 && !entry.name.startsWith('.'))
			found.push(...(await listTaskFolders(folder, name, levels - 1)));
	}
	return found;
}

function isTaskFolder(path: string): boolean {
	return existsSync(join(path, 'task.yaml')) || existsSync(join(path, '.meta', 'config.json'));
}

async function readTask(set: string, name: string): Promise<EvalTask> {
	const folder = join(set, name);
	return existsSync(join(folder, 'task.yaml')) ? await readPlainTask(folder, name) : await readExercise(folder, name);
}

async function readPlainTask(folder: string, name: string): Promise<EvalTask> {
	const path = join(folder, 'task.yaml');
	const bytes = await readRegularFile(path, evalLimits.taskFileBytes);
	const yaml = readStrictYaml(bytes.toString('utf8'), `${name}/task.yaml`);
	const { data, error } = TaskFileWords.safeParse(yaml.value);
	const problems = [
		...yaml.problems,
		...(error?.issues ?? []).map(({ path: at, message }) =>
			yaml.problemAt(
				'error',
				at.filter((part) => typeof part !== 'symbol'),
				message,
			),
		),
	];
	if (data === undefined || yaml.problems.length > 0) {
		throw new ProwessError('INVALID_PARAMS', problems.map(problemText).join('; '), { path });
	}
	const { rounds, maxCost, ...words } = data;
	const files = await listTaskFiles(join(folder, 'files'));
	const missing = words.tests.find((test) => !files.some((file) => file.path === test));
	if (missing !== undefined) {
		throw new ProwessError('INVALID_PARAMS', `${path}: tests: there is no files/${missing}`, { path });
	}
	return { name, ...words, rounds, maxCost, files, hidden: await listTaskFiles(join(folder, 'hidden')) };
}

/**
 * The agent gets the instructions and all files but the tests and the example. The tests are hidden, and all files but the
 * solution are laid again for the check: build files say which tests run.
 */
async function readExercise(folder: string, name: string): Promise<EvalTask> {
	const path = join(folder, '.meta/config.json');
	const text = (await readRegularFile(path, evalLimits.taskFileBytes)).toString('utf8');
	const { data, error } = ExerciseConfig.safeParse(parseJsonOrUndefined(text));
	const [language = ''] = name.split('/');
	const check = EXERCISE_CHECKS[language];
	if (data === undefined || check === undefined) {
		const why = error === undefined ? `no check is known for the language "${language}"` : z.prettifyError(error);
		throw new ProwessError('INVALID_PARAMS', `${path}: ${why}`, { path });
	}
	const { solution, test, example } = data.files;
	const parts = ['introduction.md', 'instructions.md', 'instructions.append.md'].map((part) => `.docs/${part}`);
	const all = await listTaskFiles(folder);
	const told: string[] = [];
	for (const part of parts) {
		const file = all.find((each) => each.path === part);
		if (file !== undefined)
			told.push((await readRegularFile(file.source, evalLimits.fileBytes)).toString('utf8').trim());
	}
	const order = `Use these instructions to change ${solution.join(', ')}. Keep the names of functions and classes: other code uses them. Use no library beside the standard one.`;
	const isHidden = (each: string) => test.includes(each);
	const isLeftOut = (each: string) => example.includes(each) || each.startsWith('.meta/') || each.startsWith('.docs/');
	const replaced = SKIPPED_TESTS[language];
	return {
		name,
		prompt: [...told, order].join('\n\n'),
		files: all.filter((file) => !isHidden(file.path) && !isLeftOut(file.path)),
		hidden: all
			.filter((file) => isHidden(file.path) || !(isLeftOut(file.path) || solution.includes(file.path)))
			.map((file) => (isHidden(file.path) && replaced !== undefined ? { ...file, replaced } : file)),
		tests: [],
		check,
		turnMs: evalLimits.turnMs,
		checkMs: evalLimits.checkMs,
		rounds: undefined,
		maxCost: undefined,
	};
}

/** All files below the folder, by path; none where there is no folder. */
async function listTaskFiles(folder: string): Promise<readonly TaskFile[]> {
	if (!existsSync(folder)) return [];
	const found: TaskFile[] = [];
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
		const source = join(entry.parentPath, entry.name);
		if (entry.isDirectory()) continue;
		const { size } = await lstat(source);
		if (!entry.isFile() || size > evalLimits.fileBytes || found.length >= evalLimits.files) {
			const message = `${source}: a task takes at most ${evalLimits.files} files of ${evalLimits.fileBytes} bytes, and no links`;
			throw new ProwessError('INVALID_PARAMS', message, { path: source });
		}
		found.push({ path: source.slice(folder.length + 1).replaceAll('\\', '/'), source });
	}
	return found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
