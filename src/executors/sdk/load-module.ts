/** Loads the program of a capability, and finds in it the function that is to be run. */
import { pathToFileURL } from 'node:url';
import { CAPABILITY_ENTRIES, hasProgramEntry } from '../../protocol/execution/execution.ts';
import { LoadFailure } from './failure.ts';
import { ownNames } from './own-files.ts';
import type { Execute, ExecutionContext } from './run.ts';

/** Most exports to name when a module exports the wrong thing. */
const MAX_NAMED = 10;

/**
 * `execute(params, context)`, alone, on the default export or as the module itself, or `onActionBlockInvocation(threadContext,
 * metadata)`. Undefined when there is no program. Rejects with a LoadFailure when there is no such function in it, and with
 * whatever it throws while it is loaded.
 */
export async function loadExecute(folder: string): Promise<Execute | undefined> {
	for (const entry of CAPABILITY_ENTRIES) {
		const url = pathToFileURL(`${folder}/${entry}`).href;
		let loaded: unknown;
		try {
			loaded = (await import(url)) as unknown;
		} catch (error) {
			// Only the entry itself may be missing; what it imports may not.
			const missing = readMember(error, 'code') === 'ERR_MODULE_NOT_FOUND' && readMember(error, 'url') === url;
			if (!missing) throw error;
			continue;
		}
		const execute = findExecute(loaded) ?? findExecute(readMember(loaded, 'default'));
		if (execute === undefined) {
			const expected = 'expected a function: export async function execute(params, context) { … }';
			throw new LoadFailure('INVALID_ACTION_BLOCK', `${entry} exports ${describeExports(loaded)}; ${expected}`);
		}
		return execute;
	}
	return undefined;
}

/** For an executor that rather carries out what is written; undefined where something is that goes before a program. */
export async function loadProgram(executor: string, folder: string): Promise<Execute | undefined> {
	return hasProgramEntry(executor, ownNames(folder)) ? await loadExecute(folder) : undefined;
}

/** For whoever finds nothing else to run either; `others`: what that could have been. */
export function nothingToRunFailure(...others: readonly string[]): LoadFailure {
	const wanted = [...CAPABILITY_ENTRIES, ...others];
	return new LoadFailure('ACTION_BLOCK_NOT_FOUND', `there is nothing to run: none of ${wanted.join(', ')} is there`);
}

function findExecute(module: unknown): Execute | undefined {
	if (typeof module === 'function') {
		return module as Execute;
	}
	const execute = readMember(module, 'execute');
	if (typeof execute === 'function') {
		return (params, context) => (execute as Execute).call(module, params, context);
	}
	const invoked = readMember(module, 'onActionBlockInvocation');
	return typeof invoked === 'function'
		? (_, context) =>
				(invoked as (...given: unknown[]) => unknown).call(module, context, createInvocationMetadata(context))
		: undefined;
}

function createInvocationMetadata({ threadId, agentId, agentInstanceId }: ExecutionContext): unknown {
	return {
		sideExecutionId: process.env['SIDE_EXECUTION_ID'],
		threadId,
		parentAgentId: agentId,
		parentAgentInstanceId: agentInstanceId,
		timestamp: new Date().toISOString(),
	};
}

/** In words: `run (a function), default (an object with start)`. */
function describeExports(module: unknown): string {
	// Node gives a CommonJS module a name beside the default, and one that exports nothing a default all the same.
	const names = Object.keys(module as object).filter(
		(name) => name !== 'module.exports' && !(name === 'default' && isEmpty(readMember(module, name))),
	);
	const named = names.slice(0, MAX_NAMED).map((name) => `${name} (${describeExportKind(readMember(module, name))})`);
	return names.length === 0 ? 'nothing' : [...named, ...(names.length > MAX_NAMED ? ['…'] : [])].join(', ');
}

function describeExportKind(value: unknown): string {
	if (typeof value !== 'object' || value === null) {
		return typeof value === 'function' ? 'a function' : value === null ? 'null' : typeof value;
	}
	if (value instanceof Promise) {
		return 'a promise';
	}
	return isEmpty(value) ? 'an empty object' : `an object with ${Object.keys(value).slice(0, MAX_NAMED).join(', ')}`;
}

function isEmpty(value: unknown): boolean {
	return typeof value === 'object' && value !== null && !(value instanceof Promise) && Object.keys(value).length === 0;
}

function readMember(value: unknown, name: string): unknown {
	return (typeof value === 'object' && value !== null) || typeof value === 'function'
		? (value as Record<string, unknown>)[name]
		: undefined;
}
