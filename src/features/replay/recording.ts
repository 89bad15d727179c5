/** A turn that is recorded: what passes between its host and a server of its own goes into a cassette, without secrets. */
import { join } from 'node:path';
import type { LedgerRow } from '../../protocol/approvals/ledger.ts';
import type { Wire } from '../../protocol/rpc/wire.ts';
import type { Settings } from '../../protocol/settings/settings.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { CASSETTE_VERSION, CassetteWriter, mapTexts, nextCassettePath, type Step } from './cassette.ts';
import { recordWire } from './record-wire.ts';
import { replayLimits } from './limits.ts';
import { methods, OP_METHODS } from './methods.ts';
import { computeReplayChain } from './replay-chain.ts';
import { listOtherThreads, readThreadRows } from './thread-rows.ts';

export interface TurnRecording {
	/** The wire to the server, of which all is noted. */
	wrap(wire: Wire): Wire;
	/** Secrets are known from now on: what was noted so far is written, and what follows at once. */
	begin(redact: (text: string) => string): void;
	/** Notes how the threads stand now and what the ledger has of them; returns the path of the cassette; undefined: nothing was recorded. Rejects with what could not be written. */
	finish(sources: RecordedSources, signal: AbortSignal): Promise<string | undefined>;
	/** The cassette stays as far as it came; one without a prompt is removed. */
	close(): void;
}

export interface RecordedSources {
	/** Asks the server for the last `items` of a thread, over the wire. */
	open(threadId: ThreadId, items: number, signal: AbortSignal): Promise<unknown>;
	/** Newest first. */
	readonly ledger: { query(query: { threadId: string; since: string; limit: number }): Promise<LedgerRow[]> };
}

/**
 * `threadId`: the thread that the turn goes on with; null: a new one. Steps about threads that were there besides are left
 * out; `finish` rejects where one of them began to work meanwhile, because what models are asked names no thread.
 */
export function beginRecording(home: string, version: string, threadId: string | null): TurnRecording {
	const startedAt = new Date();
	const before = readThreadRows(home, threadId);
	const steps: Step[] = [];
	const ops = new Set<number>();
	const threads = new Set<ThreadId>();
	const isOfOther = createOtherFilter(listOtherThreads(home, before));
	let isOver = false;
	let redact: ((text: string) => string) | undefined;
	let writer: CassetteWriter | undefined;
	let fault: Error | undefined;
	/** Ends the recording where it cannot be written, and nothing of the turn. */
	const tryWriting = (write: () => void) => {
		if (fault !== undefined) return;
		try {
			write();
		} catch (error) {
			fault = error instanceof Error ? error : new Error(String(error));
			writer = undefined;
		}
	};
	const writeStep = (step: Step) => {
		if (redact === undefined) return;
		const kept = mapTexts(JSON.parse(JSON.stringify(withoutAddresses(step))), redact) as Step;
		noteThread(kept, threads);
		if (kept.k === 'asked' && OP_METHODS.has(kept.method)) ops.add(kept.n);
		if ((kept.k === 'asked' || kept.k === 'answered') && ops.has(kept.n)) steps.push(kept);
		writer?.step(kept);
	};
	let early: Step[] = [];
	return {
		wrap: (wire) =>
			recordWire(wire, (step) => {
				if (isOver) return;
				if (isOfOther(step)) {
					if (isPrompt(step)) fault = new Error('another thread began to work while the turn was recorded');
				} else if (redact === undefined) early.push(step);
				else tryWriting(() => writeStep(step));
			}),
		begin(striking) {
			redact = striking;
			tryWriting(() => {
				const path = nextCassettePath(join(home, 'cassettes'), startedAt);
				const kept = mapTexts(before, striking) as typeof before;
				writer = new CassetteWriter(path, {
					cassette: CASSETTE_VERSION,
					version,
					at: startedAt.toISOString(),
					before: kept,
				});
				for (const step of early) writeStep(step);
			});
			early = [];
		},
		async finish({ open, ledger }, signal) {
			const rows: LedgerRow[] = [];
			for (const each of [...threads]) {
				await open(each, replayLimits.comparedItems, signal);
				const query = { threadId: each, since: startedAt.toISOString(), limit: replayLimits.ledgerRows };
				rows.push(...(await ledger.query(query)));
			}
			isOver = true;
			if (fault !== undefined) throw fault;
			rows.sort((a, b) => a.id - b.id);
			const chain = computeReplayChain(rows, steps);
			const path = writer?.path;
			writer?.end({ end: 'whole', rows, chain });
			writer = undefined;
			return path;
		},
		close() {
			isOver = true;
			if (threads.size === 0) writer?.discard();
			writer = undefined;
		},
	};
}

/** Threads whose turns are in it. */
function noteThread(step: Step, threads: Set<ThreadId>): void {
	if (isPrompt(step)) threads.add((step.params as { readonly threadId: ThreadId }).threadId);
}

function isPrompt(step: Step): step is Step & { readonly k: 'call' } {
	return step.k === 'call' && step.method === methods.prompt;
}

/** Returns a filter that finds the steps about these threads, and the answers to them. */
function createOtherFilter(others: ReadonlySet<unknown>): (step: Step) => boolean {
	const leftOut = new Set<string>();
	const toName = (step: Step & { readonly n: number }) =>
		`${step.k === 'asked' || step.k === 'answered' || step.k === 'withdrawn' ? 'server' : 'host'} ${step.n}`;
	return (step) => {
		if (!('params' in step)) return leftOut.has(toName(step));
		const { threadId } = (step.params ?? {}) as { readonly threadId?: unknown };
		const isOther = others.has(threadId);
		if (isOther && 'n' in step) leftOut.add(toName(step));
		return isOther;
	};
}

/** A replay reaches no address, so the settings of those that could be reached, and what they are sent, are left out. */
function withoutAddresses(step: Step): Step {
	if ((step.k !== 'call' && step.k !== 'tell') || (step.method !== methods.start && step.method !== methods.settings)) {
		return step;
	}
	const params = step.params as { readonly settings: Settings };
	const providers = params.settings['prowess.providers'].map(({ id, kind, models }) => ({ id, kind, models }));
	const settings = { ...params.settings, 'prowess.providers': providers, 'prowess.mcp.servers': {} };
	return { ...step, params: { ...params, settings } };
}
