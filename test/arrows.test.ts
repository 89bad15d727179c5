/**
 * The arrows between the folders of src/, and between the wings inside of one, hold three times over: the lint, the type
 * check of each project and the bundler each refuse every forbidden import by themselves. The guards are the real ones,
 * run over a tree made of strays.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	globSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { build, type BuildFailure, stop } from 'esbuild';
import { deepest } from '../oxlint.config.ts';
import { arrows, faces, wings } from '../scripts/boundaries.ts';
import { buildOptions } from '../scripts/build/build-options.ts';
import { refuseStrayImports } from '../scripts/build/refuse-stray-imports.ts';
import { tempDir } from './support/temp-dir.ts';

const root = join(import.meta.dirname, '..');
const folders = Object.keys(arrows);
const limitMs = 120_000;

/** Permitted target folders of each folder, and of each wing that an arrow of another folder leads to. */
const arrowTable = Object.fromEntries([
	...folders.map((name) => [name, arrows[name]?.folders ?? []] as const),
	...Object.entries(wings).flatMap(([folder, inner]) =>
		Object.entries(inner).map(
			([wing, may]) =>
				[`${folder}/${wing}`, [...(arrows[folder]?.folders ?? []), ...may.map((name) => `${folder}/${name}`)]] as const,
		),
	),
]);
/** The type checker sees what a project may import, and what that one may: it cannot tell `cli → store` from its arrows. */
const typeCheckerMayMiss = [
	...onlyThroughOthers(arrowTable),
	...Object.entries(wings).flatMap(([folder, inner]) =>
		onlyThroughOthers(inner).map((arrow) => innerArrow(folder, arrow)),
	),
];

/** An import, forbidden or not. A file holds all of a place that are written the same way, because thousands of files take minutes. */
interface Stray {
	readonly file: string;
	/** The paths that it imports from: one, or several ways to write the same. */
	readonly paths: readonly string[];
	/** Returns its text; imports of a file have different numbers, and so names of their own. */
	readonly text: (n: number) => string;
	readonly isTypeOnly: boolean;
}

interface StrayFile extends Stray {
	readonly arrow: string;
}

const strayFolders = folders.flatMap((from) =>
	folders
		.filter((to) => to !== from && !arrows[from]?.folders.includes(to))
		.flatMap((to) => strays({ arrow: `${from} → ${to}`, at: `src/${from}`, own: from, target: to })),
);

/** From a folder that may import some wings of another one, into the others. */
const strayIntoWings = folders.flatMap((from) => {
	const own = arrows[from]?.folders ?? [];
	return Object.entries(wings)
		.filter(([to]) => own.some((name) => name.startsWith(`${to}/`)))
		.flatMap(([to, inner]) => Object.keys(inner).map((wing) => `${to}/${wing}`))
		.filter((to) => !own.includes(to))
		.flatMap((to) => strays({ arrow: `${from} → ${to}`, at: `src/${from}`, own: from, target: to }));
});

/** A wing that may not import another; and none may import what lies beside the wings, or a wing that is not listed. */
const strayWings = Object.entries(wings).flatMap(([folder, inner]) =>
	Object.entries(inner).flatMap(([from, may]) => {
		const at = `src/${folder}/${from}`;
		const beside: StrayFile[] = ['../public.ts', '../unlisted/public.ts'].map((path) => ({
			arrow: `${innerArrow(folder, from)} → ${path}`,
			...importing(`${at}/beside.ts`, path),
		}));
		const others = [...Object.keys(inner)].filter((to) => to !== from && !may.includes(to));
		return [
			...beside,
			...others.flatMap((to) => strays({ arrow: innerArrow(folder, `${from} → ${to}`), at, own: from, target: to })),
		];
	}),
);

/** From each folder and wing out of the house inside of which it lies, too: a wing has no more arrows than its folder. */
const strayOut = Object.entries(wings).flatMap(([folder, inner]) =>
	Object.keys(inner).flatMap((wing) =>
		folders
			.filter((to) => to !== folder && !arrows[folder]?.folders.includes(to))
			.map((to): StrayFile => ({
				arrow: `${folder} → ${to}`,
				...importing(`src/${folder}/${wing}/out.ts`, `../../${to}/public.ts`),
			})),
	),
);

