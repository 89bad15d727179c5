/** Worker thread of a host that must not wait for a disk: node:sqlite is synchronous, and the editor's loop is not only ours. */
import { parentPort, workerData } from 'node:worker_threads';
import { answerStoreCalls } from './databases.ts';
import type { StoreStart } from './store-calls.ts';

if (parentPort === null) {
	throw new Error('the store runs as a worker thread only');
}
answerStoreCalls(parentPort, workerData as StoreStart);
