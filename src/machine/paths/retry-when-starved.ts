/** Out of descriptors or processes is a state that passes: wait a little, then try again; the last error goes to the caller. */
import { setTimeout as wait } from 'node:timers/promises';
import { findErrno } from './file-error.ts';
import { STARVED_RETRY_MS } from './limits.ts';

const starved = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

export async function retryWhenStarved<T>(attempt: () => Promise<T>): Promise<T> {
	for (const ms of STARVED_RETRY_MS) {
		try {
			return await attempt();
		} catch (error) {
			if (!starved.has(findErrno(error) ?? '')) {
				throw error;
			}
		}
		await wait(ms);
	}
	return attempt();
}
