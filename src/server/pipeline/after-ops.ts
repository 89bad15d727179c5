/** The host of a turn, which says when an op has changed the tools of the thread: by then the host enforces it. */
import { capabilityStart } from '../../protocol/ops/definitions/agent/capabilities.ts';
import type { SkillTools } from '../../protocol/ops/skill-tools-left.ts';
import { PLAN_OP } from '../../protocol/thread/thread-mode.ts';
import type { OpHost } from '../host/op-host.ts';

interface ToolChangeListener {
	/** The user has approved a plan. */
	onApproved(): void;
	/** The thread follows a skill that names tools. */
	onFollowed(left: readonly SkillTools[]): void;
}

export function afterOps(host: OpHost, { onApproved, onFollowed }: ToolChangeListener): OpHost {
	return {
		...host,
		async perform(asked, onProgress, signal) {
			const outcome = await host.perform(asked, onProgress, signal);
			if (outcome.status === 'done' && asked.op === PLAN_OP) {
				onApproved();
			}
			if (outcome.status === 'done' && asked.op === 'capability.start') {
				const left = capabilityStart.result.safeParse(outcome.result).data?.instructions?.skillTools;
				if (left !== undefined) onFollowed(left);
			}
			return outcome;
		},
	};
}
