/** The background host's end: one for each home, by a lock of the system that goes with the process, however that ends. */
import { rmSync } from 'node:fs';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import {
	backgroundNotifications,
	backgroundRequests,
	type BackgroundState,
	type EndedWork,
} from '../../protocol/background.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { text } from '../../protocol/text/text.ts';
import { replaceDurably } from '../../machine/home-files/durable-file.ts';
import { holdLock } from '../../machine/home-files/file-lock.ts';
import { backgroundPlace, type BackgroundRecord, backgroundRecord } from './background-record.ts';
import { backgroundLimits } from './limits.ts';
import { listenForProven, makeSocketFolder, removeSocket } from './proven-socket.ts';

/** Requests and events of the background host for programs that attach to it. */
export interface Attachable {
	state(): BackgroundState;
	look(): void;
	stop(): void;
	readonly onDidEnd: Event<EndedWork>;
}

/** Listens until it is disposed. Rejects with INVALID_STATE where another process does, and names it. */
export async function listenInBackground(
	home: string,
	{ version, startedAt }: Pick<BackgroundRecord, 'version' | 'startedAt'>,
	host: Attachable,
): Promise<Disposable> {
	const place = backgroundPlace(home);
	makeSocketFolder(place.folder);
	const before = await backgroundRecord(home);
	const lock = await holdLock(place.lock);
	if (lock === undefined) {
		const { pid, startedAt: since } = (await backgroundRecord(home)) ?? before ?? { pid: 0, startedAt };
		const at = new Date(since).toISOString();
		throw new ProwessError('INVALID_STATE', `the background host of ${home} is process ${pid}, since ${at}`, {
			pid,
			said: text('Prowess runs in the background already: process {pid}, since {at}.', { pid, at }),
		});
	}
	const life = new DisposableStore();
	life.add(lock);
	try {
		if (before !== undefined) {
			removeSocket(before.address);
		}
		const listening = life.add(
			await listenForProven(place.socket, backgroundLimits.lineBytes, (peer) => serveBackground(peer, host)),
		);
		const { address, secret } = listening;
		const record: BackgroundRecord = { pid: process.pid, version, startedAt, address, secret };
		life.add({ dispose: () => rmSync(place.record, { force: true }) });
		await replaceDurably(place.record, JSON.stringify(record));
		return life;
	} catch (error) {
		life.dispose();
		throw error;
	}
}

/** Serves what those may ask for that have proved that they can read the home. */
function serveBackground(peer: Peer, host: Attachable): Disposable {
	const served = new DisposableStore();
	served.add(host.onDidEnd((ended) => peer.notify(backgroundNotifications.ended, ended)));
	served.add(
		peer.serve(backgroundRequests, {
			state: async () => host.state(),
			async look() {
				host.look();
				return {};
			},
			async stop() {
				// After the answer.
				setImmediate(() => host.stop());
				return {};
			},
		}),
	);
	return served;
}
