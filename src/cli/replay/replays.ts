/** `prowess replay` and `prowess report`: recorded turns, run again and handed on. */
import { basename, join, resolve } from 'node:path';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import type { Wire } from '../../protocol/rpc/wire.ts';
import {
	type Cassette,
	CassetteWriter,
	createMissingError,
	listCassettes,
	mapTexts,
	readCassette,
	refuseTakenPath,
	type Step,
} from '../../features/replay/cassette.ts';
import { type CassetteOutline, outlineCassette } from '../../features/replay/outline.ts';
import { methods, OP_METHODS } from '../../features/replay/methods.ts';
import { type Replayed, replayCassette } from '../../features/replay/replay-cassette.ts';
import { computeReplayChain } from '../../features/replay/replay-chain.ts';
import {
	addThreadCopy,
	hasThread,
	readThreadRows,
	type ThreadRows,
	writeThreadRows,
} from '../../features/replay/thread-rows.ts';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import { formatJson } from '../invocation/print-result.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import type { ReplayHost } from './replay-host.ts';

interface FoundCassette {
	readonly path: string;
	readonly cassette: Cassette;
	readonly outline: CassetteOutline;
}

/** Options that go with `--from`. */
const LIVE_OPTIONS = ['provider', 'base-url', 'model', 'approve', 'workspace', 'trust'] as const;

/** Resolves with the exit code: 0 when the replay is the same to its end, 1 when it differs or the recording has no end. */
export async function replayTurn(host: ReplayHost, invocation: Invocation, context: CommandContext): Promise<number> {
	const { terminal, signal } = context;
	const isJson = invocation.switches.has('json');
	const home = host.openHome(context.environment);
	const [wanted, prompt] = invocation.operands;
	if (prompt !== undefined) throw new UsageError('replay: a prompt goes with --from');
	const live = LIVE_OPTIONS.find((name) => name in invocation.values || invocation.switches.has(name));
	if (live !== undefined) throw new UsageError(`replay: --${live} goes with --from`);
	if (wanted === undefined) return await listRecordings(home, isJson, context);
	const { path, cassette, outline } = await findCassette(home, wanted, context);
	const replayed = await replayAlone(host, home, { cassette }, context, signal);
	const isWhole = outline.end === 'whole';
	if (isJson) terminal.out(formatJson({ path, end: outline.end, asking: outline.asking, ...replayed }));
	else terminal.out(formatReplayed(replayed, outline));
	return replayed.difference === undefined && isWhole ? exitCodes.done : exitCodes.failed;
}

/** Writes one file to hand on, with nothing in it that looks like a secret, once the user has seen what is in it. */
export async function reportTurn(host: ReplayHost, invocation: Invocation, context: CommandContext): Promise<number> {
	const { terminal, signal } = context;
	const home = host.openHome(context.environment);
	await host.checkExport(context);
	const { cassette, outline } = await findCassette(home, invocation.operands[0] ?? '', context);
	const target = resolve(invocation.operands[1] ?? `prowess-report-${outline.at.slice(0, 10)}.cassette`);
	refuseTakenPath(target);
	terminal.err(formatOutline(outline, cassette));
	if (!invocation.switches.has('yes')) {
		if (!terminal.isInteractive) {
			throw new UsageError('report: look at what is in it, then run it in a terminal, or pass --yes');
		}
		terminal.err(`Write all this to ${target}? y/n `);
		if (!/^y(es)?$/i.test((await terminal.lines.next(signal))?.trim() ?? '')) return exitCodes.failed;
	}
	const redactor = host.createRedactor(home);
	// Secrets that have become known since it was recorded go, too.
	const { head, steps, end } = mapTexts(cassette, (each) => redactor.redact(each)) as Cassette;
	const writer = new CassetteWriter(target, head);
	try {
		for (const step of steps) writer.step(step);
		if (end !== undefined) writer.end({ ...end, chain: computeReplayChain(end.rows, steps) });
	} catch (error) {
		writer.discard();
		throw error;
	}
	terminal.out(`${target}\n`);
	return exitCodes.done;
}

/** A recorded turn as it stood when a model was to be asked. */
export interface ReachedStep {
	/** From 1. */
	readonly step: number;
	/** Thread that was recorded. */
	readonly threadId: string;
	readonly prompt: string;
	/** Mode that the thread was in. */
	readonly mode: string;
	/** The thread as it stood; undefined: the step is the first of a new thread, which has nothing yet. */
	readonly copy: ((place: Parameters<typeof addThreadCopy>[3]) => void) | undefined;
	/** True when the model was to be asked for the first time: the prompt is not in the copy. */
	readonly isFirst: boolean;
	/** Ops that were done before, in their order. */
	readonly ops: readonly { readonly op: string; readonly params: unknown }[];
}

