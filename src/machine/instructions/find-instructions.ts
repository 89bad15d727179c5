/** Finds what a workspace tells agents, for all of it and for what they work on. Follows no link out, opens no secret file. */
import { isProwessError } from '../../protocol/errors/errors.ts';
import type { OpParams, OpResult } from '../../protocol/op-table/ops.ts';
import { foreignGlobCovers } from '../paths/names/foreign-glob.ts';
import { isToolFolderName } from '../paths/names/name-rules.ts';
import { listFolder } from '../paths/reading/read-file.ts';
import type { Located, WorkspacePaths } from '../paths/workspace-paths.ts';
import { importsIn } from './imports.ts';
import {
	IMPORT_DEPTH,
	INSTRUCTION_FILE_CHARS,
	INSTRUCTION_FILES,
	INSTRUCTIONS_CHARS,
	RULE_FOLDER_DEPTH,
	RULES_IN_FOLDER,
} from './limits.ts';
import { readRule } from './rule.ts';

// Names of files with instructions that this and other agents read.

/** For the folder they lie in and all below; the nearer one counts. */
const FOLDER_FILES = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'] as const;

/** For the whole workspace, only at its root. */
const ROOT_FILES = ['.claude/CLAUDE.md', '.github/copilot-instructions.md', '.cursorrules'] as const;

const DOCUMENT = /\.(?:mdc?|markdown|txt|rst|adoc)$/i;

interface RuleFolder {
	readonly folder: string;
	readonly ending: string;
}

/** Folders of rules, in which each file says what it is about. */
const RULE_FOLDERS: readonly RuleFolder[] = [
	{ folder: '.github/instructions', ending: '.instructions.md' },
	{ folder: '.cursor/rules', ending: '.mdc' },
];

/** `@path` in them names a file that belongs to them. */
function mayImport(path: string): boolean {
	return path.endsWith('.md') && !path.endsWith('.instructions.md');
}

type InstructionsAnswer = OpResult<'workspace.instructions'>;
type ToldInstructionFile = InstructionsAnswer['files'][number];
type OmissionReason = InstructionsAnswer['left'][number]['reason'];

interface FoundInstructions extends InstructionsAnswer {
	/** Places of the files that were read. */
	readonly places: readonly Located[];
}

interface Sources {
	readonly paths: WorkspacePaths;
	/** The text of a file, as the user sees it. */
	readonly read: (located: Located, signal: AbortSignal) => Promise<string>;
	/** True of an absolute path that a command may have planted: then nobody follows what it says. */
	readonly isHeld: (absolutePath: string) => boolean;
	/** All such files that are known, absolute. */
	readonly held: () => readonly string[];
}

/** Never rejects for what lies in the workspace: what cannot be told is in `left`. */
export async function findInstructions(
	sources: Sources,
	asked: OpParams<'workspace.instructions'>,
	signal: AbortSignal,
): Promise<FoundInstructions> {
	const search = new InstructionSearch(sources, asked, signal);
	await search.run();
	return search.found;
}

class InstructionSearch {
	readonly #paths: WorkspacePaths;
	readonly #read: Sources['read'];
	readonly #isHeld: Sources['isHeld'];
	readonly #held: Sources['held'];
	readonly #signal: AbortSignal;
	readonly #touched: readonly string[];
	/** Told before, or looked at in this search. */
	readonly #seen: Set<string>;
	readonly #texts = new Set<string>();
	readonly #again: readonly string[];
	readonly #isNow: ToldInstructionFile[] = [];
	readonly #gone: string[] = [];
	readonly #files: ToldInstructionFile[] = [];
	readonly #offered: InstructionsAnswer['offered'] = [];
	readonly #left: InstructionsAnswer['left'] = [];
	readonly #places: Located[] = [];
	#room = INSTRUCTIONS_CHARS;

	constructor(
		{ paths, read, isHeld, held }: Sources,
		{ touched, told, again }: OpParams<'workspace.instructions'>,
		signal: AbortSignal,
	) {
		this.#paths = paths;
		this.#read = read;
		this.#isHeld = isHeld;
		this.#held = held;
		this.#signal = signal;
		this.#again = again;
		this.#seen = new Set(told.filter((path) => !again.includes(path)));
		this.#touched = touched.map((path) => this.#named(path)).filter((path) => path !== undefined);
	}

