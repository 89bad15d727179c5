/**
 * The program of a process: one script, that runs with the code that V8 made of it in earlier starts. Node's own cache keeps
 * what is compiled while a module loads, but V8 compiles most functions when they are first called: that took a fifth of a
 * short turn. The bundler puts `runProgram` in place of the `import()` of such a program; the sources are imported as they are.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { readKeptCode, writeKeptCode } from './kept-code.ts';

/** Starts that add what they ran to the kept code: one may have ended early, another has asked for more. */
const STARTS_THAT_ADD = 4;
/** V8 drops what has not run for a while: of a process that lives longer, the code is kept by then. */
const KEPT_AFTER_MS = 20_000;
/** The bundler ends a script with a comment that holds this many characters of its hash. */
const STAMP_LENGTH = 64;

interface StartedProgram {
	readonly script: Script;
	readonly stamp: string;
	/** Starts that added to the code it runs with; 0 without kept code. */
	readonly starts: number;
}

/** File of the kept code, and the one program of this process; `runningProgram` is set until its code was kept. */
let file: string | undefined;
let runningProgram: StartedProgram | undefined;

/**
 * Where the code of this process's program is kept, as that of `name`; to be called before it is loaded. In `folder`, unless the
 * environment says where Node keeps such code: nowhere, without either.
 */
export function useKeptCode(folder: string | undefined, name: string): void {
	const kept = process.env['NODE_COMPILE_CACHE'] || folder;
	// V8 refuses code of other flags or another processor by itself; an editor's Node has another V8 than the same Node alone.
	file = kept && join(kept, `${name}-${process.version}-${process.versions.v8}-${process.arch}`);
}

/** Runs the script of this name, a function of CommonJS that lies beside this file when built; what it exports. */
export function runProgram(name: string): unknown {
	const path = fileURLToPath(new URL(name, import.meta.url));
	const source = readFileSync(path, 'utf8');
	const stamp = source.slice(-STAMP_LENGTH);
	const kept = file === undefined ? undefined : readKeptCode(file, stamp);
	const script = new Script(source, {
		filename: path,
		cachedData: kept?.code,
	});
	runningProgram = { script, stamp, starts: script.cachedDataRejected === true ? 0 : (kept?.starts ?? 0) };
	setTimeout(keepCode, KEPT_AFTER_MS).unref();
	const program = script.runInThisContext() as (require: NodeJS.Require, module: object, path: string) => void;
	const module = { exports: {} };
	program(createRequire(path), module, path);
	return module.exports;
}

/** Keeps what has been compiled so far, once, in the first starts. To be called when the process is about to end. */
export function keepCode(): void {
	if (file !== undefined && runningProgram !== undefined && runningProgram.starts < STARTS_THAT_ADD) {
		const { script, stamp, starts } = runningProgram;
		writeKeptCode(file, stamp, { code: script.createCachedData(), starts: starts + 1 });
	}
	runningProgram = undefined;
}
