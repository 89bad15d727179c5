/**
 * Tools of a skill that runs in a worker, read from its text without running a line of it: each exported `async function`
 * of JavaScript, each `async def` of Python at the left margin. Others are no tools.
 */
import type { WorkerTool } from './worker-tool.ts';
import type { WorkerRuntime } from '../execution/worker.ts';
import { pythonTools } from './python-tools.ts';
import { javaScriptTools } from './javascript-tools.ts';

const MAX_TOOLS = 200;

export function workerTools(runtime: WorkerRuntime, text: string): readonly WorkerTool[] {
	const tools = runtime === 'python-worker' ? pythonTools(text) : javaScriptTools(text);
	return tools.slice(0, MAX_TOOLS);
}
