/**
 * Parts that a plugin names and that lie at the top of its repository, where many plugins share them: the form in which
 * github/awesome-copilot keeps its plugins, in their own fields or below a name in the `extensions` of Agent Plugins 1.0.
 */
import { isObjectValue } from '../../../base/text/lenient.ts';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { SKILL_FILES } from '../../../protocol/capability/manifest.ts';
import { MAX_TOTAL_BYTES } from '../../limits.ts';
import type { PackageFile } from '../../package-file.ts';
import { type IndexTree, pathBelow } from '../indexes/index-tree.ts';
import { joinTreePath } from '../indexes/plugin-files.ts';
import { MAX_PLUGIN_FILE_BYTES, MAX_PLUGIN_SKILLS } from '../limits.ts';

const BORROWED_KINDS = ['skills', 'agents', 'commands'] as const;
type BorrowedKind = (typeof BORROWED_KINDS)[number];

interface BorrowedParts extends Readonly<Record<BorrowedKind, readonly string[]>> {
	/** The tree of the plugin, in which each part lies where the plugin names it. */
	readonly tree: IndexTree;
	readonly notTaken: readonly string[];
	/** In words. */
	readonly problems: readonly string[];
	/** Returns where a path really lies: the same for plugins that share a part. */
	findSource(path: string): string;
}

/** Fields of a plugin that name its parts, and the `extensions` of its own file. */
interface BorrowingPlugin extends Partial<Readonly<Record<BorrowedKind, readonly string[] | undefined>>> {
	readonly name: string;
	readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** Never rejects for what is wrong with one part. The parts that are given back are those of `extensions`. */
export async function borrowParts(
	tree: IndexTree,
	root: string,
	{ name, extensions = {}, ...fields }: BorrowingPlugin,
	signal: AbortSignal,
): Promise<BorrowedParts> {
	const borrowed = new Map<string, string>();
	const parts = { skills: [] as string[], agents: [] as string[], commands: [] as string[] };
	const problems: string[] = [];
	const compositions = Object.values(extensions).filter(isObjectValue);
	const listAll = (all: Readonly<Record<string, unknown>>) =>
		BORROWED_KINDS.flatMap((each) => listPaths(each, all[each]));
	const wanted = [
		...compositions.flatMap(listAll).map(([kind, path]) => ({ kind, path, isOfExtension: true })),
		...listAll(fields).map(([kind, path]) => ({ kind, path, isOfExtension: false })),
	];
	for (const { kind, path: written, isOfExtension } of wanted) {
		try {
			const path = pathBelow(written);
			const own = joinTreePath(root, path);
			const from = await findFirst(tree, kind, [own, ...(root === '' ? [] : namesAtTop(kind, path))], signal);
			if (from !== undefined && from !== own) borrowed.set(own, from);
			if (!isOfExtension) continue;
			if (from !== undefined) parts[kind].push(path);
			else problems.push(`"${name}" names ${path}, which lies neither in it nor at the top of its repository`);
		} catch (error) {
			signal.throwIfAborted();
			if (isOfExtension) problems.push(`"${name}": ${toErrorMessage(error)}`);
		}
	}
	const hasOthers = compositions.some((each) => Array.isArray(each['extensions']) && each['extensions'].length > 0);
	const findSource = (path: string) => {
		const [at, from] = [...borrowed].find(([own]) => path === own || path.startsWith(`${own}/`)) ?? ['', ''];
		return at === '' ? path : from + path.slice(at.length);
	};
	const whole = borrowed.size === 0 ? tree : treeWithBorrowed(tree, borrowed, findSource);
	return { ...parts, tree: whole, problems, notTaken: hasOthers ? ['extensions of Copilot'] : [], findSource };
}

function listPaths(kind: BorrowedKind, value: unknown): (readonly [BorrowedKind, string])[] {
	const paths = Array.isArray(value) ? value : [value];
	return paths.slice(0, MAX_PLUGIN_SKILLS).flatMap((path) => (typeof path === 'string' ? [[kind, path] as const] : []));
}

/** A plugin leaves out `.agent`, which Copilot's own folder of agents asks for. */
function namesAtTop(kind: BorrowedKind, path: string): readonly string[] {
	return kind === 'agents' ? [path.replace(/(?:\.agent)?\.md$/i, '.agent.md'), path] : [path];
}

/** Only what is a part by itself: a skill, or a file. A folder of many would be that of all plugins. */
async function findFirst(
	tree: IndexTree,
	kind: BorrowedKind,
	paths: readonly string[],
	signal: AbortSignal,
): Promise<string | undefined> {
	for (const path of paths) {
		const files = kind === 'skills' ? SKILL_FILES.map((file) => joinTreePath(path, file)) : [path];
		for (const file of files) {
			if (/\.md$/i.test(file) && (await tree.readFile(file, MAX_PLUGIN_FILE_BYTES, signal)) !== undefined) return path;
		}
	}
	return undefined;
}

/** `borrowed`: where each part is named, and where it lies. */
function treeWithBorrowed(
	tree: IndexTree,
	borrowed: ReadonlyMap<string, string>,
	findSource: (path: string) => string,
): IndexTree {
	/** The parts below a folder, each relative to it. */
	const listBelow = (folder: string) =>
		[...borrowed]
			.filter(([own]) => folder === '' || own.startsWith(`${folder}/`))
			.map(([own, from]) => ({ below: own.slice(folder === '' ? 0 : folder.length + 1), from }));
	return {
		readFile: (path, maxBytes, signal) => tree.readFile(findSource(path), maxBytes, signal),
		readFolder: (path, signal) => tree.readFolder(findSource(path), signal),
		filesNamed: (names, signal) => tree.filesNamed(names, signal),
		async folders(path, signal) {
			const below = listBelow(path).flatMap(({ below: each }) =>
				/\.md$/i.test(each) && !each.includes('/') ? [] : [each],
			);
			const names = below.map((each) => each.split('/')[0] ?? each);
			return [...new Set([...(await tree.folders(findSource(path), signal)), ...names])].sort();
		},
		async filesBelow(path, signal) {
			const found = new Set(await tree.filesBelow(findSource(path), signal));
			for (const { below, from } of listBelow(path)) {
				if (/\.md$/i.test(below)) found.add(below);
				else for (const file of await tree.filesBelow(from, signal)) found.add(`${below}/${file}`);
			}
			return [...found].sort();
		},
		async readFiles(path, files, signal) {
			const places = files.map((file) => ({ file, at: joinTreePath(path, file) }));
			const own = places.filter(({ at }) => findSource(at) === at).map(({ file }) => file);
			const read: PackageFile[] = [...(await tree.readFiles(path, own, signal))];
			let bytes = read.reduce((sum, each) => sum + each.bytes.length, 0);
			for (const { file, at } of places.filter((each) => findSource(each.at) !== each.at)) {
				const content = await tree.readFile(findSource(at), MAX_TOTAL_BYTES - bytes, signal);
				if (content === undefined) continue;
				bytes += content.length;
				read.push({ path: file, bytes: content });
			}
			return read;
		},
	};
}
