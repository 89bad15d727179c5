/** A thread as a document: Markdown to read, JSON to keep. */
import { fenceCodeBlock } from '../../../base/text/fenced.ts';
import { shortenToLine } from '../../../base/text/one-line.ts';
import { contextLabel } from '../../../protocol/thread/context.ts';
import type { ThreadItem, ToolItem } from '../../../protocol/thread/items.ts';
import { drawnInText } from '../../../protocol/text/drawn-text.ts';
import { type ServedModel, servedText } from '../../../protocol/thread/served.ts';
import { inEnglish } from '../../../protocol/text/text.ts';
import { countSteps } from '../../../protocol/turn/run-steps.ts';
import type { ThreadInfo } from '../../../protocol/thread/thread.ts';

/** An item, with the whole of an output that is shortened in it. */
interface WholeItem {
	readonly item: ThreadItem;
	readonly whole: string | null;
}

interface ExportedThread {
	readonly fileName: string;
	readonly text: string;
}

export function formatThreadExport(
	info: ThreadInfo,
	items: readonly WholeItem[],
	format: 'markdown' | 'json',
): ExportedThread {
	const name = info.title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'thread';
	return format === 'json'
		? { fileName: `${name}.json`, text: `${JSON.stringify({ info, items: items.map(wholeItem) }, null, '\t')}\n` }
		: { fileName: `${name}.md`, text: `# ${info.title}\n\n${items.map(formatItemMarkdown).join('\n\n')}\n` };
}

function wholeItem({ item, whole }: WholeItem): ThreadItem {
	return item.kind === 'tool' && whole !== null ? { ...item, output: whole, outputTruncated: false } : item;
}

function formatItemMarkdown({ item, whole }: WholeItem): string {
	switch (item.kind) {
		case 'user': {
			const context = item.context.map((ref) => `\`@${contextLabel(ref)}\``).join(' ');
			const who = item.from === undefined ? 'You' : `The agent ${shortenToLine(item.from.name)}, not you`;
			return `## ${who}\n\n${item.text}${context === '' ? '' : `\n\n${context}`}`;
		}
		case 'text':
			return item.silent === true ? '> No reply needed.' : `## Prowess\n\n${formatServed(item)}${item.text}`;
		case 'thinking':
			return `<details><summary>Thinking</summary>\n\n${item.text}\n\n</details>`;
		case 'notice':
			return `> ${item.text}`;
		case 'instructions':
			return `> Instructions: ${item.files.map(({ path }) => `\`${path}\``).join(', ')}`;
		case 'memories':
			return `> Remembered:\n\n${item.memories.map(({ text }) => quoteMarkdown(`- ${text}`)).join('\n')}`;
		case 'compaction':
			return `> ${item.messages} older messages were summarized for the model:\n\n${quoteMarkdown(item.text)}`;
		case 'tool': {
			const output =
				item.diff?.patch ?? (item.drawn === undefined ? (whole ?? item.output) : drawnInText(item.drawn, String));
			return `### ${item.title} (${item.status})${formatSteps(item)}${output === '' ? '' : `\n\n${fenceCodeBlock(output.trimEnd())}`}`;
		}
	}
}

/** Says above an answer that another model gave it. */
function formatServed({ served }: { readonly served?: ServedModel | undefined }): string {
	return served === undefined ? '' : `> ${inEnglish(servedText(served))}\n\n`;
}

function formatSteps({ steps }: Pick<ToolItem, 'steps'>): string {
	const left = countSteps(steps ?? []) - (steps?.length ?? 0);
	const more = left === 0 ? [] : [`- ${left} earlier steps are not kept.`];
	const lines = (steps ?? []).map(
		({ from, title, status }) =>
			`- ${from === undefined ? '' : `${from}: `}${title}${status === 'done' ? '' : ` (${status})`}`,
	);
	return lines.length === 0 ? '' : `\n\n${[...more, ...lines].join('\n')}`;
}

function quoteMarkdown(text: string): string {
	return text.replaceAll(/^/gm, '> ');
}
