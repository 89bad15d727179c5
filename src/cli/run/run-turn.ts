/** Runs one turn, from the prompt to its end. In all cases the output hears of exactly one end. */
import type { Disposable } from '../../base/disposable.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { orAborted, withTimeLimit } from '../../base/time/bounded-wait.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import type { ContextRef } from '../../protocol/thread/context.ts';
import { type Effort, modelRequests } from '../../protocol/turn/models.ts';
import { type ItemId, newId, type ThreadId } from '../../protocol/rpc/ids.ts';
import type { Mode, Strategy, ThreadInfo } from '../../protocol/thread/thread.ts';
import { type PromptOptions, threadRequests } from '../../protocol/thread/thread-requests.ts';
import { ThreadFollower, stopTurn } from '../../host/doors/thread-follower.ts';
import { type MessageHost, sendMessage } from '../../host/doors/send-message.ts';
import type { CliHost } from '../ports/cli-host.ts';
import type { LevelHere } from '../../protocol/ops/permission-level.ts';
import { cliLimits } from '../terminal/limits.ts';
import type { CliServerProcess } from '../server/server-process.ts';
import type { NamedImage } from './named-files.ts';
import type { TurnEndEvent, TurnOutput } from './output.ts';
import type { PreparedMessage, TypedMessages } from './typed-messages.ts';

interface TurnOptions {
	readonly prompt: string;
	readonly context: readonly ContextRef[];
	readonly images: readonly NamedImage[];
	readonly threadId: ThreadId | undefined;
	readonly mode: Mode | undefined;
	readonly effort: Effort | undefined;
	/** For the first message; absent: by what it says. */
	readonly strategy: Strategy | undefined;
	readonly options: PromptOptions | undefined;
	levelOf(threadId: ThreadId): Promise<LevelHere>;
	/** Keeps the mode of a thread in this host. */
	keepMode(threadId: ThreadId, mode: Mode): Promise<void>;
	/** From now on the thread's agent may ask this host for ops. */
	readonly beginThread: MessageHost['beginThread'];
	/** Sub-agents of the thread: shown while it runs, and waited for at its end. */
	agentsOf(threadId: ThreadId): { readonly shown: Disposable; settled(): Promise<void> };
	/** Resolves with the context that hooks add to a message. */
	readonly hooked: MessageHost['hooked'];
	/** Messages of a person who types while it runs, if there is one. */
	readonly typed: TypedMessages | undefined;
}

/**
 * Runs one turn, and those of the messages that were typed meanwhile; resolves with the outcome of the last. Aborting
 * `signal` stops the turn within `limits.stopMs`; it then ends as stopped.
 */
export async function runPromptTurn(
	host: CliHost,
	{
		prompt,
		context,
		images,
		threadId,
		mode,
		effort,
		strategy,
		options,
		levelOf,
		keepMode,
		beginThread,
		agentsOf,
		hooked,
		typed,
	}: TurnOptions,
	output: TurnOutput,
	signal: AbortSignal,
): Promise<TurnEndEvent['outcome']> {
	const { server } = await host.connected(signal);
	const { id, seq, info } = await openThread(host, server, threadId, { mode, effort }, signal);
	info.catch(() => {});
	if (threadId === undefined || mode !== undefined) {
		await keepMode(id, mode ?? host.settings.current['prowess.mode']);
	}
	const level = await levelOf(id);
	const shown = images.length === 0 ? [] : await attachImages(await host.server(signal), images, signal);
	signal.throwIfAborted();
	const turn = new ThreadFollower(server, { id, seq }, (event) => output.event(event));
	const agents = agentsOf(id);
	// Not under `signal`: only once the turn has an id can it be stopped.
	const requestTurn = async (
		how: 'prompt' | 'steer',
		message: PreparedMessage,
		messageId: ItemId | undefined,
		until: AbortSignal,
	) => {
		// A message that was typed later has an id, and nothing that was named for the first one.
		const named = messageId === undefined ? { strategy, options } : { messageId };
		const sent = { how, message: { threadId: id, ...message, ...named } };
		return await sendMessage({ beginThread, hooked }, server, sent, until);
	};
	const awaitTurnId = async (
		how: 'prompt' | 'steer',
		answer: (limited: AbortSignal) => ReturnType<typeof requestTurn>,
	) => (await withTimeLimit({ what: `thread/${how}`, timeoutMs: cliLimits.requestMs }, answer)).turnId;
	const sendTyped = (how: 'prompt' | 'steer', message: PreparedMessage, messageId: ItemId) =>
		awaitTurnId(how, (limited) => requestTurn(how, message, messageId, limited));
	const callWithLimit = <R>(call: (limited: AbortSignal) => Promise<R>) =>
		withTimeLimit({ what: 'the answer of the server', timeoutMs: cliLimits.requestMs }, call);
	const life = new AbortController();
	const prompted = requestTurn('prompt', { text: prompt, context: [...context, ...shown] }, undefined, life.signal);
	prompted.catch(() => {});
	let isStarted = false;
	try {
		// The answers to what was asked ahead, in their order.
		await host.server(signal);
		isStarted = true;
		output.begin({ ...(await info), ...level });
		turn.show();
		let turnId = await awaitTurnId('prompt', (limited) => orAborted(prompted, limited));
		typed?.follow({
			steer: (message, messageId) => sendTyped('steer', message, messageId),
			stop: () => stopTurn(server, id, cliLimits.stopMs),
			useNext: async () =>
				void (await callWithLimit((limited) => server.call(threadRequests.useNext, { threadId: id }, limited))),
			askAgain: async (provider) =>
				(await callWithLimit((limited) => server.call(modelRequests.askAgain, { provider }, limited))).paused,
		});
		for (;;) {
			const outcome = await waitForTurnEnd(server, id, turn.ended(turnId), output, signal);
			const next = signal.aborted ? undefined : await typed?.next({ turnId, outcome });
			if (next === undefined) {
				// This host is theirs, too: with it they would be interrupted.
				if (outcome === 'done') await agents.settled();
				return outcome;
			}
			turnId = next.kind === 'turn' ? next.turnId : await sendTyped('prompt', next.message, next.id);
		}
	} catch (error) {
		if (signal.aborted && isStarted) {
			await stopTurn(server, id, cliLimits.stopMs);
		}
		throw error;
	} finally {
		life.abort(new ProwessError('CANCELLED', 'nobody waits for the turn any more'));
		turn.dispose();
		agents.shown.dispose();
	}
}

