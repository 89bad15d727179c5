/** The door's end: windows of the editor that attend to it are clients of its host, each asked what the others are. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { PersonPort } from '../../../contract/ports/ports.ts';
import { listenForProven, makeSocketFolder, removeSocket } from '../../../features/background/proven-socket.ts';
import { replaceDurably } from '../../../machine/home-files/durable-file.ts';
import { windowRequests } from '../../../protocol/doors/windows.ts';
import type { Peer } from '../../../protocol/rpc/peer.ts';
import { windowLimits } from '../limits.ts';
import { doorPlace, type OpenDoorRecord, readDoorRecords } from './door-records.ts';

interface DoorDeps {
	readonly home: string;
	/** Real path of the folder that it works in. */
	readonly folder: string;
	/** A window attends, until what it returns is disposed. */
	admit(person: PersonPort): Disposable;
	log(message: string): void;
}

/** Open until it is disposed. Rejects with INVALID_STATE where others could read the folder of its socket. */
export async function openDoorToWindows({ home, folder, admit, log }: DoorDeps): Promise<Disposable> {
	const place = doorPlace(home, randomUUID());
	makeSocketFolder(place.folder);
	await removeEndedDoors(home);
	const life = new DisposableStore();
	try {
		const { address, secret } = life.add(
			await listenForProven(place.socket, windowLimits.questionBytes, (peer) => admit(personAtWindow(peer, log))),
		);
		life.add({ dispose: () => rmSync(place.record, { force: true }) });
		const record: OpenDoorRecord = { pid: process.pid, folder, address, secret };
		await replaceDurably(place.record, JSON.stringify(record));
		return life;
	} catch (error) {
		life.dispose();
		throw error;
	}
}

/** A window that goes has given no answer. */
function personAtWindow(peer: Peer, log: (message: string) => void): PersonPort {
	const orNobody = async <T>(asked: Promise<T | null>, signal: AbortSignal): Promise<T | undefined> => {
		try {
			return (await asked) ?? undefined;
		} catch (error) {
			if (!signal.aborted) log(`a window gave no answer: ${toErrorMessage(error)}`);
			return undefined;
		}
	};
	return {
		approve: (approval, signal) =>
			orNobody(
				peer.call(windowRequests.approve, { approval }, signal).then(({ answer }) => answer),
				signal,
			),
		answer: (question, signal) =>
			orNobody(
				peer.call(windowRequests.answer, { question }, signal).then(({ words }) => words),
				signal,
			),
	};
}

/** Takes away what killed processes have left. */
async function removeEndedDoors(home: string): Promise<void> {
	for (const [id, { pid, address }] of await readDoorRecords(home)) {
		if (isProcessThere(pid)) continue;
		rmSync(doorPlace(home, id).record, { force: true });
		removeSocket(address);
	}
}

function isProcessThere(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code !== 'ESRCH';
	}
}