const strayFiles = [...strayFolders, ...strayIntoWings, ...strayWings, ...strayOut];

/** From a folder that sees only the faces of others: past one, beside the wings and in each. */
const strayPastFaces = Object.keys(faces).flatMap((to) =>
	folders
		.filter((from) => arrows[from]?.seesFacesOnly === true && arrows[from].folders.includes(to))
		.flatMap((from) =>
			['', 'unlisted/', ...Object.keys(wings[to] ?? {}).map((wing) => `${wing}/`)].map((wing) =>
				importing(`src/${from}/past-face.ts`, `../${to}/${wing}public.ts`),
			),
		),
);

const onFaces = Object.entries(faces).flatMap(([to, face]) =>
	folders
		.filter((from) => arrows[from]?.seesFacesOnly === true && arrows[from].folders.includes(to))
		.flatMap((from) => face.slice(0, 1).map((part) => permitted(`src/${from}/on-face.ts`, `../${to}/${part}`))),
);

/** The ways to write one forbidden import. */
function strays(of: { arrow: string; at: string; own: string; target: string }): StrayFile[] {
	const { arrow, at, own, target } = of;
	// A file of a folder with wings lies beside them or in one.
	const deeper = Object.keys(wings[own] ?? {})[0] ?? 'within';
	const path = `../${target}/public.ts`;
	const around = [`./../${target}/public.ts`, `../${own}/${path}`];
	const stray = (kind: string, text: Stray['text'], paths: readonly string[] = [path]): StrayFile => ({
		arrow,
		file: `${at}/${kind}.ts`,
		paths,
		text,
		isTypeOnly: kind === 'type',
	});
	return [
		{ arrow, ...importing(`${at}/value.ts`, path) },
		stray('type', (n) => `import type { A as A${n} } from '${path}';\nexport type B${n} = A${n};\n`),
		stray('lazy', (n) => `export const b${n} = () => import('${path}');\n`),
		stray('dodging', (n) => around.map((way, at) => `export { a as a${n}_${at} } from '${way}';\n`).join(''), around),
		stray('passed-on', (n) => `export { a as a${n} } from '${path}';\n`),
		stray(`${deeper}/deep`, (n) => `export { a as a${n} } from '../${path}';\n`, [`../${path}`]),
	];
}

function importing(file: string, path: string): Stray {
	const text = (n: number) => `import { a as a${n} } from '${path}';\nexport const b${n} = a${n};\n`;
	return { file, paths: [path], text, isTypeOnly: false };
}

/** The arrows of a table that none of its lines has, but that its arrows lead to one after the other. */
function onlyThroughOthers(table: Readonly<Record<string, readonly string[]>>): string[] {
	return Object.entries(table).flatMap(([from, direct]) => {
		const reached = new Set<string>(direct);
		for (const to of reached) for (const next of table[to] ?? []) reached.add(next);
		return [...reached].filter((to) => !direct.includes(to)).map((to) => `${from} → ${to}`);
	});
}

function innerArrow(folder: string, arrow: string): string {
	return `${folder}: ${arrow}`;
}

/** Installed, but no folder's business; and `vscode`, which only the extension may know. */
const strayPackages = folders.flatMap((from) =>
	['oxfmt', 'vscode', 'node:path']
		.filter((name) => !arrows[from]?.packages.includes(name.replace(/^node:.*/, 'node:')))
		.map((name): Stray & { from: string; name: string } => ({
			from,
			name,
			file: `src/${from}/package-${name.replace(':', '-')}.ts`,
			paths: [name],
			text: () => `import * as all from '${name}'; export const { something } = all;\n`,
			isTypeOnly: false,
		})),
);

