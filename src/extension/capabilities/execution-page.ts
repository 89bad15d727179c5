/** One run as a page of Markdown: how it stands, what it may, what came of it. Nothing here knows vscode. */
import { codeBlock, inlineCode, plainText } from './markdown-text.ts';
import { durationText } from './duration-text.ts';
import type { ShownExecution } from './executions.ts';

export interface ExecutionWords {
	readonly status: string;
	readonly started: string;
	readonly took: string;
	readonly permissions: string;
	readonly none: string;
	readonly progress: string;
	readonly result: string;
	readonly toTheAgent: string;
	readonly error: string;
	readonly output: string;
	readonly id: string;
}

export function executionPage(
	{ info, progress, elapsedMs, result, output }: ShownExecution,
	statusText: string,
	words: ExecutionWords,
): string {
	const facts = [
		`- **${words.status}**: ${statusText}`,
		`- **${words.started}**: ${info.startedAt.slice(0, 19).replace('T', ' ')} UTC`,
		`- **${words.took}**: ${durationText(elapsedMs)}`,
		`- **${words.permissions}**: ${info.permissions.length === 0 ? words.none : info.permissions.join(', ')}`,
		`- **${words.id}**: ${inlineCode(info.executionId)}`,
		...(progress === undefined ? [] : [`- **${words.progress}**: ${inlineCode(progress.message)}`]),
	];
	const sections = [
		...(result?.error === undefined
			? []
			: [`## ${words.error}`, `${inlineCode(result.error.code)}`, codeBlock(result.error.message)]),
		...(result?.result === undefined ? [] : [`## ${words.result}`, valueBlock(result.result)]),
		...(result?.additionalContext === undefined
			? []
			: [`## ${words.toTheAgent}`, valueBlock(result.additionalContext)]),
		...(output.trim() === '' ? [] : [`## ${words.output}`, codeBlock(output)]),
	];
	return [`# ${plainText(info.name)} (${plainText(info.type)})`, facts.join('\n'), ...sections, ''].join('\n\n');
}

function valueBlock(value: unknown): string {
	return typeof value === 'string' ? codeBlock(value) : codeBlock(JSON.stringify(value, undefined, 2), 'json');
}
