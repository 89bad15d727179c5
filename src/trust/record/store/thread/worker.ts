/**
 * The worker thread of a host that must not wait for a disk: node:sqlite is synchronous, and the editor's loop is not only ours.
 * Appends that arrive together share one transaction.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { Databases } from './databases.ts';
import type { StoreRequest, StoreStart } from './store-calls.ts';

const port = parentPort;
if (port === null) {
	throw new Error('the store worker runs as a worker thread only');
}
const databases = new Databases(workerData as StoreStart, (untold) => port.postMessage([untold]));

port.on('message', (first: readonly StoreRequest[]) => {
	const batch = [...first];
	for (let more = receiveMessageOnPort(port); more !== undefined; more = receiveMessageOnPort(port)) {
		batch.push(...(more.message as readonly StoreRequest[]));
	}
	port.postMessage(databases.answer(batch));
	if (batch.some(({ name }) => name === 'close')) {
		port.close();
	}
});
