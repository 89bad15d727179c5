/** Why a capability failed, in words for whoever asked for it: what, where in its own files, and what to do instead. */
import { inspect } from 'node:util';
import { pathToFileURL } from 'node:url';
import type { LoadCode } from '../../protocol/execution/execution.ts';
import { nameBelow, syntaxErrorText, type SyntaxReport } from '../../protocol/text/syntax-report.ts';
import { OpFailure } from './host.ts';

/** Why a capability could not even begin: its module does not parse, is not there, or holds no function to be run. */
export class LoadFailure extends Error {
	override readonly name = 'LoadFailure';
	readonly code: LoadCode;

	constructor(code: LoadCode, message: string) {
		super(message);
		this.code = code;
	}
}

interface ExecutionFailure {
	readonly message: string;
	readonly code?: LoadCode;
}

/** In the order in which they stand in a message; more say nothing new. */
const MAX_CAUSES = 3;

/** Beginning of a line of a stack. */
const FRAME = '    at ';

/** Alternatives to what the sandbox keeps from an executor, by Node's name for it. */
const SANDBOX_ALTERNATIVES: Readonly<Record<string, string>> = {
	FileSystemRead: 'it reads no files but its own and those in the folder it works in; host.fs.read reads the workspace',
	FileSystemWrite: 'it writes nowhere but in the folder it works in; host.fs.write changes the workspace',
	ChildProcess: 'it starts no programs; host.shell.run does',
	Net: 'it reaches no network; host.http.request does',
};

/** A module of it does not parse, and Node has said where. */
export function syntaxFailure(report: SyntaxReport, folder: string): ExecutionFailure {
	const name = nameBelow(folder, report) ?? report.file ?? '';
	return { code: 'SYNTAX_ERROR', message: stripFolder(syntaxErrorText(report, name), folder) };
}

/** `folder`: of the capability. `isLoaded`: it had begun; what it throws then on purpose is told as it is. */
export function toExecutionFailure(error: unknown, folder: string, isLoaded: boolean): ExecutionFailure {
	if (error instanceof LoadFailure) {
		return { code: error.code, message: error.message };
	}
	if (error instanceof OpFailure) {
		return { message: stripFolder(`${error.message} (${error.code})`, folder) };
	}
	if (!(error instanceof Error)) {
		return { message: typeof error === 'string' ? error : `it threw ${inspect(error, { breakLength: Infinity })}` };
	}
	const place = isLoaded && isOnPurpose(error) ? undefined : findThrowPlace(error, folder);
	return { message: stripFolder(`${place === undefined ? '' : `${place}: `}${describeError(error)}`, folder) };
}

/** `TypeError` and its like are what the language has to say, `Error` is what an author throws. */
function isOnPurpose(error: Error): boolean {
	return error.name === 'Error' && !('code' in error);
}

function describeError(error: Error): string {
	const { code, permission } = error as { readonly code?: unknown; readonly permission?: unknown };
	if (code === 'ERR_ACCESS_DENIED') {
		return `${SANDBOX_ALTERNATIVES[String(permission)] ?? error.message} (${code})`;
	}
	const said = [error.name === 'Error' ? error.message : String(error)];
	for (let { cause } = error; cause instanceof Error && said.length <= MAX_CAUSES; { cause } = cause) {
		said.push(cause.message);
	}
	const isPackage = code === 'ERR_MODULE_NOT_FOUND' && error.message.startsWith('Cannot find package');
	return `${said.join(': ')}${isPackage ? '; it may bring its own node_modules, or be bundled' : ''}`;
}

/**
 * Tells the author where it was thrown, by the names of the capability's own files. Our own lines say nothing about an op
 * that was not done, so they are left out.
 */
export function formatErrorTrace(error: unknown, folder: string): string {
	if (!(error instanceof Error)) {
		return String(error);
	}
	const lines = (error.stack ?? error.message).split('\n');
	const isTelling = (line: string) => !line.startsWith(FRAME) || belowFolder(line, folder) !== undefined;
	return stripFolder((error instanceof OpFailure ? lines.filter(isTelling) : lines).join('\n'), folder);
}

/** Names the capability's own file that threw: `lib/a.js:3:7`. */
function findThrowPlace({ stack = '' }: Error, folder: string): string | undefined {
	for (const line of stack.split('\n').filter((each) => each.startsWith(FRAME))) {
		const [, place] = /^(\S+:\d+:\d+)\)?$/.exec(belowFolder(line, folder) ?? '') ?? [];
		if (place !== undefined) return place;
	}
	return undefined;
}

function belowFolder(text: string, folder: string): string | undefined {
	const [start] = listFolderPrefixes(folder).filter((each) => text.includes(each));
	return start === undefined ? undefined : text.slice(text.indexOf(start) + start.length);
}

/** Removes the folder: the author knows a file by its place in the capability, not in the copy that runs. */
function stripFolder(message: string, folder: string): string {
	return listFolderPrefixes(folder).reduce((text, start) => text.replaceAll(start, ''), message);
}

function listFolderPrefixes(folder: string): readonly string[] {
	return [`${pathToFileURL(folder).href}/`, `${folder}/`];
}
