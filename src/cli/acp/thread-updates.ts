/** From events of a thread to updates of the protocol. Holds of a call what its next update needs, until its turn ends. */
import type { SessionUpdate, ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import { textForUser } from '../../protocol/errors/error-text.ts';
import { opCard } from '../../protocol/op-table/cards.ts';
import type { ThreadItem, ToolItem, ToolPatch } from '../../protocol/thread/items.ts';
import type { ThreadEvent, Usage } from '../../protocol/thread/thread.ts';
import { acpLimits } from './limits.ts';
import { patchDiffs } from './patch-diffs.ts';
import { OWN_WORDS } from './second-version/marks.ts';
import { type SessionFolder, toEditorPath } from './session-folder.ts';

interface TellOptions {
	readonly folder: SessionFolder;
	/** The editor shows notices and compactions by themselves; else notices are words of the agent. */
	readonly hasNotices: boolean;
	readonly hasCompactions: boolean;
	/** The editor is told its own words as they become part of the thread, and patches whole. */
	readonly isSecondVersion?: boolean;
}

/** First word of the name of a tool, or all of it. */
const TOOL_KINDS: Readonly<Record<string, ToolKind>> = {
	fs_edit: 'edit',
	fs_write: 'edit',
	fs_move: 'move',
	fs_delete: 'delete',
	fs_find: 'search',
	fs: 'read',
	search: 'search',
	shell: 'execute',
	sql_execute: 'execute',
	sql: 'read',
	http: 'fetch',
	web: 'fetch',
	git: 'read',
	editor: 'read',
	plan: 'think',
	todo: 'think',
	capability_start: 'execute',
	script: 'execute',
};

const CALL_STATUS = {
	pending: 'pending',
	waiting: 'pending',
	running: 'in_progress',
	done: 'completed',
	failed: 'failed',
	denied: 'failed',
	cancelled: 'failed',
	interrupted: 'failed',
	inDoubt: 'failed',
} as const satisfies Record<ToolItem['status'], string>;

export function toolKind(tool: string): ToolKind {
	return TOOL_KINDS[tool] ?? TOOL_KINDS[tool.split('_')[0] ?? ''] ?? 'other';
}

type ToldItem = { readonly kind: 'text' | 'thinking' } | { readonly kind: 'tool'; item: ToolItem };

export class ThreadUpdates {
	readonly #options: TellOptions;
	readonly #open = new Map<string, ToldItem>();

	constructor(options: TellOptions) {
		this.#options = options;
	}

	/** Updates for an item as it is stored, with the words of the user. */
	replayed(item: ThreadItem): SessionUpdate[] {
		if (item.kind === 'user' && item.from !== undefined) {
			return [toChunk('agent_message_chunk', `\n\n(From the agent ${item.from.name}: ${item.text})\n\n`, item.id)];
		}
		if (item.kind === 'user') {
			return [{ sessionUpdate: 'user_message_chunk', messageId: item.id, content: { type: 'text', text: item.text } }];
		}
		const updates = this.#started(item);
		this.#open.delete(item.id);
		return updates;
	}

	/** `isOwn`: it belongs to the prompt that the editor waits for, so the words of the user are not told again. */
	of(event: ThreadEvent, isOwn: boolean): SessionUpdate[] {
		switch (event.type) {
			case 'item.start':
				if (event.item.kind === 'user') {
					return isOwn && event.item.isSteering !== true ? this.#ownWords(event.item) : this.replayed(event.item);
				}
				return this.#started(event.item);
			case 'item.delta':
				return this.#added(event.itemId, event.text);
			case 'item.tool':
				return this.#changed(event.itemId, event.patch);
			case 'item.revised':
				return [
					toChunk(
						'agent_message_chunk',
						'\n\n(The text above is withdrawn. What follows takes its place.)\n\n',
						event.itemId,
					),
				];
			case 'item.end':
				if (this.#open.get(event.itemId)?.kind !== 'tool') {
					this.#open.delete(event.itemId);
				}
				return [];
			case 'todos':
				return [
					{
						sessionUpdate: 'plan',
						entries: event.items.map(({ text, status }) => ({
							content: text,
							priority: 'medium',
							status: status === 'done' ? 'completed' : status === 'active' ? 'in_progress' : 'pending',
						})),
					},
				];
			case 'usage':
				return [usageUpdate(event.usage)];
			case 'turn.end':
				this.#open.clear();
				return [];
			case 'turn.model':
				return this.#notice('info', `${event.modelId} answers from now on.`);
			case 'thread.cut':
				return this.#notice('info', 'Earlier messages were removed from this thread elsewhere.');
			case 'thread.deleted':
				return this.#notice('warning', 'This thread was deleted elsewhere.');
			case 'thread.changed':
			case 'turn.start':
			case 'item.step':
				return [];
		}
	}

	/** Notices go where the editor can show them. */
	notice(level: 'info' | 'warning' | 'error', text: string): SessionUpdate[] {
		return this.#notice(level, text);
	}

	#ownWords(item: ThreadItem): SessionUpdate[] {
		return this.#options.isSecondVersion === true
			? this.replayed(item).map((update) => ({ ...update, _meta: { [OWN_WORDS]: true } }))
			: [];
	}

	#started(item: ThreadItem): SessionUpdate[] {
		switch (item.kind) {
			case 'text':
			case 'thinking': {
				this.#open.set(item.id, { kind: item.kind });
				return item.text === '' ? [] : [toChunk(CHUNK_OF[item.kind], item.text, item.id)];
			}
			case 'tool': {
				this.#open.set(item.id, { kind: 'tool', item });
				return [{ sessionUpdate: 'tool_call', toolCallId: item.opId, ...this.#shown(item), rawInput: item.input }];
			}
			case 'notice':
				// An offer beside the answer needs a button.
				return item.actions.includes('workAsGoal') ? [] : this.#notice(item.level, item.text);
			case 'compaction': {
				const told = `${item.messages} older messages were left out; a summary stands in for them.`;
				return this.#options.hasCompactions
					? [
							{
								sessionUpdate: 'compaction_update',
								compactionId: item.id,
								status: 'completed',
								summary: [{ type: 'text', text: item.text }],
							},
						]
					: this.#notice('info', told);
			}
			default:
				return [];
		}
	}

	#added(itemId: string, text: string): SessionUpdate[] {
		const open = this.#open.get(itemId);
		if (open === undefined) {
			return [];
		}
		if (open.kind !== 'tool') {
			return [toChunk(CHUNK_OF[open.kind], text, itemId)];
		}
		const output = (open.item.output + text).slice(-acpLimits.outputChars);
		open.item = { ...open.item, output };
		const { opId } = open.item;
		return [{ sessionUpdate: 'tool_call_update', toolCallId: opId, content: this.#content(open.item) }];
	}

	#changed(itemId: string, patch: ToolPatch): SessionUpdate[] {
		const open = this.#open.get(itemId);
		if (open?.kind !== 'tool') {
			return [];
		}
		open.item = { ...open.item, ...patch } as ToolItem;
		return [{ sessionUpdate: 'tool_call_update', toolCallId: open.item.opId, ...this.#shown(open.item) }];
	}

	#shown(item: ToolItem) {
		const locations = this.#locations(item);
		return {
			title: item.title,
			kind: toolKind(item.tool),
			status: CALL_STATUS[item.status],
			content: this.#content(item),
			...(locations.length === 0 ? {} : { locations }),
		};
	}

	#content({ diff, output, told, error, outputTruncated }: ToolItem): ToolCallContent[] {
		// Where a call did not come to its result, `output` is what the model reads of it, unless it had said something.
		const failed = error === undefined ? '' : textForUser(error, (template) => template);
		const words = error === undefined ? output : told === undefined ? failed : `${output}\n${failed}`;
		const shown = words.length > acpLimits.outputChars ? `…${words.slice(-acpLimits.outputChars)}` : words;
		const text = outputTruncated && shown === output ? `${shown}\n…` : shown;
		const diffs = diff === undefined ? [] : patchDiffs(diff, this.#absolute(diff.path), this.#options.isSecondVersion);
		return [...diffs, ...(text === '' || diffs.length > 0 ? [] : [toTextContent(text)])];
	}

	#locations({ tool, input, diff }: ToolItem): ToolCallLocation[] {
		const { file } = opCard(tool);
		const named = file === undefined ? undefined : (input as Readonly<Record<string, unknown>> | null)?.[file];
		const path = diff?.path ?? (typeof named === 'string' ? named : undefined);
		return path === undefined || path === '' ? [] : [{ path: this.#absolute(path) }];
	}

	#absolute(path: string): string {
		return toEditorPath(this.#options.folder, path);
	}

	#notice(severity: 'info' | 'warning' | 'error', text: string): SessionUpdate[] {
		return this.#options.hasNotices
			? [{ sessionUpdate: 'notice', severity, title: text }]
			: [toChunk('agent_message_chunk', `\n\n> ${text.replaceAll('\n', '\n> ')}\n\n`)];
	}
}

const CHUNK_OF = { text: 'agent_message_chunk', thinking: 'agent_thought_chunk' } as const;

function toChunk(
	sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk',
	text: string,
	messageId?: string,
): SessionUpdate {
	return { sessionUpdate, content: { type: 'text', text }, ...(messageId === undefined ? {} : { messageId }) };
}

export function toTextContent(text: string): ToolCallContent {
	return { type: 'content', content: { type: 'text', text } };
}

export function usageUpdate({ contextTokens, contextWindow, cost }: Usage): SessionUpdate {
	return {
		sessionUpdate: 'usage_update',
		used: contextTokens,
		size: contextWindow,
		...(cost === undefined ? {} : { cost: { amount: cost, currency: 'USD' } }),
	};
}
