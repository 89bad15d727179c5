/**
 * Messages that the user types while a turn runs: they wait for its end, as in the chat. A message leaves the list when
 * the server has taken it, not before.
 */
import type { Disposable } from '../../base/disposable.ts';
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { ContextRef } from '../../protocol/thread/context.ts';
import { type ItemId, newId, type TurnId } from '../../protocol/rpc/ids.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnseen, visibleLine } from '../terminal/visible.ts';
import type { TurnEndEvent } from './output.ts';

type TypedCommand =
	| { readonly kind: 'queue'; readonly text: string }
	| { readonly kind: 'now' | 'stop'; readonly text: string | undefined }
	| { readonly kind: 'list' | 'help' | 'next' }
	| { readonly kind: 'again'; readonly provider: string }
	| { readonly kind: 'drop'; readonly index: number }
	| { readonly kind: 'edit'; readonly index: number; readonly text: string }
	| { readonly kind: 'wrong'; readonly why: string };

/** A line that was typed while a turn runs: a message, or one of a few words that say what becomes of messages. */
const TYPED_HELP = `text           waits, and is sent when the turn ends
/now [text]    sends it, or what waits first, to the turn that runs
/stop [text]   stops the turn; the next one begins with it, or with what waits first
/queue         lists what waits
/edit N text   replaces the message with that number
/drop N        removes it
/next          waits for no provider any more: the next model is asked now
/again NAME    asks a provider again that is paused after faults
Ctrl+C         stops the turn and ends`;

/** `waiting`: how many messages wait. Words that only look like one of ours are a message: capabilities begin with a slash, too. */
function parseTypedLine(typed: string, waiting: number): TypedCommand {
	const [, word = '', rest = ''] = /^(\/\S+)\s*([^]*)$/.exec(typed.trim()) ?? [];
	const text = rest.trim();
	switch (word) {
		case '/now':
		case '/stop':
			return { kind: word === '/now' ? 'now' : 'stop', text: text === '' ? undefined : text };
		case '/queue':
			return text === '' ? { kind: 'list' } : { kind: 'queue', text: typed.trim() };
		case '/next':
			return text === '' ? { kind: 'next' } : { kind: 'queue', text: typed.trim() };
		case '/again':
			return /^\S{1,100}$/.test(text)
				? { kind: 'again', provider: text }
				: { kind: 'wrong', why: '/again takes the name of a provider.' };
		case '/help':
			return text === '' ? { kind: 'help' } : { kind: 'queue', text: typed.trim() };
		case '/drop':
		case '/edit': {
			const [, digits = '', words = ''] = /^(\d+)\s*([^]*)$/.exec(text) ?? [];
			const number = Number(digits);
			if (digits === '' || number < 1 || number > waiting) {
				return { kind: 'wrong', why: `${word} takes the number of a message that waits; /queue lists them.` };
			}
			if (word === '/drop') {
				return { kind: 'drop', index: number - 1 };
			}
			return words === ''
				? { kind: 'wrong', why: '/edit takes the new text after the number.' }
				: { kind: 'edit', index: number - 1, text: words };
		}
		default:
			return { kind: 'queue', text: typed.trim() };
	}
}

interface TypedMessage {
	readonly id: ItemId;
	readonly text: string;
}

export interface PreparedMessage {
	readonly text: string;
	readonly context: readonly ContextRef[];
}

interface TypedDeps {
	readonly terminal: Terminal;
	/** Takes keys out of it, and says so. */
	prepare(text: string): Promise<PreparedMessage>;
}

/** The turn that runs. */
interface RunningTurn {
	/** Resolves with the turn that has the message: a new one where this one has just come to its end. */
	steer(message: PreparedMessage, id: ItemId): Promise<TurnId>;
	stop(): Promise<void>;
	/** Waits no longer for a provider that has asked for patience. */
	useNext(): Promise<void>;
	/** The provider is passed over no longer. Resolves with those that were until now. */
	askAgain(provider: string): Promise<readonly string[]>;
}

/** Work after the end of a turn: another turn to wait for, or a message to send. */
type NextTypedWork =
	| { readonly kind: 'turn'; readonly turnId: TurnId }
	| { readonly kind: 'message'; readonly message: PreparedMessage; readonly id: ItemId };

export class TypedMessages implements Disposable {
	readonly #deps: TypedDeps;
	readonly #listening: ReturnType<Terminal['lines']['listen']>;
	#waiting: readonly TypedMessage[] = [];
	#turn: RunningTurn | undefined;
	/** Handling of typed messages, one after the other, in the order in which they were typed. */
	#work: Promise<void> = Promise.resolve();
	/** Turn that has the last message: a new one, where that came too late for the one before. */
	#begun: TurnId | undefined;
	/** To be sent although the turn was stopped: it was stopped for that. */
	#afterStop: ItemId | undefined;

