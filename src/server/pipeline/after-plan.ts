/** The host of a turn, which says when the user has approved a plan. The host of the user has switched the mode by then. */
import { PLAN_OP } from '../../protocol/thread/thread-mode.ts';
import type { OpHost } from '../host/op-host.ts';

export function afterPlan(host: OpHost, onApproved: () => void): OpHost {
	return {
		...host,
		async perform(asked, onProgress, signal) {
			const outcome = await host.perform(asked, onProgress, signal);
			if (asked.op === PLAN_OP && outcome.status === 'done') {
				onApproved();
			}
			return outcome;
		},
	};
}
