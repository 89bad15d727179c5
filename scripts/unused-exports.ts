/**
 * Lists what is exported and that no other file imports: it is either dead or private. Reads the text of the sources, which
 * the formatter keeps in one shape; what is imported as a whole (`import * as`, `import()`) counts as used in all its parts.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

interface UnusedExport {
	/** Relative to the root, with slashes. */
	readonly file: string;
	readonly name: string;
	readonly line: number;
}

const searched = [
	'src/**/*.{ts,tsx}',
	'scripts/**/*.{ts,mjs}',
	'test/**/*.{ts,mjs}',
	'bench/**/*.{ts,mjs}',
	'*.{ts,mjs}',
];
/** Fixtures are programs of their own. */
const ignored = ['test/fixtures/**', '**/*.d.ts'];
/** Names that another program asks for: VS Code, mocha, the runner of the extension host. */
const askedFor = new Set(['activate', 'deactivate', 'mochaHooks', 'run']);

const declared =
	/^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const enum|const|let|class|interface|type|enum) (\w+)/;
const listed = /^export (?:type )?\{([^}]*)\}/gm;
const from = /(?:^|[\s;])(?:import|export) (?:type )?(\*(?: as \w+)?|[^'"*]*?) from '(\.[^']*)'/g;
const whole = /import\(\s*'(\.[^']*)'/g;

export function unusedExports(root: string): UnusedExport[] {
	const files = globSync([...searched], { cwd: root, exclude: [...ignored] }).map((file) => file.replaceAll(sep, '/'));
	const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
	const used = new Set<string>();
	for (const [file, text] of texts) {
		const target = (path: string) => relative(root, resolve(root, dirname(file), path)).replaceAll(sep, '/');
		for (const [, names = '', path = ''] of text.matchAll(from)) {
			if (names.startsWith('*')) used.add(`${target(path)}#*`);
			for (const name of importedNames(names)) used.add(`${target(path)}#${name}`);
		}
		for (const [, path = ''] of text.matchAll(whole)) used.add(`${target(path)}#*`);
	}
	return [...texts].flatMap(([file, text]) =>
		// Nobody imports a spec; what one seems to export stands in a text of it.
		used.has(`${file}#*`) || file.endsWith('.test.ts')
			? []
			: exportsOf(text)
					.filter(({ name }) => !used.has(`${file}#${name}`) && !askedFor.has(name))
					.map((one) => ({ file, ...one })),
	);
}

/** Returns the imported names of a clause: a, B, c for `a, type B, c as d`. A default import is the name `default`. */
function importedNames(clause: string): string[] {
	const [, before = '', braced = ''] = /^([^{]*)\{?([^}]*)/.exec(clause) ?? [];
	const names = braced.split(',').map(
		(part) =>
			part
				.trim()
				.replace(/^type /, '')
				.split(' as ')[0] ?? '',
	);
	return [...names, ...(before.trim() === '' ? [] : ['default'])].filter((name) => name !== '');
}

function exportsOf(text: string): Omit<UnusedExport, 'file'>[] {
	let isInTemplate = false;
	const found = text.split('\n').flatMap((line, index) => {
		const [, name] = isInTemplate ? [] : (declared.exec(line) ?? []);
		// Programs in the texts of specs.
		if ((line.match(/(?<!\\)`/g)?.length ?? 0) % 2 === 1) isInTemplate = !isInTemplate;
		return name === undefined ? [] : [{ name, line: index + 1 }];
	});
	for (const match of text.matchAll(listed)) {
		const line = text.slice(0, match.index).split('\n').length;
		const names = (match[1] ?? '').split(',').map(
			(part) =>
				part
					.trim()
					.replace(/^type /, '')
					.split(' as ')
					.at(-1) ?? '',
		);
		found.push(...names.filter((name) => name !== '').map((name) => ({ name, line })));
	}
	return found;
}

if (import.meta.main) {
	const found = unusedExports(join(import.meta.dirname, '..'));
	for (const { file, line, name } of found) console.error(`${file}:${line}: nobody imports ${name}`);
	process.exitCode = found.length === 0 ? 0 : 1;
}
