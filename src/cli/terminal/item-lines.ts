/** Lines of `show` about a capability or an executor, one for each fact. */
import { problemText } from '../../protocol/manifest/problem.ts';
import type { WorkerTool } from '../../protocol/manifest/worker-tools.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { loopbackPortText } from '../../protocol/approvals/permission-text.ts';
import type { CapabilityItem, ExecutorItem } from '../../catalog/registry/items.ts';
import { visibleLine } from './visible.ts';

export function factLine(what: string, text: string): string {
	return `${what.padEnd(12)} ${visibleLine(text)}`;
}

export function placeLines({
	path,
	source,
	overrides,
	overriddenBy,
	isOff,
}: (CapabilityItem | ExecutorItem) & { readonly isOff: boolean }): string[] {
	return [
		factLine('folder', `${path} (${source})`),
		...overrides.map((each) => factLine('overrides', `${each.path} (${each.source})`)),
		...(overriddenBy === undefined ? [] : [factLine('overridden', `by ${overriddenBy.path} (${overriddenBy.source})`)]),
		...(isOff ? [factLine('state', 'disabled')] : []),
	];
}

/** Undefined where nothing listens anywhere. */
export function reachedBy(executor: ExecutorItem | undefined): string | undefined {
	return executor?.manifest?.channel === 'loopback' ? inEnglish(loopbackPortText) : undefined;
}

export function formatProblemFacts({ problems }: Pick<CapabilityItem, 'problems'>): string[] {
	return problems.map((problem) => factLine(problem.severity, problemText(problem)));
}

/** The same file was read twice; what was said once is enough. */
export function onlyNew<T extends { readonly message: string; readonly line: number }>(
	found: readonly T[],
	known: readonly T[],
): T[] {
	return found.filter(({ message, line }) => !known.some((each) => each.message === message && each.line === line));
}

/** Says in one line how the author of a tool tries it; none where it is not said. */
export function testLines({ name, test }: WorkerTool): string[] {
	if (test === undefined) return [];
	return ['params' in test ? `test ${name}  ${test.params}`.trimEnd() : `no test of ${name}: ${test.skipped}`];
}

/** A tool of a capability in one line: `search(q: string, limit?: number)  Looks for something`. */
export function toolLine({ name, description, inputs, takesMore }: WorkerTool): string {
	const params = inputs.map(({ name: input, type, items, required }) => {
		const of = type === 'array' && items !== undefined ? `${items}[]` : type;
		return `${input}${required ? '' : '?'}: ${of}`;
	});
	return `${name}(${[...params, ...(takesMore ? ['…'] : [])].join(', ')})  ${description}`.trimEnd();
}
