/** The user's own hooks and those of other agents as one: the user's are asked first, and any of them can stop an op. */
import type { OpHooks } from '../../../contract/ops/op-implementation.ts';

/** Only what the second say after an op is heard. */
export function allHooks(first: OpHooks, second: OpHooks): OpHooks {
	return {
		async ready() {
			await Promise.all([first.ready?.(), second.ready?.()]);
		},
		concerns: (op) => first.concerns(op) || second.concerns(op),
		async before(call, signal) {
			const mine = first.concerns(call.op)
				? await first.before(call, signal)
				: ({ kind: 'continue', asked: [] } as const);
			if (mine.kind === 'block' || !second.concerns(call.op)) {
				return mine;
			}
			const theirs = await second.before(call, signal);
			return { ...theirs, asked: [...mine.asked, ...theirs.asked] };
		},
		after(call, outcome, signal) {
			void first.after(call, outcome, signal);
			return second.after(call, outcome, signal);
		},
	};
}