/** Stops the turn when `signal` aborts. */
async function waitForTurnEnd(
	server: CliServerProcess,
	threadId: ThreadId,
	ended: Promise<TurnEndEvent>,
	output: TurnOutput,
	signal: AbortSignal,
): Promise<TurnEndEvent['outcome']> {
	const stop = () => void stopTurn(server, threadId, cliLimits.stopMs);
	signal.addEventListener('abort', stop, { once: true });
	if (signal.aborted) {
		stop();
	}
	try {
		return (await ended).outcome;
	} catch (error) {
		if (!signal.aborted) {
			throw error;
		}
		// The turn did not stop in time, and its server was ended.
		output.failed('stopped', undefined);
		return 'stopped';
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

/** Stores the pictures that go with the message. */
async function attachImages(
	server: CliServerProcess,
	images: readonly NamedImage[],
	signal: AbortSignal,
): Promise<ContextRef[]> {
	const refs: ContextRef[] = [];
	for (const image of images) {
		refs.push({ kind: 'image', ...(await server.call(threadRequests.attach, image, signal)) });
	}
	return refs;
}

/** Resolves with the model the command line asks for; null leaves the choice to the server. */
async function resolveModelId(host: CliHost, signal: AbortSignal): Promise<string | null> {
	const { provider, modelId } = host.choice;
	const { simple, complex } = host.settings.current['prowess.models.routing'];
	if (!host.isModelNamed && (simple ?? complex) !== undefined) {
		return null;
	}
	if (modelId !== undefined || provider === undefined) {
		return modelId ?? null;
	}
	const server = await host.server(signal);
	const limit = deriveSignal(signal, { what: 'listing models', timeoutMs: cliLimits.modelListMs });
	try {
		const { models, problems } = await server.call(modelRequests.list, {}, limit.signal);
		const model = models.find((each) => each.provider === provider || each.id.startsWith(`${provider}/`));
		if (model === undefined) {
			const why = problems.find((problem) => problem.provider === provider)?.message ?? 'it lists none';
			throw new ProwessError('NO_MODEL', `provider ${provider}: there is no model to use: ${why}`, { provider });
		}
		return model.id;
	} finally {
		limit.dispose();
	}
}

interface OpenedThread {
	readonly id: ThreadId;
	/** Number of its last update. */
	readonly seq: number;
	/** State of the thread. For a new thread nobody waits for it: further requests are sent at once. */
	readonly info: Promise<ThreadInfo>;
}

/** A thread that goes on keeps its model, mode and effort unless the command line says otherwise. */
async function openThread(
	host: CliHost,
	server: CliServerProcess,
	threadId: ThreadId | undefined,
	{ mode, effort }: Pick<TurnOptions, 'mode' | 'effort'>,
	signal: AbortSignal,
): Promise<OpenedThread> {
	if (threadId === undefined) {
		const id = newId('thr');
		const modelId = await resolveModelId(host, signal);
		const asked = {
			threadId: id,
			modelId,
			mode: mode ?? host.settings.current['prowess.mode'],
			effort: effort ?? null,
		};
		return { id, seq: 0, info: server.call(threadRequests.create, asked, signal) };
	}
	await host.server(signal);
	const { info, seq } = await server.call(threadRequests.open, { threadId, items: 1 }, signal);
	// Where the user named one, it is that one, whatever the server calls it.
	const opened = { id: threadId, seq };
	const modelId = host.isModelNamed ? await resolveModelId(host, signal) : null;
	if (mode === undefined && modelId === null && effort === undefined) {
		return { ...opened, info: Promise.resolve(info) };
	}
	const changes = {
		...(mode === undefined ? {} : { mode }),
		...(modelId === null ? {} : { modelId }),
		...(effort === undefined ? {} : { effort }),
	};
	const changed = await server.call(threadRequests.update, { threadId, ...changes }, signal);
	return { ...opened, info: Promise.resolve(changed) };
}

/** For the event that says why no turn could run. */
export function toTurnError(error: unknown): {
	code: ProwessError['code'];
	message: string;
	facts: Record<string, unknown>;
} {
	return isProwessError(error)
		? { code: error.code, message: error.message, facts: { ...error.facts } }
		: { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error), facts: {} };
}
