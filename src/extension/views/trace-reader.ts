/** Traces for their page, as the server keeps them, and turns that are run again from their recordings, by the command line. */
import * as vscode from 'vscode';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { traceLines } from '../../protocol/pages/trace-lines.ts';
import type { ShownTrace, tracePageRequests } from '../../protocol/pages/trace-page.ts';
import type { ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { ParamsOf, ResultOf } from '../../protocol/rpc/message.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { traceRequests } from '../../protocol/thread/turn-trace.ts';
import { RecordedTurns, ReplayedTurn } from '../../protocol/turn/replayed-turn.ts';
import { extensionLimits } from '../editor/limits.ts';
import { runOwnCommand } from '../editor/own-command.ts';
import { type RecorderPorts, TurnRecorder } from './turn-recorder.ts';

/** Longest look at all recordings. */
const LIST_RECORDINGS_MS = 60_000;
/** Longest replay, which takes as long as the turn did. */
const REPLAY_MS = 30 * 60_000;

export interface TraceReaderPorts extends RecorderPorts {
	server(): Promise<Peer>;
	/** Folder of the built files. */
	readonly dist: string;
}

export class TraceReader {
	readonly #ports: TraceReaderPorts;
	/** Recorded turns; `of`: names and times of the recordings at that look. */
	#listed: { readonly of: string; readonly turns: ReadonlySet<string> } | undefined;

	#recorder: TurnRecorder | undefined;

	constructor(ports: TraceReaderPorts) {
		this.#ports = ports;
	}

	/** Resolves with the turns of a thread, newest first, and the trace of one of them. */
	async read({ threadId, turnId }: ShownTrace, signal: AbortSignal): Promise<ResultOf<typeof tracePageRequests.read>> {
		if (threadId === null) {
			return { turns: [], trace: null };
		}
		const turns = await readWithin(signal, async (limit) => {
			const server = await this.#ports.server();
			return (await server.call(traceRequests.list, { threadId }, limit)).turns.toReversed();
		});
		const wanted = turns.find((turn) => turn.turnId === turnId) ?? turns[0];
		return {
			turns: turns.map(({ turnId: id, status, startedAt, endedAt }) => ({ turnId: id, status, startedAt, endedAt })),
			trace: wanted === undefined ? null : await this.#readTrace(wanted.turnId, signal),
		};
	}

	async readText(turnId: TurnId, signal: AbortSignal): Promise<string> {
		return `${traceLines(await this.#readTrace(turnId, signal)).join('\n')}\n`;
	}

	/** Rejects with INVALID_STATE while a turn is under way. `onRecorded`: called when the recording has ended. */
	async recordNext(threadId: ThreadId, onRecorded: () => void): Promise<void> {
		this.#recorder ??= new TurnRecorder(this.#ports);
		await this.#recorder.recordNext(threadId, onRecorded);
	}

	/** A look at the names of recordings says that there are new ones; a process reads them, because they may be large. */
	async isRecorded(turnId: TurnId, signal: AbortSignal): Promise<boolean> {
		const of = await this.#findRecordings();
		if (of === undefined) return false;
		if (this.#listed?.of !== of) {
			const limit = deriveSignal(signal, { what: 'the list of recordings', timeoutMs: LIST_RECORDINGS_MS });
			try {
				const listed = RecordedTurns.parse(await runOwnCommand(['replay'], this.#ports, limit.signal));
				this.#listed = { of, turns: new Set(listed.flatMap(({ turns }) => turns)) };
			} finally {
				limit.dispose();
			}
		}
		return this.#listed.turns.has(turnId);
	}

	/** Rejects with NOT_FOUND where the recording has gone. */
	async replay(
		{ threadId, turnId }: ParamsOf<typeof tracePageRequests.replay>,
		signal: AbortSignal,
	): Promise<ReplayedTurn> {
		const limit = deriveSignal(signal, { what: 'the replay', timeoutMs: REPLAY_MS });
		try {
			return ReplayedTurn.parse(await runOwnCommand(['replay', `${threadId}:${turnId}`], this.#ports, limit.signal));
		} finally {
			limit.dispose();
		}
	}

	/** Resolves with the names and times of all recordings as one text; undefined: there is none. */
	async #findRecordings(): Promise<string | undefined> {
		const folder = vscode.Uri.joinPath(vscode.Uri.file(this.#ports.home), 'cassettes');
		const { fs } = vscode.workspace;
		const entries = await Promise.resolve(fs.readDirectory(folder)).catch(() => []);
		const names = entries.map(([name]) => name).filter((name) => name.endsWith('.cassette'));
		if (names.length === 0) return undefined;
		const times = names.map(async (name) => (await fs.stat(vscode.Uri.joinPath(folder, name))).mtime);
		return [...names, ...(await Promise.all(times).catch(() => []))].join(' ');
	}

	async #readTrace(turnId: TurnId, signal: AbortSignal): Promise<ResultOf<typeof traceRequests.show>> {
		return readWithin(signal, async (limit) =>
			(await this.#ports.server()).call(traceRequests.show, { turnId }, limit),
		);
	}
}

async function readWithin<T>(signal: AbortSignal, work: (limit: AbortSignal) => Promise<T>): Promise<T> {
	const limit = deriveSignal(signal, { what: 'reading a trace', timeoutMs: extensionLimits.traceMs });
	try {
		return await work(limit.signal);
	} finally {
		limit.dispose();
	}
}
