/** Which tool of a skill a call is for, and whether its params are what its text says it takes. */
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { mistypedIn, workerEntry } from '../../../protocol/capability/manifest.ts';
import type { WorkerTool } from '../../../protocol/manifest/worker-tools.ts';
import { text } from '../../../protocol/text/text.ts';
import type { CapabilityFiles } from '../../../catalog/capability-files.ts';
import type { Executor } from '../../../catalog/executors.ts';
import { toolsOfFiles, type WithTools } from '../../../catalog/tools-of-files.ts';

/**
 * Finds the tool to run; undefined where no worker runs. A tool that the program's text does not show is accepted,
 * because it may be there all the same; otherwise the worker says so. Throws INVALID_REQUEST when the caller does not
 * say which of several tools is meant, or names none that can be, and ACTION_BLOCK_NOT_FOUND when the program is
 * missing.
 */
export function toolToRun(
	manifest: WithTools,
	{ worker }: Executor,
	files: CapabilityFiles,
	wanted: string | undefined,
): WorkerTool | undefined {
	const { name } = manifest;
	if (worker === undefined) {
		if (wanted === undefined) return undefined;
		throw new ProwessError('INVALID_REQUEST', `${name} has no tools: it runs as a whole`, {
			tool: wanted,
			said: text('{name} has no tools: it runs as a whole.', { name }),
		});
	}
	const entry = workerEntry(manifest) ?? '';
	if (!files.files.some(({ path }) => path === entry)) {
		throw new ProwessError('ACTION_BLOCK_NOT_FOUND', `${name}: its program ${entry} is not there`, {
			path: entry,
			said: text('{name}: its program {entry} is not there.', { name, entry }),
		});
	}
	const tools = toolsOfFiles(manifest, files);
	const [only, second] = tools;
	if (wanted === undefined && only !== undefined && second === undefined) {
		return only;
	}
	const names = tools.map((tool) => tool.name).join(', ') || 'none';
	if (wanted === undefined) {
		throw new ProwessError('INVALID_REQUEST', `${name}: say which tool is to run; it has: ${names}`, {
			tools: names,
			said: text('{name}: say which tool is to run; it has: {names}', { name, names }),
		});
	}
	if (!/^[A-Za-z$][\w$]{0,99}$/.test(wanted)) {
		throw new ProwessError('INVALID_REQUEST', `${name}: "${wanted}" is not the name of a tool; it has: ${names}`, {
			said: text('{name}: "{wanted}" is not the name of a tool; it has: {names}', { name, wanted, names }),
		});
	}
	return tools.find((tool) => tool.name === wanted) ?? { name: wanted, description: '', inputs: [], takesMore: true };
}

/** Checks the inputs for a tool. Throws INVALID_REQUEST. Inputs that are left out get the tool's own defaults. */
export function checkedToolInputs(
	{ name }: WithTools,
	{ name: tool, inputs, takesMore }: WorkerTool,
	given: unknown,
): Readonly<Record<string, unknown>> {
	const params = given ?? {};
	const what = `${name}: ${tool}`;
	if (typeof params !== 'object' || Array.isArray(params)) {
		throw new ProwessError('INVALID_REQUEST', `${what}: expected its params as an object`, {
			said: text('The inputs of {name} do not fit: {problems}', { name: what, problems: 'expected an object' }),
		});
	}
	const values = new Map(Object.entries(params));
	const problems = inputs.flatMap((input) => {
		const value = values.get(input.name);
		if (value === undefined) return input.required ? [`${input.name}: it is required`] : [];
		const { type, items } = input;
		// Python has None for what is left out, and what may be left out may be that.
		if (type === 'any' || (value === null && !input.required)) return [];
		const wrong = mistypedIn(items === undefined ? { type } : { type, items }, value);
		const at = wrong?.at === undefined ? '' : `.${wrong.at}`;
		return wrong === undefined ? [] : [`${input.name}${at}: expected ${wrong.expected}, got ${wrong.got}`];
	});
	const unknown = [...values.keys()].filter((key) => !inputs.some((input) => input.name === key));
	if (!takesMore) problems.push(...unknown.map((key) => `${key}: there is no such input`));
	if (problems.length > 0) {
		throw new ProwessError('INVALID_REQUEST', `${what}: ${problems.join('; ')}`, {
			problems,
			said: text('The inputs of {name} do not fit: {problems}', { name: what, problems: problems.join('; ') }),
		});
	}
	return Object.fromEntries(values);
}
