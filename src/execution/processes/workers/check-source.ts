/**
 * Checks the programs of a capability without running a line of them: whether they parse, and what their worker would
 * refuse. A child parses them, which has no files to read or write, no environment and little time; their text comes
 * through its input.
 */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { CapabilityFile } from '../../../catalog/capability-files.ts';
import { workerExecutor } from '../../../catalog/executors.ts';
import { type CapabilityManifest, workerEntry } from '../../../protocol/capability/manifest.ts';
import { isProwessError } from '../../../protocol/errors/errors.ts';
import { CAPABILITY_ENTRIES, hasProgramEntry } from '../../../protocol/execution/execution.ts';
import { createTopPlace, type ManifestProblem, manifestProblem } from '../../../protocol/manifest/problem.ts';
import { text, type Text } from '../../../protocol/text/text.ts';
import { CHECK_SOURCE_MS, CHECKED_BYTES, CHECKED_FILES, CHECKED_OUTPUT_BYTES } from '../limits.ts';
import { findPython } from './find-python.ts';
import { findInJavaScript, type SourceFinding } from './javascript-source.ts';

export interface SourceCheckPorts {
	/** Where the programs of our own executors lie, as built. */
	readonly dist: string;
	/** Folders of the workspace, whose programs are not run. */
	readonly folders: readonly string[];
}

interface SourceFile {
	readonly path: string;
	readonly text: string;
}

/** Problems of the programs in these files, with file, line and column. A program that cannot be checked here is named in a warning. */
export async function checkSources(
	manifest: CapabilityManifest,
	files: readonly CapabilityFile[],
	ports: SourceCheckPorts,
): Promise<readonly ManifestProblem[]> {
	const entry = entryIn(manifest, files);
	if (entry === undefined) return [];
	const isPython = manifest.runtime === 'python-worker';
	const own = files
		.filter(({ path }) => (isPython ? /\.py$/ : /\.[cm]?[jt]s$/).test(path))
		.filter(({ path }) => !/(?:^|\/)node_modules\/|\.d\.[cm]?ts$/.test(path))
		.toSorted((a, b) => Number(b.path === entry) - Number(a.path === entry));
	const sources: SourceFile[] = [];
	let left = CHECKED_BYTES;
	for (const { path, bytes } of own) {
		left -= bytes.byteLength;
		if (left < 0 || sources.length >= CHECKED_FILES) {
			const words = text('not checked, because the programs are too many or too large: {path}', { path });
			return [...(await checkSome(sources)), manifestProblem('warning', words, createTopPlace(path))];
		}
		sources.push({ path, text: bytes.toString('utf8') });
	}
	// Empty programs cost no process.
	return sources.every((source) => source.text.trim() === '') ? [] : await checkSome(sources);

	async function checkSome(some: readonly SourceFile[]): Promise<ManifestProblem[]> {
		try {
			const found = isPython
				? await checkPython(some, ports)
				: await checkJavaScript(some, manifest.runtime !== undefined);
			// A program beside the entry may never be loaded; what a worker refuses in it, and what does not parse, ends its call.
			return found.map(({ path, ...finding }) => toSourceProblem(finding, path, path === entry, isPython));
		} catch (error) {
			const why = isProwessError(error) ? (error.facts['said'] as Text | undefined) : undefined;
			const words = text('its program was not checked: {why}', { why: why ?? String(error) });
			return [manifestProblem('warning', words, createTopPlace(entry ?? ''))];
		}
	}
}

/** The program that runs; undefined where instructions do. */
function entryIn(manifest: CapabilityManifest, files: readonly CapabilityFile[]): string | undefined {
	const names = files.map(({ path }) => path);
	const entry = workerEntry(manifest);
	if (entry !== undefined) return names.includes(entry) ? entry : undefined;
	const isOurs = manifest.executor === undefined && hasProgramEntry(manifest.type, names);
	return isOurs ? CAPABILITY_ENTRIES.find((name) => names.includes(name)) : undefined;
}

type Found = SourceFinding & { readonly path: string };

async function checkPython(sources: readonly SourceFile[], { dist, folders }: SourceCheckPorts): Promise<Found[]> {
	const { file } = await findPython(process.env, folders);
	const program = join(dirname(workerExecutor('python-worker', dist).program), 'check.py');
	const { output } = await runCheck(file, ['-I', '-S', '-B', program], JSON.stringify(sources));
	const read = JSON.parse(output) as readonly { readonly path: string; readonly found: readonly SourceFinding[] }[];
	return read.flatMap(({ path, found }) => found.map((finding) => ({ ...finding, path })));
}