const allowed = [
	...folders.flatMap((from) =>
		foldersOpenTo(from).map((to) => permitted(`src/${from}/allowed.ts`, `../${to}/public.ts`)),
	),
	...Object.entries(wings).flatMap(([folder, inner]) => [
		...Object.entries(inner).flatMap(([from, may]) => [
			...may.map((to) => permitted(`src/${folder}/${from}/allowed.ts`, `../${to}/public.ts`)),
			...may.map((to) => permitted(`src/${folder}/${from}/within/allowed.ts`, `../../${to}/public.ts`)),
			...foldersOpenTo(folder).map((to) =>
				permitted(`src/${folder}/${from}/allowed-folders.ts`, `../../${to}/public.ts`),
			),
			permitted(`src/${folder}/${from}/within/allowed-own.ts`, `../public.ts`),
		]),
		...Object.keys(inner).map((to) => permitted(`src/${folder}/allowed-wings.ts`, `./${to}/public.ts`)),
	]),
];

/** Lists the folders that a folder may import, without those of which it sees only the face. */
function foldersOpenTo(from: string): string[] {
	const { folders: may = [], seesFacesOnly } = arrows[from] ?? {};
	return may.filter((to) => seesFacesOnly !== true || faces[to] === undefined);
}

function permitted(file: string, path: string): Stray {
	const text = (n: number) =>
		`import { a as a${n} } from '${path}';\nimport type { A as A${n} } from '${path}';\nexport const b${n}: A${n} = a${n};\n`;
	return { file, paths: [path], text, isTypeOnly: false };
}

const effects: readonly (readonly [file: string, text: string])[] = [
	['src/server/pipeline/reads-a-file.ts', "import { readFileSync } from 'node:fs';\nexport const b = readFileSync;\n"],
	['src/server/tools/starts-a-program.ts', "import { spawn } from 'node:child_process';\nexport const b = spawn;\n"],
	['src/extension/opens-a-socket.ts', "import { connect } from 'node:net';\nexport const b = connect;\n"],
	['src/server/decision/fetches.ts', "export const b = () => fetch('https://example.invalid');\n"],
	['src/server/decision/fetches-globally.ts', "export const b = () => globalThis.fetch('https://example.invalid');\n"],
	['src/server/tools/asks-the-process.ts', "export const b = process.getBuiltinModule('node:fs');\n"],
	['src/executors/skill/reads-lazily.ts', "export const b = () => import('node:fs/promises');\n"],
];
const permittedEffects: readonly (readonly [file: string, text: string])[] = [
	['src/server/models/fetches.ts', "export const b = () => fetch('https://example.invalid');\n"],
	['src/cli/server/server-program.ts', "import { spawn } from 'node:child_process';\nexport const b = spawn;\n"],
	['src/store/opens.ts', "import { DatabaseSync } from 'node:sqlite';\nexport const b = DatabaseSync;\n"],
];
const notices: typeof effects = [
	[
		'src/extension/views/informs.ts',
		saying("import * as vscode from 'vscode';", 'vscode.window.showInformationMessage'),
	],
	['src/extension/warns.ts', saying("import { window } from 'vscode';", 'window.showWarningMessage')],
	['src/extension/fails.ts', saying("import * as vscode from 'vscode';", "vscode.window['showErrorMessage']")],
	[
		'src/extension/takes-apart.ts',
		saying("import { window } from 'vscode';\nconst { showErrorMessage } = window;", 'showErrorMessage'),
	],
	['src/extension/server/server-client.ts', saying("import { window } from 'vscode';", 'window.withProgress')],
];
const permittedNotices: typeof effects = [
	['src/extension/notices/notices.ts', saying("import { window } from 'vscode';", 'window.showErrorMessage')],
];