/**
 * Replays the latest recording of a turn up to the first request to a model in step `from` or later, without effects.
 * Resolves with the difference where the turn does not come so far. Rejects with a UsageError for a step after which no
 * model is asked, and NOT_FOUND without a recording of the thread, or without the thread, in this home.
 */
export async function replayToStep(
	host: ReplayHost,
	wanted: string,
	from: string,
	context: CommandContext,
): Promise<ReachedStep | Replayed> {
	const home = host.openHome(context.environment);
	if (!THREAD_OPERAND.test(wanted)) {
		throw new UsageError(`replay: --from goes on with a thread of this home, named by its id; got "${wanted}"`);
	}
	const { cassette, outline } = await findCassette(home, wanted, context);
	const step = /^[1-9]\d*$/.test(from) ? outline.asking.find((each) => each >= Number(from)) : undefined;
	if (step === undefined) {
		const steps =
			outline.asking.length === 0 ? 'no model was asked' : `models were asked in ${outline.asking.join(', ')}`;
		throw new UsageError(`replay: --from takes the number of a step before the last request; ${steps}; got "${from}"`);
	}
	const prompted = cassette.steps.find((each) => each.k === 'call' && each.method === methods.prompt);
	const { threadId = '', text: prompt = '' } = (prompted?.k === 'call' ? prompted.params : {}) as Partial<
		Record<string, string>
	>;
	if (!hasThread(home, threadId)) {
		throw new ProwessError('NOT_FOUND', `there is no thread ${threadId}`, {
			path: threadId,
			said: text('The thread {thread} is not here any more, so nothing can go on from its recording.', {
				thread: threadId,
			}),
		});
	}
	const until = cassette.steps.slice(0, step - 1);
	const isFirst = step === outline.asking[0];
	const done = new Set(until.flatMap((each) => (each.k === 'answered' && isDoneOp(each) ? [each.n] : [])));
	const ops = until.flatMap((each) =>
		each.k === 'asked' && OP_METHODS.has(each.method) && done.has(each.n)
			? [each.params as { readonly op: string; readonly params: unknown }]
			: [],
	);
	const reached = { step, threadId, prompt, isFirst, ops };
	if (isFirst) {
		const { before } = cassette.head;
		const hasBegun = (before['messages'] ?? []).length > 0;
		return {
			...reached,
			mode: findGivenMode(until) ?? readModeIn(before, threadId),
			copy: hasBegun ? (place) => addThreadCopy(home, before, threadId, place) : undefined,
		};
	}
	let replayedThread: string | undefined;
	let rows: ThreadRows = {};
	const replayed = await replayAlone(
		host,
		home,
		{
			cassette,
			until: { step: step - 1, reached: (toReplayed) => (replayedThread = toReplayed(threadId)) },
			atEnd: (folder) => (rows = readThreadRows(folder, replayedThread ?? null)),
		},
		context,
		context.signal,
	);
	if (replayedThread === undefined) return replayed;
	const ofReplay = replayedThread;
	return {
		...reached,
		mode: readModeIn(rows, ofReplay),
		copy: (place) => addThreadCopy(home, rows, ofReplay, place),
	};
}

/** Mode that the thread of the recording begins with, or was given before its prompt; undefined: it kept its own. */
function findGivenMode(steps: readonly Step[]): string | undefined {
	const given = steps.flatMap((each) =>
		each.k === 'call' && (each.method === methods.create || each.method === methods.set)
			? [(each.params as { readonly mode?: string }).mode]
			: [],
	);
	return given.findLast((mode) => mode !== undefined);
}

function readModeIn(rows: ThreadRows, threadId: string): string {
	const mode = rows['threads']?.find(({ id }) => id === threadId)?.['mode'];
	return typeof mode === 'string' ? mode : 'agent';
}

function isDoneOp(step: Step): boolean {
	return 'result' in step && (step.result as { readonly status?: unknown } | null)?.status === 'done';
}

interface AloneReplay {
	readonly cassette: Cassette;
	readonly until?: NonNullable<Parameters<typeof replayCassette>[1]['until']>;
	/** The server has ended, and its home is still there. */
	readonly atEnd?: (home: string) => void;
}