	constructor(deps: TypedDeps) {
		this.#deps = deps;
		this.#listening = deps.terminal.lines.listen((text) => {
			this.#work = this.#work.then(() => this.#typed(text));
		});
		this.#say('What you type while the agent works waits until the turn ends; /help lists what else you can do.');
	}

	/** From now on messages can go to this turn. */
	follow(turn: RunningTurn): void {
		this.#turn = turn;
	}

	/** After the end of a turn: what is to be waited for or sent next. After one that was stopped or failed, nothing that only waited. */
	async next({ turnId, outcome }: Pick<TurnEndEvent, 'turnId' | 'outcome'>): Promise<NextTypedWork | undefined> {
		this.#listening.flush();
		await this.#work;
		const begun = this.#begun;
		this.#begun = undefined;
		if (begun !== undefined && begun !== turnId) {
			return { kind: 'turn', turnId: begun };
		}
		const wanted = this.#waiting.find(({ id }) => id === this.#afterStop);
		this.#afterStop = undefined;
		const first = wanted ?? (outcome === 'done' ? this.#waiting[0] : undefined);
		if (first === undefined) {
			return undefined;
		}
		this.#remove(first.id);
		this.#say(`Sending: ${visibleLine(first.text)}`);
		return { kind: 'message', message: await this.#deps.prepare(first.text), id: first.id };
	}

	/** Says what was not sent, so that it is not lost. */
	dispose(): void {
		this.#listening.dispose();
		for (const { text } of this.#waiting) {
			this.#say(`Not sent: ${escapeUnseen(text)}`);
		}
	}

	async #typed(typed: string): Promise<void> {
		const wish = parseTypedLine(typed, this.#waiting.length);
		switch (wish.kind) {
			case 'queue':
				this.#add(wish.text);
				this.#say(`Waits for the turn to end (${this.#waiting.length}). /now sends it at once.`);
				break;
			case 'now':
				await this.#sendNow(wish.text);
				break;
			case 'stop':
				await this.#stop(wish.text);
				break;
			case 'list':
				this.#list();
				break;
			case 'drop':
				this.#waiting = this.#waiting.filter((_, index) => index !== wish.index);
				this.#list();
				break;
			case 'edit':
				this.#waiting = this.#waiting.map((each, index) =>
					index === wish.index ? { ...each, text: wish.text } : each,
				);
				this.#list();
				break;
			case 'next':
				await this.#asked(async () => {
					await this.#turn?.useNext();
					return 'No wait goes on any more.';
				});
				break;
			case 'again':
				await this.#asked(async () => saidOfPause(wish.provider, await this.#turn?.askAgain(wish.provider)));
				break;
			case 'help':
				this.#say(TYPED_HELP);
				break;
			case 'wrong':
				this.#say(wish.why);
				break;
		}
	}

	/** Says what it resolves with, or why it failed. */
	async #asked(act: () => Promise<string>): Promise<void> {
		try {
			this.#say(await act());
		} catch (error) {
			this.#say(visibleLine(toErrorMessage(error)));
		}
	}

	async #sendNow(text: string | undefined): Promise<void> {
		const message = text === undefined ? this.#waiting[0] : this.#add(text);
		const turn = this.#turn;
		if (message === undefined || turn === undefined) {
			this.#say(message === undefined ? 'No message waits.' : 'The turn has not begun; the message waits.');
			return;
		}
		try {
			const turnId = await turn.steer(await this.#deps.prepare(message.text), message.id);
			this.#remove(message.id);
			this.#begun = turnId;
			this.#say('Sent: the agent reads it after the step it is working on.');
		} catch (error) {
			this.#say(`Not sent, and waits: ${visibleLine(toErrorMessage(error))}`);
		}
	}

	/** Ends the turn; with words, or where some wait, the next one begins with them. */
	async #stop(text: string | undefined): Promise<void> {
		this.#afterStop = (text === undefined ? this.#waiting[0] : this.#add(text))?.id;
		this.#say(this.#afterStop === undefined ? 'Stopping.' : 'Stopping, then sending.');
		await this.#turn?.stop();
	}

	#add(text: string): TypedMessage {
		const message = { id: newId('itm'), text };
		this.#waiting = [...this.#waiting, message];
		return message;
	}

	#remove(id: ItemId): void {
		this.#waiting = this.#waiting.filter((each) => each.id !== id);
	}

	#list(): void {
		const rows = this.#waiting.map(({ text }, index) => `${index + 1}. ${visibleLine(text)}`);
		this.#say(rows.length === 0 ? 'No message waits.' : rows.join('\n'));
	}

	#say(text: string): void {
		this.#deps.terminal.err(`${text.replaceAll(/^/gm, '  ')}\n`);
	}
}

/** `paused`: the providers that were until now. */
function saidOfPause(provider: string, paused: readonly string[] = []): string {
	if (paused.includes(provider)) {
		return `${visibleLine(provider)} is asked again from now on.`;
	}
	const which = paused.length === 0 ? 'No provider is.' : `These are: ${visibleLine(paused.join(', '))}.`;
	return `${visibleLine(provider)} is not paused. ${which}`;
}
