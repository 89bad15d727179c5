import { builtinModules } from 'node:module';
import { defineConfig, type OxlintConfig } from 'oxlint';
import {
	type Arrows,
	arrows,
	directEffects,
	type Effect,
	effectModules,
	faces,
	readsOwnFiles,
	wings,
} from './scripts/boundaries.ts';

/** How many folders deep a file under `src/<folder>/` may lie; deeper ones are refused by the arrows test. */
export const deepest = 5;

const effects = Object.keys(effectModules) as Effect[];
const globalsOfNetwork = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];
const harmlessModules = builtinModules
	.map((name) => (name.startsWith('node:') ? name : `node:${name}`))
	.filter((name) => !effects.some((effect) => (effectModules[effect] as readonly string[]).includes(name)));

type Rules = NonNullable<OxlintConfig['rules']>;

/** A folder, or a wing of it: where the files lie, and what of their own folder they may import. */
interface Place {
	readonly folder: string;
	/** Only for files inside of a folder that has wings. */
	readonly wing?: { readonly name: string; readonly may: readonly string[] };
}

/**
 * A relative import that steps out of the folder or the wing, and any package, unless a table of arrows has it. One list,
 * in which the last pattern that matches counts: oxlint takes what one list permits out of every other.
 */
function arrowRules(
	{ folder, wing }: Place,
	{ folders, packages, seesFacesOnly }: Arrows,
	depth: number,
	isTest: boolean,
): Rules {
	const seen = (name: string) => (seesFacesOnly === true ? faces[name] : undefined) ?? ['**'];
	const upToFolder = '../'.repeat(depth);
	const up = `${upToFolder}../`;
	const group = [
		...(isTest ? [] : ['**', '!./**', '!../**', ...packages.flatMap(allowPackage)]),
		...(wing === undefined ? [] : [`${upToFolder}**`, ...wing.may.map((name) => `!${upToFolder}${name}/**`)]),
		`${up}**`,
		...folders.flatMap((name) => seen(name).map((part) => `!${up}${name}/${part}`)),
		...(isTest ? [`!${up}../test/support/**`] : []),
		// Only the shortest path, so that the arrow can be read off it.
		'**/[a-z]*/../**',
		'./../**',
	];
	const listed = (names: readonly string[]) => names.join(', ') || '(none)';
	const message =
		(wing === undefined
			? `src/${folder} may import only`
			: `src/${folder}/${wing.name} may import only the wings ${listed(wing.may)},`) +
		` the folders ${listed(folders)}, of some only their face, and the packages ${listed(packages)} (scripts/boundaries.ts)`;
	return { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] };
}

/** The rules for all files of a folder: a wing's own come after those for wings that nobody has listed. */
function arrowsOf(folder: string, isTest: boolean): { files: string[]; rules: Rules }[] {
	const allowed = arrows[folder] ?? { folders: [], packages: [] };
	const ending = isTest ? '.test' : '';
	const inner = wings[folder];
	return depths.flatMap((depth) => {
		const at = (path: string, below: number, place: Place) => ({
			files: filesAt(path, below, ending),
			rules: arrowRules(place, allowed, depth, isTest),
		});
		if (inner === undefined || depth === 0) return [at(folder, depth, { folder })];
		return [
			at(folder, depth, { folder, wing: { name: '<unlisted>', may: [] } }),
			...Object.entries(inner).map(([name, may]) =>
				at(`${folder}/${name}`, depth - 1, { folder, wing: { name, may } }),
			),
		];
	});
}

function allowPackage(name: string): string[] {
	if (name === 'node:') return ['!node:*', '!node:*/**'];
	return name.endsWith('/') ? [`!${name}**`] : [`!${name}`, `!${name}/**`];
}

const brokered = 'only the files named in scripts/boundaries.ts have direct effects; ask the broker';
const networkProperties = globalsOfNetwork.map((property) => ({ object: 'globalThis', property, message: brokered }));
/** They give the modules of every effect to files that may not import them. */
const loaderProperties = ['getBuiltinModule', 'binding', 'dlopen'].map((property) => ({
	object: 'process',
	property,
	message: brokered,
}));
/** The editor makes links that run commands in what these show. */
const noticeProperties = ['showInformationMessage', 'showWarningMessage', 'showErrorMessage', 'withProgress'].map(
	(property) => ({ property, message: 'what others have written must hold no link; say it through notices.ts' }),
);