async function replayAlone(
	host: ReplayHost,
	home: string,
	{ cassette, until, atEnd }: AloneReplay,
	{ environment, onKill }: CommandContext,
	signal: AbortSignal,
): Promise<Replayed> {
	const folder = await host.makeOwnTemporaryFolder('prowess-replay-');
	onKill(() => folder.remove());
	const redactor = host.createRedactor(home);
	let wire: Wire | undefined;
	const server = host.startServer(folder.path, environment, (each) => (wire = each));
	try {
		writeThreadRows(folder.path, cassette.head.before);
		const stop = new AbortController();
		const endReplay = () => stop.abort(signal.aborted ? signal.reason : server.gone.reason);
		for (const each of [signal, server.gone]) each.addEventListener('abort', endReplay, { once: true });
		const started = Promise.withResolvers<void>();
		const running = server.start(() => started.promise, signal);
		running.catch(endReplay);
		if (wire === undefined) throw new ProwessError('INTERNAL', 'the server has no wire');
		const deps = {
			wire,
			home: folder.path,
			redact: (value: unknown) => redactor.redactDeep(value),
			...(until && { until }),
		};
		const replayed = await replayCassette(cassette, { ...deps, onStarted: started.resolve }, stop.signal);
		started.resolve();
		await server.close();
		atEnd?.(folder.path);
		return replayed;
	} finally {
		await server.close();
		await folder.remove();
	}
}

const THREAD_OPERAND = /^thr_[^/]*$/;

/** `wanted`: a file, a thread, or a thread and one of its turns as `THREAD:TURN`; of several recordings the newest. */
async function findCassette(home: string, wanted: string, { terminal }: CommandContext): Promise<FoundCassette> {
	if (!THREAD_OPERAND.test(wanted)) {
		const path = resolve(wanted);
		const cassette = await readCassette(path);
		return { path, cassette, outline: outlineCassette(cassette) };
	}
	const [thread = '', turn] = wanted.split(':');
	for await (const found of readRecordings(home, terminal)) {
		const { threads, turns } = found.outline;
		if (threads.includes(thread) && (turn === undefined || turns.includes(turn))) return found;
	}
	throw createMissingError(wanted);
}

/** Recordings of the home, newest first; one that cannot be read is told and left out. */
async function* readRecordings(home: string, terminal: CommandContext['terminal']): AsyncGenerator<FoundCassette> {
	for (const path of listCassettes(join(home, 'cassettes'))) {
		let cassette: Cassette;
		try {
			cassette = await readCassette(path);
		} catch (error) {
			terminal.err(`${visibleLine(toErrorMessage(error))}\n`);
			continue;
		}
		yield { path, cassette, outline: outlineCassette(cassette) };
	}
}

async function listRecordings(home: string, isJson: boolean, { terminal }: CommandContext): Promise<number> {
	const found: (CassetteOutline & { readonly path: string })[] = [];
	for await (const { path, outline } of readRecordings(home, terminal)) found.push({ path, ...outline });
	if (isJson) terminal.out(formatJson(found.map(({ lines: _lines, ...each }) => each)));
	else if (found.length === 0) terminal.err('No turn is recorded. Record one with: prowess run --record "<prompt>"\n');
	else terminal.out(found.map((each) => `${basename(each.path)}\n  ${formatCounts(each)}\n`).join(''));
	return exitCodes.done;
}

function formatCounts({ threads, turns, requests, ops, end }: CassetteOutline): string {
	const ends = { whole: '', full: ', stopped at its limit', cut: ', without an end' }[end];
	return `${threads.join(', ')}:${turns.join(', ')} (${requests} requests to models, ${ops} ops${ends})`;
}

export function formatReplayed(
	{ difference, requests, ops, chain }: Replayed,
	{ end, asking }: Pick<CassetteOutline, 'end' | 'asking'>,
): string {
	const same = `${requests} requests to models and ${ops} ops were the same`;
	if (difference === undefined) {
		const where = { whole: '', full: 'The recording stopped at its limit.', cut: 'The recording has no end.' }[end];
		return end === 'whole'
			? `Same to the end: ${same}.\nLedger: ${chain}\n${formatAsking(asking)}`
			: `${where} Up to there ${same}.\n`;
	}
	const { step, what, path, lines } = difference;
	const place = path === '' ? '' : `, at ${path}`;
	return `First difference in step ${step}: ${visibleLine(what)}${place}\n${lines.map((line) => `${visibleLine(line)}\n`).join('')}Before it, ${same}.\n`;
}

function formatAsking(steps: readonly number[]): string {
	return steps.length === 0 ? '' : `Models were asked in the steps ${steps.join(', ')}: see --from.\n`;
}

function formatOutline(outline: CassetteOutline, { head }: Cassette): string {
	const messages = head.before['messages']?.length ?? 0;
	return [
		`Recorded ${outline.at} by Prowess ${outline.version}: ${formatCounts(outline)}, ${outline.ledgerRows} rows of the ledger`,
		...(messages === 0 ? [] : [`${messages} earlier messages of the thread`]),
		'It holds the texts of these prompts, requests and results, and the settings of Prowess:',
		...outline.lines.map((line) => `  ${line}`),
		'',
	]
		.map((line) => visibleLine(line))
		.join('\n');
}
