/** Composition of what begins turns or ops without a message of the user: schedules, goals and scripts. */
import type { ThreadId } from '../../../protocol/ids.ts';
import type { TurnPorts } from '../../../features/schedule/scheduled-turn.ts';
import { composeGoals } from './compose-goals.ts';
import { composeSchedules } from './compose-schedules.ts';
import { composeScripts } from './compose-scripts.ts';

type TurnParts = Omit<Parameters<typeof composeGoals>[0], 'beginThread'>;
type ScriptParts = Omit<Parameters<typeof composeScripts>[0], 'beginThread'>;

interface OwnTurnParts extends TurnParts, ScriptParts, Pick<TurnPorts, 'keepMode' | 'hooked'> {
	beginThread(threadId: ThreadId, text?: string, how?: { readonly by?: 'schedule'; readonly cause?: string }): void;
}

export function ownTurns({ beginThread, capabilities, perform, knowledge, ...turns }: OwnTurnParts) {
	const { ports, holder, redactor } = turns;
	return {
		schedules: composeSchedules({
			...turns,
			beginThread: (threadId, text, cause) => beginThread(threadId, text, { by: 'schedule', cause }),
		}),
		goals: composeGoals({
			...turns,
			beginThread: (threadId, text, cause) => beginThread(threadId, text, { cause }),
		}),
		scripts: composeScripts({
			ports,
			holder,
			redactor,
			capabilities,
			perform,
			knowledge,
			beginThread: (threadId) => beginThread(threadId),
		}),
	};
}