const reads: typeof effects = [
	['src/ops/files/reads.ts', saying("import { readFileSync } from 'node:fs';", "readFileSync('x')")],
	['src/trust/gate/hooks/opens.ts', saying("import { open } from 'node:fs/promises';", "open('x')")],
	['src/machine/git/all.ts', saying("import * as fs from 'node:fs';", "fs.readFileSync('x')")],
	['src/execution/mcp/late.ts', saying('', "import('node:fs/promises')")],
	['src/features/agents/held.ts', saying("import { promises } from 'node:fs';", "promises.readFile('x')")],
	['src/features/goal/streams.ts', saying("import { createReadStream as read } from 'node:fs';", "read('x')")],
];
const permittedReads: typeof effects = [
	['src/machine/home-files/reads.ts', saying("import { readFileSync } from 'node:fs';", "readFileSync('x')")],
	['src/ops/files/lists.ts', saying("import { readdirSync } from 'node:fs';", "readdirSync('x')")],
];

function saying(imports: string, say: string): string {
	return `${imports}\nexport const b = ${say};\n`;
}

describe('The arrows between the folders of src/', function () {
	this.timeout(limitMs);
	let tree: string;
	let lint: readonly LintError[];

	before(() => {
		tree = tempDir('arrows');
		for (const path of [
			'tsconfig.base.json',
			'oxlint.config.ts',
			'package.json',
			'scripts',
			...places().map((place) => `${place}/tsconfig.json`),
		]) {
			cpSync(join(root, path), join(tree, path), { recursive: true });
		}
		symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'dir');
		const files = textsOf([...strayFiles, ...strayPackages, ...strayPastFaces, ...allowed, ...onFaces]);
		const publics = [
			...[...places(), ...[...Object.keys(wings), ...Object.keys(faces)].map((folder) => `src/${folder}/unlisted`)].map(
				(place) => `${place}/public.ts`,
			),
			...Object.entries(faces).flatMap(([folder, face]) => face.slice(0, 1).map((part) => `src/${folder}/${part}`)),
		].map((file) => [file, 'export const a = 1;\nexport type A = number;\n'] as const);
		for (const [file, text] of [
			...publics,
			...files,
			...effects,
			...permittedEffects,
			...notices,
			...permittedNotices,
			...reads,
			...permittedReads,
		]) {
			mkdirSync(dirname(join(tree, file)), { recursive: true });
			writeFileSync(join(tree, file), text);
		}
		lint = lintErrors(tree);
	});

	it('are refused by the lint, type-only and lazy imports included', () => {
		const refused = filesWith(lint, 'no-restricted-imports');
		assert.deepEqual(missing([...strayFiles, ...strayPackages, ...strayPastFaces], refused), []);
		assert.deepEqual(
			[...allowed, ...onFaces].filter(({ file }) => refused.has(file)).map(({ file }) => file),
			[],
		);
	});

	it('leave direct effects to the named files, says the lint', () => {
		const refused = filesWith(lint, 'no-nodejs-modules', 'no-restricted-globals', 'no-restricted-properties');
		assert.deepEqual(
			effects.map(([file]) => file).filter((file) => !refused.has(file)),
			[],
		);
		assert.deepEqual(
			permittedEffects.map(([file]) => file).filter((file) => refused.has(file)),
			[],
		);
	});

	it('leave files that others made to one reader, says the lint', () => {
		const refused = filesWith(lint, 'read-by-reader');
		assert.deepEqual(
			reads.map(([file]) => file).filter((file) => !refused.has(file)),
			[],
		);
		assert.deepEqual(
			permittedReads.map(([file]) => file).filter((file) => refused.has(file)),
			[],
		);
	});

	it('leave notifications of the editor to one file, which makes no link of what others have written, says the lint', () => {
		const refused = filesWith(lint, 'no-restricted-properties');
		assert.deepEqual(
			notices.map(([file]) => file).filter((file) => !refused.has(file)),
			[],
		);
		assert.deepEqual(
			permittedNotices.map(([file]) => file).filter((file) => refused.has(file)),
			[],
		);
	});

	it('are refused by the type check of each project', () => {
		const refused = typeErrors(tree);
		const strays = strayFiles.filter(({ arrow }) => !typeCheckerMayMiss.includes(arrow));
		// Any package can be resolved; vscode is made empty, and Node's modules do not exist where Node does not.
		const packages = strayPackages.filter(({ name }) => name !== 'oxfmt');
		assert.deepEqual(missing([...strays, ...packages], refused), []);
		assert.deepEqual(
			allowed.filter(({ file }) => refused.has(file)).map(({ file }) => file),
			[],
		);
	});

	it('are refused by the bundler, in all that ends up in a bundle', async () => {
		const strays = [...strayFiles, ...strayPackages, ...strayPastFaces].filter(({ isTypeOnly }) => !isTypeOnly);
		assert.deepEqual(missing(strays, await bundleErrors(tree, strays)), []);
		assert.deepEqual([...(await bundleErrors(tree, [...allowed, ...onFaces]))], []);
	});

	it('end at vscode for every bundle but that of the extension', async () => {
		const bundle = { name: 'a stray', entry: 'src/server/package-vscode.ts', out: 'stray.mjs' };
		for (const runsIn of ['node', 'browser'] as const) {
			await assert.rejects(
				build({ ...buildOptions(tree, { ...bundle, runsIn }, false), plugins: [], write: false }),
				/Could not resolve "vscode"/,
			);
			await stop();
		}
	});

	it('are said for every folder there is, with the same arrows in its tsconfig.json', () => {
		const present = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
		assert.deepEqual(
			present.map(({ name }) => name).filter((name) => !folders.includes(name)),
			[],
		);
		for (const [folder, { folders: to }] of Object.entries(arrows)) {
			const inner = Object.keys(wings[folder] ?? {});
			const { references = [] } = projectConfig(`src/${folder}`);
			const seen = references.map(({ path }) => path);
			assert.deepEqual(new Set(seen), new Set([...to.map((name) => `../${name}`), ...inner]), folder);
			const notBelow = to.filter((name) => !(folders.indexOf(name.replace(/\/.*/, '')) < folders.indexOf(folder)));
			assert.deepEqual(notBelow, [], `${folder} may import only folders that stand before it`);
		}
		const { references = [] } = projectConfig('.');
		assert.deepEqual(
			references.map(({ path }) => path),
			folders.map((name) => `src/${name}`),
		);
	});

	it('are said for every wing of a folder that has any', () => {
		for (const [folder, inner] of Object.entries(wings)) {
			// Styles lie in a folder, too, but import no code and are no wing.
			const code = globSync(`${folder}/*/**/*.{ts,tsx}`, { cwd: join(root, 'src') });
			const present = new Set(code.map((file) => file.split(sep)[1] ?? ''));
			assert.deepEqual(
				[...present].filter((name) => inner[name] === undefined),
				[],
				folder,
			);
			for (const [wing, may] of Object.entries(inner)) {
				const order = Object.keys(inner);
				const notBelow = may.filter((to) => !(order.indexOf(to) < order.indexOf(wing)));
				assert.deepEqual(notBelow, [], `${folder}/${wing} may import only wings that stand before it`);
			}
		}
	});

	it('lead to the face of a folder, each file of which there is and somebody imports', () => {
		const outside = folders.filter((name) => arrows[name]?.seesFacesOnly === true);
		const importers = outside.flatMap((name) => globSync(`src/${name}/**/*.{ts,tsx}`, { cwd: root }));
		const texts = importers.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
		for (const [folder, face] of Object.entries(faces)) {
			assert.deepEqual(
				face.filter((part) => !existsSync(join(root, 'src', folder, part)) || !texts.includes(`${folder}/${part}'`)),
				[],
				folder,
			);
		}
	});

	it('can be read off every file: none lies deeper than the lint looks', () => {
		const tooDeep = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter((file) => file.split(sep).length - 3 > deepest);
		assert.deepEqual(tooDeep, []);
	});
});

