/**
 * Tracks the present activity of a sub-agent from the events that its server sends about the thread. Decisions about
 * rights never rely on it.
 */
import type { ItemId, TurnId } from '../../protocol/rpc/ids.ts';
import { isOpenCall, type ToolItem } from '../../protocol/thread/items.ts';
import type { ThreadEvent, Usage } from '../../protocol/thread/thread.ts';

export class AgentActivity {
	readonly #calls = new Map<ItemId, { readonly title: string; readonly isWaiting: boolean }>();
	#turnId: TurnId | undefined;
	readonly #ended = new Set<TurnId>();
	#usage: Pick<Usage, 'inputTokens' | 'outputTokens' | 'cost'> | undefined;

	apply(event: ThreadEvent): void {
		switch (event.type) {
			case 'turn.start':
				this.#turnId = event.turnId;
				this.#calls.clear();
				break;
			case 'item.start':
				if (event.item.kind === 'tool') this.#note(event.item.id, event.item.title, event.item.status);
				break;
			case 'item.tool':
				if (event.patch.status !== undefined) {
					this.#note(event.itemId, this.#calls.get(event.itemId)?.title ?? '', event.patch.status);
				}
				break;
			case 'usage':
				this.#usage = event.usage;
				break;
			case 'turn.end':
				this.#turnId = undefined;
				this.#calls.clear();
				this.#ended.add(event.turnId);
				break;
			default:
				// Words of it are read from its thread, at the end.
				break;
		}
	}

	/** A turn was begun, of which its server tells a little later. */
	begin(turnId: TurnId): void {
		if (!this.#ended.has(turnId)) this.#turnId = turnId;
	}

	/** The turn that runs. */
	get turnId(): TurnId | undefined {
		return this.#turnId;
	}

	get isRunning(): boolean {
		return this.#turnId !== undefined;
	}

	/** Title of the call that began last and still runs. */
	get doing(): string | undefined {
		return [...this.#calls.values()].at(-1)?.title;
	}

	/** A person is asked. */
	get isWaiting(): boolean {
		return [...this.#calls.values()].some((call) => call.isWaiting);
	}

	/** All requests so far; undefined: none has been told of. */
	get used(): { readonly tokens: number; readonly cost?: number } | undefined {
		if (this.#usage === undefined) {
			return undefined;
		}
		const { inputTokens, outputTokens, cost } = this.#usage;
		return { tokens: inputTokens + outputTokens, ...(cost === undefined ? {} : { cost }) };
	}

	/** Undefined: whichever turn it is. */
	hasEnded(turnId: TurnId | undefined): boolean {
		return turnId === undefined ? !this.isRunning : this.#ended.has(turnId);
	}

	#note(id: ItemId, title: string, status: ToolItem['status']): void {
		if (isOpenCall(status)) {
			this.#calls.set(id, { title, isWaiting: status === 'waiting' });
		} else {
			this.#calls.delete(id);
		}
	}
}
