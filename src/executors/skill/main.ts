/**
 * Runs a skill: a folder with `index.js`, `index.mjs` or `index.ts` that exports `execute(params, context)`, alone, on the
 * default export or as the module itself; `onActionBlockInvocation(threadContext, metadata)` is taken too. Without one of them,
 * its SKILL.md is carried out.
 */
import { pathToFileURL } from 'node:url';
import { type Execute, type ExecutionContext, runExecutor } from '../sdk/run.ts';
import { promptSkill } from './prompt-skill.ts';

const ENTRIES = ['index.js', 'index.mjs', 'index.ts'];

await runExecutor(async (context) => {
	const folder = process.env['ACTION_BLOCK_PATH'] ?? '.';
	const loaded = await loadEntry(folder);
	const execute = executeOf(loaded) ?? executeOf(memberOf(loaded, 'default'));
	if (execute === undefined) {
		throw new Error(`${context.capability.name}: exports no function execute(params, context)`);
	}
	return execute;
});

async function loadEntry(folder: string): Promise<unknown> {
	for (const entry of ENTRIES) {
		const url = pathToFileURL(`${folder}/${entry}`).href;
		try {
			return (await import(url)) as unknown;
		} catch (error) {
			// Only the entry itself may be missing; what it imports may not.
			const missing = memberOf(error, 'code') === 'ERR_MODULE_NOT_FOUND' && memberOf(error, 'url') === url;
			if (!missing) throw error;
		}
	}
	const execute = promptSkill(folder);
	if (execute !== undefined) return { execute };
	throw new Error(`there is nothing to run: expected one of ${ENTRIES.join(', ')}, or SKILL.md`);
}

function executeOf(module: unknown): Execute | undefined {
	if (typeof module === 'function') {
		return module as Execute;
	}
	const execute = memberOf(module, 'execute');
	if (typeof execute === 'function') {
		return (params, context) => (execute as Execute).call(module, params, context);
	}
	const invoked = memberOf(module, 'onActionBlockInvocation');
	return typeof invoked === 'function'
		? (_, context) => (invoked as (...given: unknown[]) => unknown).call(module, context, metadataOf(context))
		: undefined;
}

function metadataOf({ threadId, agentId, agentInstanceId }: ExecutionContext): unknown {
	return {
		sideExecutionId: process.env['SIDE_EXECUTION_ID'],
		threadId,
		parentAgentId: agentId,
		parentAgentInstanceId: agentInstanceId,
		timestamp: new Date().toISOString(),
	};
}

function memberOf(value: unknown, name: string): unknown {
	return (typeof value === 'object' && value !== null) || typeof value === 'function'
		? (value as Record<string, unknown>)[name]
		: undefined;
}
