/** Has the databases of many hosts of a process (`shared-store.ts`). Answers each as the worker of one host does. */
import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads';
import type { StoreRequest, StoreStart } from '../../src/trust/record/store/thread/store-calls.ts';
import { Databases } from '../../src/trust/record/store/thread/databases.ts';

parentPort?.on('message', ({ start, port }: { readonly start: StoreStart; readonly port: MessagePort }) => {
	const databases = new Databases(start, (untold) => port.postMessage([untold]));
	port.on('message', (first: readonly StoreRequest[]) => {
		const batch = [...first];
		for (let more = receiveMessageOnPort(port); more !== undefined; more = receiveMessageOnPort(port)) {
			batch.push(...(more.message as readonly StoreRequest[]));
		}
		port.postMessage(databases.answer(batch));
		if (batch.some(({ name }) => name === 'close')) port.close();
	});
});
