/**
 * Chunks that a start loads together, as few files. The bundler makes a chunk for each set of programs' parts that share something, and
 * finding and linking some 65 of them takes a third of what loading them takes. What else imports one of them gets it from there, by a file
 * that only hands on, so nothing runs twice.
 */

import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { requireInModules } from './build-options.ts';
import type { Bundle } from './bundles.ts';

type Outputs = Metafile['outputs'];

const FOLDER = 'dist/chunks';
const STATIC_IMPORT = /(?:import|export)\s*\{([^}]*)\}\s*from\s*"\.{1,2}\/(?:chunks\/)?([^"/]+)"/g;

export async function joinChunks(
	root: string,
	bundle: Bundle,
	metafile: Metafile,
	isProduction: boolean,
): Promise<Metafile> {
	const { joined: parts = [], name, out } = bundle;
	const groups = groupsOf(metafile.outputs, parts, `dist/${out}`);
	const names = await namesAskedFor(root, metafile.outputs, new Set(groups.flat()));
	const entries = groups.map((paths) =>
		paths.flatMap((path) => [`import './${basename(path)}';`, ...exportsOf(path, names.get(path), 'inner')]).join('\n'),
	);
	const result = await build({
		absWorkingDir: root,
		entryPoints: Object.fromEntries(entries.map((_, group) => [`${name}-start-${group}`, `joined:${group}`])),
		outdir: FOLDER,
		outExtension: { '.js': '.mjs' },
		entryNames: '[name]-[hash]',
		chunkNames: `${name}-start-[hash]`,
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		target: 'node22.20',
		banner: { js: requireInModules },
		minify: isProduction,
		sourcemap: true,
		legalComments: 'none',
		metafile: true,
		logLevel: 'silent',
		plugins: [joinedFiles(root, entries, new Set(groups.flat()))],
	});
	const outputs: Outputs = { ...metafile.outputs };
	for (const [group, paths] of groups.entries()) {
		const joint = Object.keys(result.metafile.outputs).find(
			(path) => result.metafile.outputs[path]?.entryPoint?.endsWith(`joined:${group}`) === true,
		);
		if (joint === undefined) throw new Error(`${name}: the part ${group} of its start was not made`);
		for (const path of paths) {
			await rm(join(root, `${path}.map`), { force: true });
			delete outputs[`${path}.map`];
			delete outputs[path];
			const asked = names.get(path);
			if (asked === undefined) {
				await rm(join(root, path));
				continue;
			}
			const text = exportsOf(path, asked, 'outer', `./${basename(joint)}`).join('\n');
			await writeFile(join(root, path), text);
			outputs[path] = {
				bytes: Buffer.byteLength(text),
				inputs: {},
				imports: [{ path: joint, kind: 'import-statement' }],
				exports: [...asked],
			};
		}
	}
	return { inputs: metafile.inputs, outputs: { ...outputs, ...result.metafile.outputs } };
}

/** The chunks of each part: those that its modules import, and that no part before it has. What the entry itself imports stays by itself. */
function groupsOf(outputs: Outputs, parts: NonNullable<Bundle['joined']>, entry: string): string[][] {
	const taken = new Set([entry]);
	follow(outputs, taken);
	return parts.map((modules) => {
		const before = new Set(taken);
		for (const module of modules) {
			const chunk = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === module);
			if (chunk === undefined) throw new Error(`${module} is no chunk of its own: nothing loads it late`);
			taken.add(chunk);
		}
		follow(outputs, taken);
		return [...taken].filter((path) => !before.has(path));
	});
}

/** Adds all that they import without `import()`. */
function follow(outputs: Outputs, paths: Set<string>): void {
	// Grows while it is walked.
	for (const path of paths) {
		for (const { path: next, kind, external } of outputs[path]?.imports ?? []) {
			if (kind === 'import-statement' && external !== true) paths.add(next);
		}
	}
}

/** Of each joined chunk, what the others import; all of it where it is loaded late. Those that nobody asks are missing. */
async function namesAskedFor(
	root: string,
	outputs: Outputs,
	joined: ReadonlySet<string>,
): Promise<Map<string, Set<string>>> {
	const asked = new Map<string, Set<string>>();
	const ask = (path: string, wanted: readonly string[]) => {
		if (joined.has(path)) {
			const known = new Set(outputs[path]?.exports);
			asked.set(path, new Set([...(asked.get(path) ?? []), ...wanted.filter((each) => known.has(each))]));
		}
	};
	for (const [path, { imports }] of Object.entries(outputs)) {
		for (const { path: next, kind } of imports) {
			if (kind === 'dynamic-import') ask(next, outputs[next]?.exports ?? []);
			else if (!joined.has(path)) ask(next, []);
		}
		if (joined.has(path) || path.endsWith('.map')) continue;
		for (const [, list = '', file = ''] of (await readFile(join(root, path), 'utf8')).matchAll(STATIC_IMPORT)) {
			ask(
				`${FOLDER}/${file}`,
				list.split(',').map((each) => each.trim().split(/\s+as\s+/)[0] ?? ''),
			);
		}
	}
	return asked;
}

/** The same name may stand in many chunks, so each has that of its chunk before it in the joined file. */
function exportsOf(
	path: string,
	names: ReadonlySet<string> | undefined,
	side: 'inner' | 'outer',
	from = `./${basename(path)}`,
): string[] {
	const of = basename(path).replaceAll(/\W/g, '_');
	const list = [...(names ?? [])].map((name) =>
		side === 'inner' ? `${name} as ${of}_${name}` : `${of}_${name} as ${name}`,
	);
	if (list.length > 0) return [`export { ${list.join(', ')} } from '${from}';`];
	return side === 'outer' ? [`import '${from}';`] : [];
}

function joinedFiles(root: string, entries: readonly string[], joined: ReadonlySet<string>): Plugin {
	return {
		name: 'joined chunks',
		setup({ onResolve, onLoad }) {
			onResolve({ filter: /^joined:/ }, ({ path }) => ({ path, namespace: 'joined' }));
			onResolve({ filter: /^\.\// }, ({ path, kind }) => {
				const chunk = `${FOLDER}/${basename(path)}`;
				return kind === 'import-statement' && joined.has(chunk)
					? { path: join(root, chunk) }
					: { path, external: true };
			});
			onLoad({ filter: /./, namespace: 'joined' }, ({ path }) => ({
				contents: entries[Number(path.slice('joined:'.length))] ?? '',
				resolveDir: join(root, FOLDER),
			}));
			onLoad({ filter: /\.mjs$/ }, async ({ path }) => ({
				// Said once for all of them.
				contents: (await readFile(path, 'utf8')).replace(requireInModules, ''),
				loader: 'js',
			}));
		},
	};
}