	get found(): FoundInstructions {
		return {
			files: this.#files,
			again: this.#isNow,
			gone: this.#gone,
			offered: this.#offered,
			left: this.#left,
			places: this.#places,
		};
	}

	async run(): Promise<void> {
		await this.#search();
		// Also those that steer other programs: the user is to know of them.
		for (const absolutePath of this.#held()) {
			const path = this.#paths.toWorkspacePath(absolutePath);
			if (path !== undefined && !this.#left.some((each) => each.path === path)) this.#leave(path, 'planted');
		}
	}

	async #search(): Promise<void> {
		const roots = this.#paths.folders.map(({ name }) => (this.#paths.folders.length > 1 ? `${name}/` : ''));
		for (const path of this.#again) {
			await this.#lookAgain(path, roots);
		}
		for (const root of roots) {
			for (const file of [...FOLDER_FILES, ...ROOT_FILES]) {
				await this.#take(root + file);
			}
			for (const { folder, ending } of RULE_FOLDERS) {
				await this.#takeRules(root, root + folder, ending, RULE_FOLDER_DEPTH);
			}
		}
		for (const folder of collectTouchedFolders(this.#touched, roots)) {
			for (const file of FOLDER_FILES) {
				await this.#take(`${folder}/${file}`);
			}
		}
	}

	/** Before the others, so that the same text elsewhere is no news. */
	async #lookAgain(path: string, roots: readonly string[]): Promise<void> {
		const place = await this.#locate(path);
		if (place?.kind === 'missing') {
			this.#seen.add(path);
			this.#gone.push(path);
			return;
		}
		const found = await this.#textOf(path);
		if (found === undefined) {
			return;
		}
		const isRule = RULE_FOLDERS.some(({ folder, ending }) =>
			roots.some((root) => path.startsWith(`${root}${folder}/`) && path.endsWith(ending)),
		);
		const { body, globs } = isRule ? readRule(found.text) : { body: found.text, globs: [] };
		const whole = body.trim();
		const text = whole.slice(0, INSTRUCTION_FILE_CHARS);
		this.#texts.add(whole);
		this.#places.push(found.place);
		this.#isNow.push({
			path,
			text,
			omitted: whole.length - text.length,
			...(globs.length === 0 ? {} : { appliesTo: [...globs] }),
		});
	}

	async #takeRules(root: string, folder: string, ending: string, depth: number): Promise<void> {
		const place = await this.#locate(folder);
		if (place?.kind !== 'folder') {
			return;
		}
		const { entries } = await listFolder(place, this.#signal).catch(() => ({ entries: [] }));
		for (const { name, kind } of entries.slice(0, RULES_IN_FOLDER)) {
			const path = `${folder}/${name}`;
			if (kind === 'folder' && depth > 1) {
				await this.#takeRules(root, path, ending, depth - 1);
			} else if (kind !== 'folder' && name.endsWith(ending)) {
				await this.#takeRule(root, path);
			}
		}
	}

	async #takeRule(root: string, path: string): Promise<void> {
		const text = await this.#textOf(path);
		if (text === undefined) {
			return;
		}
		const { body, isForAll, globs, description } = readRule(text.text);
		if (isForAll || this.#isTouched(root, globs)) {
			this.#tell(text.place, body, globs.length === 0 ? {} : { appliesTo: [...globs] });
			return;
		}
		// Forget the file, so that the rule is told once a file that it covers is worked on.
		this.#seen.delete(path);
		if (globs.length === 0) {
			this.#offered.push({ path, description });
		}
	}

	async #take(path: string, importedBy?: string, depth = 0): Promise<void> {
		const text = await this.#textOf(path, importedBy);
		if (text === undefined || !this.#tell(text.place, text.text, importedBy === undefined ? {} : { importedBy })) {
			return;
		}
		if (depth < IMPORT_DEPTH && (mayImport(path) || importedBy !== undefined)) {
			for (const named of importsIn(text.text)) {
				await this.#take(resolveImportPath(path, named), path, depth + 1);
			}
		}
	}

	/** False: nothing new stands in it. */
	#tell(place: Located, text: string, about: Pick<ToldInstructionFile, 'appliesTo' | 'importedBy'>): boolean {
		const { path } = place;
		const whole = text.trim();
		if (whole === '' || this.#texts.has(whole)) {
			return false;
		}
		if (this.#files.length >= INSTRUCTION_FILES || this.#room <= 0) {
			this.#leave(path, 'tooMany');
			return false;
		}
		this.#texts.add(whole);
		const told = whole.slice(0, Math.min(INSTRUCTION_FILE_CHARS, this.#room));
		this.#room -= told.length;
		this.#places.push(place);
		this.#files.push({ path, text: told, omitted: whole.length - told.length, ...about });
		return true;
	}

	/** Undefined when it is not there, was looked at before, or is left out. */
	async #textOf(path: string, importedBy?: string): Promise<{ place: Located; text: string } | undefined> {
		this.#signal.throwIfAborted();
		if (this.#seen.has(path)) {
			return undefined;
		}
		this.#seen.add(path);
		const place = await this.#locate(path);
		if (place === undefined || place.kind === 'missing') {
			// An import that leads nowhere may be no import at all, unless it ends as a document does.
			const isNamed = place !== undefined && importedBy !== undefined && DOCUMENT.test(path);
			return isNamed ? this.#leave(path, path.startsWith('~') ? 'outside' : 'missing') : undefined;
		}
		if (place.path !== path) {
			if (this.#seen.has(place.path)) {
				return undefined;
			}
			this.#seen.add(place.path);
		}
		if (this.#isPlanted(path, place)) {
			return this.#leave(path, 'planted');
		}
		if (place.isSecret) {
			return this.#leave(path, 'secret');
		}
		if (place.kind !== 'file') {
			return importedBy === undefined ? this.#leave(path, 'unreadable') : undefined;
		}
		try {
			return { place, text: await this.#read(place, this.#signal) };
		} catch {
			this.#signal.throwIfAborted();
			return this.#leave(path, 'unreadable');
		}
	}

	/** Judges by the name that was asked for, which may be a link, and by that of the file itself. */
	#isPlanted(path: string, place: Located): boolean {
		const named = this.#paths.resolve(path).absolutePath;
		return [...new Set([named, place.absolutePath, place.realPath])].some((each) => this.#isHeld(each));
	}

	async #locate(path: string): Promise<Located | undefined> {
		try {
			return await this.#paths.locate(this.#paths.resolve(path));
		} catch (error) {
			if (isProwessError(error) && error.code === 'PATH_OUTSIDE_WORKSPACE') {
				this.#leave(path, 'outside');
			}
			return undefined;
		}
	}

	#leave(path: string, reason: OmissionReason): undefined {
		if (this.#left.length < INSTRUCTION_FILES) {
			this.#left.push({ path, reason });
		}
	}

	#isTouched(root: string, globs: readonly string[]): boolean {
		if (globs.length === 0) {
			return false;
		}
		// Match as the editors that made these rules do: a glob without a slash means files of that name anywhere.
		const patterns = globs.map((glob) => (glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`));
		return this.#touched.some(
			(path) =>
				path.startsWith(root) && patterns.some((pattern) => foreignGlobCovers(pattern, path.slice(root.length), false)),
		);
	}

	/** Returns the path as results name it; undefined when it lies outside or is not a path. */
	#named(path: string): string | undefined {
		try {
			return this.#paths.resolve(path).path;
		} catch {
			return undefined;
		}
	}
}

/** Folders between the roots and the paths, and the paths themselves, which may be folders; outer ones first. */
function collectTouchedFolders(paths: readonly string[], roots: readonly string[]): readonly string[] {
	const folders = new Set<string>();
	for (const path of paths) {
		const root = roots.find((each) => each !== '' && path.startsWith(each)) ?? '';
		const segments = path.slice(root.length).split('/');
		for (let count = 1; count <= segments.length; count += 1) {
			folders.add(root + segments.slice(0, count).join('/'));
		}
	}
	folders.delete('.');
	// Files in them were written by others, or by a command.
	return [...folders]
		.filter((path) => !path.split('/').some(isToolFolderName))
		.toSorted((a, b) => countSegments(a) - countSegments(b));
}

function countSegments(path: string): number {
	return path.split('/').length;
}

/** A path that a file names, seen from its folder. */
function resolveImportPath(file: string, named: string): string {
	if (named.startsWith('/') || named.startsWith('~')) {
		return named;
	}
	const segments = file.split('/').slice(0, -1);
	for (const segment of named.split('/')) {
		if (segment === '..' && segments.length > 0 && segments.at(-1) !== '..') {
			segments.pop();
		} else if (segment !== '.' && segment !== '') {
			segments.push(segment);
		}
	}
	return segments.join('/');
}
