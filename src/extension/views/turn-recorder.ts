/**
 * Recording of the next turn of a thread. A replay begins with the start of a server, and the server of the editor goes on
 * for days: a fresh one takes its place, and what passes between it and this host is recorded until the turn ends.
 */
import * as vscode from 'vscode';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import { readTurnEnds } from '../../features/replay/record-wire.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { TurnRecording } from '../../features/replay/recording.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { Wire, WrapWire } from '../../protocol/rpc/wire.ts';
import { text } from '../../protocol/text/text.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { extensionLimits } from '../editor/limits.ts';
import type { Activity } from '../notices/activity.ts';
import { showFailure } from '../notices/user-message.ts';

export interface RecorderPorts {
	readonly log: LogPort;
	/** Home of Prowess, where recordings are kept. */
	readonly home: string;
	base(): Promise<Pick<TrustedBase, 'redact' | 'ledger'>>;
	readonly activity: Pick<Activity, 'running'>;
	/** Starts a fresh server, and records what passes between it and this host. */
	restartServer(wrap: WrapWire): Promise<Peer>;
	/** Version of Prowess. */
	version(): string;
}

export class TurnRecorder {
	readonly #ports: RecorderPorts;
	#current: TurnRecording | undefined;

	constructor(ports: RecorderPorts) {
		this.#ports = ports;
	}

	/** Rejects with INVALID_STATE while a turn is under way: its server would end. `onRecorded`: the recording has its end. */
	async recordNext(threadId: ThreadId, onRecorded: () => void): Promise<void> {
		const { home, log, activity, base, restartServer, version } = this.#ports;
		if (activity.running.size > 0) {
			throw new ProwessError('INVALID_STATE', 'a turn is under way, whose server would end', {
				said: text('A turn is under way. Record the next one once it has ended.'),
			});
		}
		const { redact } = await base();
		const { beginRecording } = await import('../../features/replay/recording.ts');
		this.#current?.close();
		const recording = beginRecording(home, version(), threadId);
		this.#current = recording;
		recording.begin(redact);
		const finishOnce = async () => {
			await this.#endRecording(recording, await started).catch((error: unknown) =>
				showFailure(vscode.l10n.t('The recording of the turn has no end.'), error, log),
			);
			onRecorded();
		};
		const started = restartServer((wire) => recording.wrap(hearTurnEnds(wire, threadId, () => void finishOnce())));
		await started;
	}

	async #endRecording(recording: TurnRecording, server: Peer): Promise<void> {
		const { ledger } = await this.#ports.base();
		const limit = { what: 'ending the recording', timeoutMs: extensionLimits.traceMs };
		await withTimeLimit(limit, async (signal) => {
			const openThread = (threadId: ThreadId, items: number, within: AbortSignal) =>
				server.call(threadRequests.open, { threadId, items }, within);
			await recording.finish({ open: openThread, ledger }, signal);
		});
		recording.close();
	}
}

/** Calls `onEnd` once, behind those who heard of the end of a turn of that thread. */
function hearTurnEnds(wire: Wire, threadId: ThreadId, onEnd: () => void): Wire {
	let hasEnded = false;
	return {
		...wire,
		onNotification: (method, handler) =>
			wire.onNotification(method, (params) => {
				handler(params);
				const isEnd = readTurnEnds(method, params).some(
					(ended) => (ended as { threadId: string }).threadId === threadId,
				);
				if (!isEnd || hasEnded) return;
				hasEnded = true;
				onEnd();
			}),
	};
}
