/**
 * `@prowess` in VS Code's own chat: hands a message over to a thread of Prowess and shows there how it goes. The thread is
 * worked on as any other; questions are answered in the chat of Prowess, and nothing is sent to a model of VS Code. Loaded
 * with the first message.
 */
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { followStoppableTurn } from '../../host/doors/stoppable-turn.ts';
import { type TurnEnd, TurnEnds } from '../../host/doors/turn-ends.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { ContextRef } from '../../protocol/thread/context.ts';
import { ThreadId } from '../../protocol/rpc/ids.ts';
import type { ThreadEvent } from '../../protocol/thread/thread.ts';
import { threadNotifications, threadRequests } from '../../protocol/thread/thread-requests.ts';
import { titleInWords } from '../../protocol/text/text.ts';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import { escapeMarkdownLine } from '../capabilities/texts/value-texts.ts';
import { extensionLimits } from '../editor/limits.ts';
import { isCancellation, toAbortSignal } from '../editor/signals.ts';
import { explainError } from '../notices/user-message.ts';
import type { SessionPorts } from './chat-session.ts';
import { SafeMarkdown } from './safe-markdown.ts';

export interface ParticipantPorts {
	base(): Promise<TrustedBase>;
	server(): Promise<Peer>;
	/** Hears that the server may have gone; `isRunning` says whether that one has not. */
	onServerChange(listener: () => void): { dispose(): void };
	isRunning(server: Peer): boolean;
	readonly prompts: SessionPorts['prompts'];
	begin(): Promise<ThreadId>;
	/** Path in the workspace; undefined: it is no file of it. */
	toPath(uri: vscode.Uri): string | undefined;
	toUri(path: string): vscode.Uri | undefined;
}

/** Changed files that are named at the end. */
const MOST_NAMED_FILES = 50;
const toEditorLanguage = (template: string) => vscode.l10n.t(template);

/** Resolves at the end of the turn, with any failure in the result. A cancelled token stops the turn. */
export async function answerInEditorChat(
	ports: ParticipantPorts,
	{ prompt, references }: Pick<vscode.ChatRequest, 'prompt' | 'references'>,
	{ history }: Pick<vscode.ChatContext, 'history'>,
	stream: vscode.ChatResponseStream,
	token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
	let threadId = findThread(history);
	const stopping = toAbortSignal(token);
	try {
		const base = await ports.base();
		threadId ??= await ports.begin();
		const { outcome, error } = await followTurn(ports, base, threadId, stream, stopping.signal, {
			text: prompt.trim() === '' ? vscode.l10n.t('Look at what I have attached.') : prompt,
			context: references.flatMap((each) => toContextRef(each, ports)),
		});
		const { changed } = await nameChanges(ports, base, threadId, stream, stopping.signal);
		stream.button({ command: 'prowess.openThread', title: vscode.l10n.t('Open in Prowess'), arguments: [threadId] });
		const metadata = { threadId, outcome, changed };
		return error === undefined ? { metadata } : { metadata, errorDetails: { message: explainError(error) } };
	} catch (error) {
		const metadata = { threadId };
		if (isCancellation(error) || token.isCancellationRequested) return { metadata };
		return { metadata, errorDetails: { message: explainError(error) } };
	} finally {
		stopping.dispose();
	}
}

/** Returns what the user may want to say next, by how the turn went. */
export function suggestFollowups({ metadata = {} }: vscode.ChatResult): vscode.ChatFollowup[] {
	const { t } = vscode.l10n;
	if (metadata['outcome'] === 'done') {
		return metadata['changed'] === true ? [{ prompt: t('Explain what you changed and why.') }] : [];
	}
	return metadata['outcome'] === undefined ? [] : [{ prompt: t('Go on where you stopped.'), label: t('Continue') }];
}

/** The thread of the last answer of ours in this conversation. */
function findThread(history: vscode.ChatContext['history']): ThreadId | undefined {
	const answers = history.flatMap((turn) => (turn instanceof vscode.ChatResponseTurn ? [turn] : []));
	const ids = answers.map(({ result }) => ThreadId.safeParse(result.metadata?.['threadId']).data);
	return ids.findLast((id) => id !== undefined);
}

