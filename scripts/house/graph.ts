/** The graph of imports between our sources, `import()` and types included, and its circles. */

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Sources by their paths, with slashes and relative to the root; without specs and declarations. */
export function readSources(root: string): ReadonlyMap<string, string> {
	const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.(?:test|d)\.tsx?$/.test(file));
	return new Map(files.sort().map((file) => [file.replaceAll(sep, '/'), readFileSync(join(root, file), 'utf8')]));
}

const imports = /(?:\bfrom|\bimport\(|^import)\s*'(\.[^']+)'/gm;

/** Which sources each of them imports. */
export function readImports(sources: ReadonlyMap<string, string>): ReadonlyMap<string, ReadonlySet<string>> {
	return new Map(
		[...sources].map(([file, text]) => {
			const targets = [...text.matchAll(imports)].map(([, path = '']) =>
				relative('.', resolve(dirname(file), path)).replaceAll(sep, '/'),
			);
			return [file, new Set(targets.filter((target) => sources.has(target)))];
		}),
	);
}

/**
 * The same graph between the folders that lie side by side in one folder of `src/`, each with all below it. Files beside them
 * are left out: they put the folders together.
 */
export function joinByFolder(
	graph: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, ReadonlySet<string>> {
	const folders = new Map<string, Set<string>>();
	for (const [file, targets] of graph) {
		const from = wingOf(file);
		if (from === undefined) continue;
		const known = folders.get(from) ?? new Set();
		folders.set(from, known);
		for (const target of targets) {
			const to = wingOf(target);
			if (to !== undefined && to !== from && roomOf(to) === roomOf(from)) known.add(to);
		}
	}
	return folders;
}

/** `src/server/models` for `src/server/models/windows/prices.ts`; undefined for `src/server/compose.ts`. */
function wingOf(file: string): string | undefined {
	const parts = file.split('/');
	return parts.length > 3 ? parts.slice(0, 3).join('/') : undefined;
}

/** `server` for `src/server/models/limits.ts`. */
export function roomOf(path: string): string {
	return path.split('/')[1] ?? '';
}

/** Groups of nodes that lead to each other; those of one node are left out. */
export function findCircles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
	const order = new Map<string, number>();
	const low = new Map<string, number>();
	const open: string[] = [];
	const circles: string[][] = [];
	const visit = (node: string): number => {
		const own = order.size;
		order.set(node, own);
		low.set(node, own);
		open.push(node);
		for (const next of graph.get(node) ?? []) {
			const reached = order.has(next) ? (open.includes(next) ? (order.get(next) ?? own) : own) : visit(next);
			low.set(node, Math.min(low.get(node) ?? own, reached));
		}
		const lowest = low.get(node) ?? own;
		if (lowest === own) {
			const circle = open.splice(open.lastIndexOf(node));
			if (circle.length > 1) circles.push(circle.sort());
		}
		return lowest;
	};
	for (const node of graph.keys()) if (!order.has(node)) visit(node);
	return circles;
}
