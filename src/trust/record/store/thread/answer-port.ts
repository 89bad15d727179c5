/** Loop of a thread that has the databases of a host: the same for the worker of one host and for one that many hosts share. */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { Databases } from './databases.ts';
import type { StoreRequest, StoreStart } from './store-calls.ts';

/**
 * Answers what a host asks of its databases through a port, until the host closes them. Requests that have arrived
 * together are answered together: their appends share one transaction.
 */
export function answerPort(port: MessagePort, start: StoreStart): void {
	const databases = new Databases(start, (untold) => port.postMessage([untold]));
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
}