async function followTurn(
	ports: ParticipantPorts,
	base: TrustedBase,
	threadId: ThreadId,
	stream: vscode.ChatResponseStream,
	stop: AbortSignal,
	message: { readonly text: string; readonly context: ContextRef[] },
): Promise<TurnEnd> {
	const server = await ports.server();
	const told = new ToldTurn(threadId, stream);
	const ends = new TurnEnds();
	/** Aborts where the end can no longer come. */
	const gone = new AbortController();
	const heard = new DisposableStore();
	heard.add(
		server.on(threadNotifications, {
			update: (update) => {
				if (update.threadId !== threadId) return;
				for (const event of update.events) {
					told.tell(event);
					if (event.type === 'turn.end') ends.put(event);
				}
			},
		}),
	);
	heard.add(
		ports.onServerChange(() => {
			if (!ports.isRunning(server)) {
				gone.abort(new ProwessError('SERVER_GONE', 'the server ended before the turn'));
			}
		}),
	);
	heard.add(base.desk.onDidChange(({ approvals, questions }) => told.askThere([...approvals, ...questions])));
	const limit = { what: 'stopping the turn', timeoutMs: extensionLimits.changeThreadMs };
	const turn = {
		ends,
		gone,
		prompt: (until: AbortSignal) => ports.prompts.promptUnless({ threadId, ...message }, stop, until),
		stop: () => withTimeLimit(limit, (signal) => server.call(threadRequests.stop, { threadId }, signal)),
	};
	try {
		return await followStoppableTurn(turn, stop);
	} finally {
		heard.dispose();
	}
}

/** Tells the chat how a turn goes: the words of the answer, each call as progress, and where questions are answered. */
class ToldTurn {
	readonly #threadId: ThreadId;
	readonly #stream: vscode.ChatResponseStream;
	readonly #texts = new Set<string>();
	readonly #asked = new Set<string>();
	readonly #words = new SafeMarkdown();

	constructor(threadId: ThreadId, stream: vscode.ChatResponseStream) {
		this.#threadId = threadId;
		this.#stream = stream;
	}

	tell(event: ThreadEvent): void {
		switch (event.type) {
			case 'item.start': {
				const { item } = event;
				if (item.kind === 'text') {
					this.#texts.add(item.id);
					this.#write(item.text);
				} else if (item.kind === 'tool') {
					this.#stream.progress(escapeMarkdownLine(titleInWords(item, toEditorLanguage)));
				} else if (item.kind === 'notice' && item.level !== 'info') {
					this.#write(`\n\n${escapeMarkdownLine(item.text)}\n\n`);
				}
				return;
			}
			case 'item.delta':
				if (this.#texts.has(event.itemId)) this.#write(event.text);
				return;
			case 'item.revised':
				this.#write(`\n\n_${vscode.l10n.t('The text above is withdrawn. What follows takes its place.')}_\n\n`);
				return;
			case 'item.end':
				if (this.#texts.has(event.itemId)) this.#write('\n\n');
				return;
			case 'turn.end':
				this.#stream.markdown(this.#words.rest());
				return;
			default:
		}
	}

	/** Names each question of the thread once, with a button that leads to it. */
	askThere(waiting: readonly ({ readonly id: string; readonly threadId: ThreadId | null } & TitledQuestion)[]): void {
		for (const asked of waiting) {
			if (asked.threadId !== this.#threadId || this.#asked.has(asked.id)) continue;
			this.#asked.add(asked.id);
			const title = 'question' in asked ? asked.question : titleInWords(asked, toEditorLanguage);
			this.#write(`\n\n${vscode.l10n.t('Prowess asks: {0}', escapeMarkdownLine(title))}\n\n`);
			const label = vscode.l10n.t('Answer in Prowess');
			this.#stream.button({ command: 'prowess.openThread', title: label, arguments: [this.#threadId] });
		}
	}

	#write(text: string): void {
		const safe = this.#words.next(text);
		if (safe !== '') this.#stream.markdown(safe);
	}
}

type TitledQuestion = { readonly question: string } | Parameters<typeof titleInWords>[0];

async function nameChanges(
	ports: ParticipantPorts,
	base: TrustedBase,
	threadId: ThreadId,
	stream: vscode.ChatResponseStream,
	stop: AbortSignal,
): Promise<{ readonly changed: boolean }> {
	if (stop.aborted) return { changed: false };
	const changes = await base.changes.list(threadId);
	for (const { path } of changes.slice(0, MOST_NAMED_FILES)) {
		const uri = ports.toUri(path);
		if (uri !== undefined) stream.reference(uri);
	}
	return { changed: changes.length > 0 };
}

/** Files, places and texts that the user attached; anything else of the chat is left out. */
function toContextRef({ value, id }: vscode.ChatPromptReference, ports: ParticipantPorts): ContextRef[] {
	if (value instanceof vscode.Uri) {
		const path = ports.toPath(value);
		return path === undefined ? [] : [{ kind: 'file', path }];
	}
	if (value instanceof vscode.Location) {
		const path = ports.toPath(value.uri);
		const { start, end } = value.range;
		return path === undefined
			? []
			: [
					{
						kind: 'symbol',
						name: id.slice(0, 300) || path.slice(-300),
						path,
						startLine: start.line + 1,
						endLine: end.line + 1,
					},
				];
	}
	return typeof value === 'string' && value !== ''
		? [{ kind: 'pasted', text: value.slice(0, extensionLimits.selectionCharacters) }]
		: [];
}