function effectRules(may: readonly Effect[]): Rules {
	const allow = [...harmlessModules, ...may.flatMap((effect) => effectModules[effect])];
	const mayFetch = may.includes('network');
	return {
		'import/no-nodejs-modules': ['error', { allow }],
		'no-restricted-globals': mayFetch
			? 'off'
			: ['error', ...globalsOfNetwork.map((name) => ({ name, message: brokered }))],
		'no-restricted-properties': [
			'error',
			...(mayFetch ? [] : networkProperties),
			...loaderProperties,
			...noticeProperties,
		],
	};
}

/** The text of an import means another folder at each depth, so each depth has its own patterns. */
function filesAt(path: string, depth: number, ending: string): string[] {
	return ['ts', 'tsx'].map((extension) => `src/${path}/${'*/'.repeat(depth)}*${ending}.${extension}`);
}

const depths = Array.from({ length: deepest + 1 }, (_, depth) => depth);

export default defineConfig({
	jsPlugins: ['./scripts/lint-rules.mjs'],
	plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise'],
	options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
	categories: { correctness: 'error' },
	env: { builtin: true },
	ignorePatterns: ['node_modules', 'dist', 'artifacts', '.tools', 'examples', '**/*.d.ts'],
	rules: {
		eqeqeq: 'error',
		'no-empty': 'error',
		'no-var': 'error',
		'prefer-const': 'error',
		'import/no-cycle': ['error', { ignoreTypes: false }],
		'typescript/ban-ts-comment': 'error',
		'typescript/consistent-type-imports': 'error',
		'typescript/no-explicit-any': 'error',
		'typescript/no-floating-promises': 'error',
		'typescript/no-misused-promises': 'error',
		'typescript/no-non-null-assertion': 'error',
		'typescript/only-throw-error': 'error',
		'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
		// It takes a copy made on purpose (listeners that change while they are called) for a needless one.
		'unicorn/no-useless-spread': 'off',
		// Our ports are objects of functions without `this`; taking them apart is how they are used.
		'typescript/unbound-method': 'off',
		// Text is taken apart into code points, and cleaned of control and invisible characters, on purpose.
		'typescript/no-misused-spread': 'off',
		'no-control-regex': 'off',
		'no-misleading-character-class': ['error', { allowEscape: true }],
		'unicorn/filename-case': ['error', { case: 'kebabCase' }],
	},
	overrides: [
		{
			files: ['src/**'],
			rules: {
				'import/no-default-export': 'error',
				'no-console': 'error',
				'prowess/no-spread-of-literal': 'error',
				'prowess/read-by-reader': 'error',
				// A folder that the table does not know may import nothing until it is listed there.
				...arrowRules({ folder: '<unlisted>' }, { folders: [], packages: [] }, 0, false),
				...effectRules([]),
			},
		},
		{ files: ['src/cli/**'], rules: { 'no-console': 'off' } },
		...Object.keys(arrows).flatMap((folder) => arrowsOf(folder, false)),
		...directEffects.map(({ files, may }) => ({ files: [files], rules: effectRules(may) })),
		{ files: readsOwnFiles.map(({ files }) => files), rules: { 'prowess/read-by-reader': 'off' } },
		{
			files: ['src/extension/notices/notices.ts'],
			rules: { 'no-restricted-properties': ['error', ...networkProperties, ...loaderProperties] },
		},
		// Scripted models say what comes `then`.
		{ files: ['test/**'], rules: { 'unicorn/no-thenable': 'off' } },
		// Specs may use any package, every effect and the helpers in test/support, but no other arrow.
		{ files: ['src/**/*.test.ts'], rules: { ...effectRules(effects), 'prowess/read-by-reader': 'off' } },
		...Object.keys(arrows).flatMap((folder) => arrowsOf(folder, true)),
	],
});
