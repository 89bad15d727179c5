/**
 * Runs the tools of a skill in one process that stays: each `call` line starts one, beside those that run already. The
 * walls around the process keep it in. This program refuses things only to explain what to use instead.
 */
import * as nodeModule from 'node:module';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BoundedLines } from '../../base/text/bounded-lines.ts';
import { type HostLine, MODULE_ALTERNATIVES } from '../../protocol/execution/worker.ts';
import { readOwnText } from '../sdk/own-files.ts';
import { WorkerCalls } from './calls.ts';

function bannedMessage(name: string, instead: string): string {
	const help = /^[a-z]+$/.test(instead)
		? `use ${instead} of the SDK: import { ${instead} } from '@prowess/sdk'`
		: `use ${instead}`;
	return `"${name}" cannot be used in a worker; ${help}. The sandbox keeps the process in either way`;
}

class BannedModule extends Error {
	override readonly name = 'BannedModule';
	readonly code = 'BannedModule';

	constructor(module: string, instead: string) {
		super(bannedMessage(module, instead));
	}
}

/** Function of `process` that loads a module of Node without an import. */
const BUILTIN_LOADER = 'getBuiltinModule';

/** Deeper than Node's own ten calls between a `require` and its hook. */
const STACK_FRAMES = 50;

/** Throws for a module that a tool cannot use. `parent`: address of the file that asks for it, where Node says. */
function refuseBanned(specifier: string, parent?: string): void {
	const name = specifier.replace(/^node:/, '');
	const [top = ''] = name.split('/', 1);
	const isNamed = name === top || nodeModule.isBuiltin(specifier);
	const instead = isNamed && Object.hasOwn(MODULE_ALTERNATIVES, top) ? MODULE_ALTERNATIVES[top] : undefined;
	if (instead === undefined) return;
	const kept = Error.stackTraceLimit;
	Error.stackTraceLimit = STACK_FRAMES;
	const banned = new BannedModule(name, instead);
	Error.stackTraceLimit = kept;
	const isInStack = parent?.startsWith('file:') !== true || banned.stack?.includes(fileURLToPath(parent)) === true;
	const place = isInStack || parent === undefined ? undefined : findImport(parent, specifier);
	if (place !== undefined) banned.stack = `${String(banned)}\n    at ${place}`;
	throw banned;
}

/** Place of an import in its file, `file:///…/a.js:3:8`: unlike a call of `require`, no stack names it. */
function findImport(parent: string, specifier: string): string | undefined {
	const escaped = specifier.replaceAll('/', '\\/').replaceAll('.', '\\.');
	const literal = new RegExp(`(?:\\b(?:import|from)\\b.*?|^\\s*)(?=['"\`]${escaped}['"\`])`);
	const computed = /\bimport\((?!\s*['"])/;
	const path = fileURLToPath(parent);
	const lines = readOwnText(dirname(path), basename(path))?.split('\n') ?? [];
	for (const pattern of [literal, computed]) {
		const found = lines.map((line) => (/^\s*(?:\/\/|\*)/.test(line) ? null : pattern.exec(line)));
		const at = found.findIndex((match) => match !== null);
		const match = found[at];
		if (match) return `${parent}:${at + 1}:${match.index + (pattern === literal ? match[0].length : 0) + 1}`;
	}
	return undefined;
}

/**
 * Modules that a tool cannot use, and what it uses instead. This is help for authors and no wall: the sandbox around the
 * process is, and it holds however a module is come by.
 */
function refuseBannedModules(): void {
	// Since Node 22.15; before, the sandbox alone says no.
	if (typeof nodeModule.registerHooks === 'function') {
		nodeModule.registerHooks({
			resolve(specifier, context, next) {
				refuseBanned(specifier, context.parentURL);
				return next(specifier, context);
			},
		});
	}
	// Read and set by its name, because nothing of ours may call it.
	const getBuiltin = Reflect.get(process, BUILTIN_LOADER) as (name: string) => unknown;
	Reflect.set(process, BUILTIN_LOADER, (name: string) => {
		refuseBanned(name);
		return getBuiltin.call(process, name);
	});
	for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']) {
		if (!(name in globalThis)) continue;
		Object.defineProperty(globalThis, name, {
			configurable: true,
			value: function refused() {
				throw new BannedModule(name, 'http');
			},
		});
	}
}

/** The largest line of the host is the result of an op. */
const MAX_HOST_LINE_BYTES = 32 * 1_048_576;

// Standard output carries the protocol: prints of a tool go to the log.
const writeProtocol = process.stdout.write.bind(process.stdout) as (text: string) => boolean;
process.stdout.write = process.stderr.write.bind(process.stderr);

const workerCalls = new WorkerCalls((line) => void writeProtocol(`${JSON.stringify(line)}\n`));
workerCalls.installSdk();
refuseBannedModules();

// A promise that one tool forgets must not end the others.
process.on('unhandledRejection', (error) => {
	process.stderr.write(`a promise that nobody waited for was rejected: ${String(error)}\n`);
});

const hostLines = new BoundedLines({
	maxBytes: MAX_HOST_LINE_BYTES,
	onLine(line) {
		workerCalls.take(JSON.parse(Buffer.from(line).toString('utf8')) as HostLine);
		return true;
	},
	onTooLong: () => process.exit(1),
});
process.stdin.on('data', (bytes: Buffer) => hostLines.push(bytes));
// The host is gone, or wants no more.
process.stdin.on('end', () => process.exit(0));
process.stdin.on('error', () => process.exit(0));
writeProtocol('{"__type__":"ready"}\n');
