/** Worker thread with the databases of many hosts of a process (`shared-store.ts`), each behind a port of its own. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { answerPort } from '../../src/trust/record/store/thread/answer-port.ts';
import type { StoreStart } from '../../src/trust/record/store/thread/store-calls.ts';

parentPort?.on('message', ({ start, port }: { readonly start: StoreStart; readonly port: MessagePort }) => {
	answerPort(port, start);
});