/** All that has a project of its own. */
function places(): string[] {
	return [
		...folders.map((name) => `src/${name}`),
		...Object.entries(wings).flatMap(([folder, inner]) => Object.keys(inner).map((wing) => `src/${folder}/${wing}`)),
	];
}

/** Each file with all that it imports. */
function textsOf(strays: readonly Stray[]): (readonly [file: string, text: string])[] {
	const byFile = Map.groupBy(strays, ({ file }) => file);
	return [...byFile].map(([file, all]) => [file, all.map(({ text }, n) => text(n)).join('')] as const);
}

/** Names a refused import by its file and by what it imports from. A set of refused imports holds each file alone, too. */
function refusalOf(file: string, path: string): string {
	return `${file} ← ${path}`;
}

/** Returns the path that a line imports from. */
function pathIn(line: string): string {
	return /(?:from|import\() ?'([^']+)'/.exec(line)?.[1] ?? '';
}

function missing(strays: readonly Stray[], refused: ReadonlySet<string>): string[] {
	return strays
		.filter(({ file, paths }) => !paths.some((path) => refused.has(refusalOf(file, path))))
		.map(({ file, paths }) => refusalOf(file, paths.join(', ')));
}

interface LintError {
	readonly filename: string;
	/** Name of the rule, such as `eslint(no-restricted-imports)`. */
	readonly code: string;
	/** Begins with what is refused. */
	readonly message: string;
}