/** Parses programs one by one, and prints the plain JavaScript of each; Node itself reports the first that does not parse. */
const PARSE = `const vm = require('node:vm'), { stripTypeScriptTypes } = require('node:module');
let given = '';
process.stdin.setEncoding('utf8').on('data', (piece) => (given += piece)).on('end', () => {
	for (const { path, text } of JSON.parse(given)) {
		let code = text.startsWith('#!') ? '//' + text.slice(2) : text;
		if (/\\.[cm]?ts$/.test(path)) {
			if (stripTypeScriptTypes === undefined) { process.stdout.write('null\\n'); continue; }
			code = stripTypeScriptTypes(code);
		}
		const asModule = () => void new vm.SourceTextModule(code, { identifier: 'program' });
		const asCommonJs = () => void vm.compileFunction(code, ['exports', 'require', 'module', '__filename', '__dirname'], { filename: 'program' });
		if (/\\.c[jt]s$/.test(path)) asCommonJs();
		else {
			try { asModule(); } catch (error) {
				if (/\\.m[jt]s$/.test(path) || /^\\s*(?:import|export)\\b/m.test(code)) throw error;
				try { asCommonJs(); } catch { throw error; }
			}
		}
		process.stdout.write(JSON.stringify(code) + '\\n');
	}
});`;
/** A hostile program is parsed in a process that can reach nothing. */
const NODE_FLAGS = [
	...['--permission', '--no-addons', '--disable-sigusr1', '--max-old-space-size=256'],
	...['--experimental-vm-modules', '--no-warnings', '--input-type=commonjs', '-e', PARSE],
];
/** Files that do not parse, each of which costs a process. */
const MAX_BROKEN = 10;

async function checkJavaScript(sources: readonly SourceFile[], isWorker: boolean): Promise<Found[]> {
	const found: Found[] = [];
	let rest = sources;
	for (let broken = 0; rest.length > 0 && broken < MAX_BROKEN; broken += 1) {
		const { output, errors } = await runCheck(process.execPath, NODE_FLAGS, JSON.stringify(rest));
		const codes = output.split('\n').slice(0, -1);
		for (const [at, line] of codes.entries()) {
			const path = rest[at]?.path ?? '';
			const code = JSON.parse(line) as string | null;
			if (code === null) throw new Error(`this Node cannot read TypeScript (${path})`);
			if (isWorker) {
				found.push(...findInJavaScript(code, path === sources[0]?.path).map((each) => ({ ...each, path })));
			}
		}
		const failed = rest[codes.length];
		if (failed === undefined) break;
		found.push({ ...readParseError(errors), path: failed.path });
		rest = rest.slice(codes.length + 1);
	}
	return found;
}

/** Reads what Node prints of an error that ends it: the place, the line with marks below it, and the message. */
function readParseError(errors: string): SourceFinding {
	const lines = errors.split('\n');
	const [, line = '1'] = /:(\d+)$/.exec(lines[0] ?? '') ?? [];
	const marks = lines.find((each) => /^\s*\^+\s*$/.test(each)) ?? '';
	const [, code, name] = /^SyntaxError(?: \[(\w+)\])?: (.*)$/m.exec(errors) ?? [];
	if (name === undefined) throw new Error(lines.find((each) => each !== '') ?? 'its check ended without a result');
	// In TypeScript tabs are shown as spaces, so its columns are not those of the file.
	return {
		line: Number(line),
		column: code === undefined ? Math.max(0, marks.indexOf('^')) + 1 : 1,
		kind: 'syntax',
		name,
	};
}

function runCheck(
	program: string,
	args: readonly string[],
	input: string,
): Promise<{ readonly output: string; readonly errors: string }> {
	return new Promise((resolve, reject) => {
		const child = spawn(program, [...args], {
			cwd: '/',
			env: { ELECTRON_RUN_AS_NODE: '1' },
			stdio: 'pipe',
			timeout: CHECK_SOURCE_MS,
			killSignal: 'SIGKILL',
			windowsHide: true,
		});
		let output = '';
		let errors = '';
		const keepPiece = (kept: string, piece: string) => {
			if (kept.length > CHECKED_OUTPUT_BYTES) child.kill('SIGKILL');
			return kept + piece;
		};
		child.stdout.setEncoding('utf8').on('data', (piece: string) => (output = keepPiece(output, piece)));
		child.stderr.setEncoding('utf8').on('data', (piece: string) => (errors = keepPiece(errors, piece)));
		child.once('error', reject);
		child.once('close', (code, signal) => {
			if (signal === null && (code === 0 || errors.includes('SyntaxError'))) resolve({ output, errors });
			else reject(new Error(`its check was ended by ${signal ?? `exit code ${code}`}; it may be too hard to parse`));
		});
		child.stdin.on('error', () => undefined).end(input);
	});
}

function toSourceProblem(
	{ kind, name, instead, guarded, line, column }: SourceFinding,
	file: string,
	isEntry: boolean,
	isPython: boolean,
): ManifestProblem {
	const words = {
		syntax: text('does not parse: {name}', { name }),
		banned: bannedText(name, instead ?? null, isPython),
		sync: isPython
			? text('{name} is not async, so it is no tool: write "async def {name}", or "_{name}" for a helper', { name })
			: text('{name} is not async, so it is no tool: write "export async function {name}", or do not export it', {
					name,
				}),
		yields: text('{name} yields its results, so it is no tool: return them as a list', { name }),
	}[kind];
	const isError = kind === 'syntax' ? isEntry : kind === 'banned' && guarded !== true;
	return manifestProblem(isError ? 'error' : 'warning', words, { file, line, column, path: [] });
}

function bannedText(name: string, instead: string | null, isPython: boolean): Text {
	if (instead === null) return text('"{name}" cannot be used in a worker; there is nothing in its place', { name });
	if (!/^[a-z]+$/.test(instead)) return text('"{name}" cannot be used in a worker; use {instead}', { name, instead });
	const how = isPython ? `from prowess import ${instead}` : `import { ${instead} } from '@prowess/sdk'`;
	return text('"{name}" cannot be used in a worker; use {instead} of the SDK: {how}', { name, instead, how });
}
