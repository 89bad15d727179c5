/** Worker thread with the databases of many hosts of a process (`shared-store.ts`), each behind a port of its own. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { answerStoreCalls } from '../../src/trust/record/store/thread/databases.ts';
import type { StoreStart } from '../../src/trust/record/store/thread/store-calls.ts';

parentPort?.on('message', ({ start, port }: { readonly start: StoreStart; readonly port: MessagePort }) => {
	answerStoreCalls(port, start);
});