function lintErrors(tree: string): readonly LintError[] {
	const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '-f', 'json', 'src'], {
		cwd: tree,
		encoding: 'utf8',
		timeout: limitMs,
		maxBuffer: 64 * 1024 * 1024,
	});
	return (JSON.parse(stdout) as { diagnostics: LintError[] }).diagnostics;
}

function filesWith(errors: readonly LintError[], ...rules: readonly string[]): Set<string> {
	const ofRules = errors.filter(({ code }) => rules.some((rule) => code.endsWith(`(${rule})`)));
	return new Set(
		ofRules.flatMap(({ filename, message }) => [filename, refusalOf(filename, /^'([^']+)'/.exec(message)?.[1] ?? '')]),
	);
}

/** A stray makes two projects write the declarations of one file, and one of them must not read what is half written. */
const oneByOne = ['--builders', '1'];

/** The imports that are named in an error: those at fault, and for a stray file also those that import it. */
function typeErrors(tree: string): Set<string> {
	const named = new Set<string>();
	const { stdout } = spawnSync(
		process.execPath,
		[join(root, 'node_modules/typescript/bin/tsc'), '-b', ...oneByOne, ...folders.map((name) => `src/${name}`)],
		{ cwd: tree, encoding: 'utf8', timeout: limitMs, maxBuffer: 64 * 1024 * 1024 },
	);
	const name = (file: string, path: string) => named.add(file).add(refusalOf(file, path));
	for (const [, file = '', line] of stdout.matchAll(/^(src\/[^(]+)\((\d+),\d+\): error/gm)) {
		name(file, pathIn(readFileSync(join(tree, file), 'utf8').split('\n')[Number(line) - 1] ?? ''));
	}
	for (const [, path = '', file = ''] of stdout.matchAll(/Imported via '([^']+)' from file '([^']+)'/g)) {
		name(relative(tree, file), path);
	}
	return named;
}

async function bundleErrors(tree: string, strays: readonly Stray[]): Promise<Set<string>> {
	try {
		await build({
			absWorkingDir: tree,
			entryPoints: [...new Set(strays.map(({ file }) => file))],
			outdir: 'dist',
			write: false,
			bundle: true,
			platform: 'node',
			format: 'esm',
			logLevel: 'silent',
			logLimit: 0,
			plugins: [refuseStrayImports(tree)],
		});
		return new Set();
	} catch (error) {
		return new Set(
			(error as BuildFailure).errors.map(({ location }) =>
				refusalOf(location?.file ?? '', pathIn(location?.lineText ?? '')),
			),
		);
	} finally {
		await stop();
	}
}

/** Reads the `tsconfig.json` of a folder; strips its comments, which TypeScript accepts and `JSON.parse` does not. */
function projectConfig(folder: string): { references?: { path: string }[] } {
	const text = readFileSync(join(root, folder, 'tsconfig.json'), 'utf8');
	return JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, '')) as ReturnType<typeof projectConfig>;
}
