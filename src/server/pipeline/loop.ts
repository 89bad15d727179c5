/** What stage 5 works on and with. A turn is one such loop, a sub-turn is another. */
import type { OpOutcome, OpProgress } from '../../protocol/broker.ts';
import type { OpId } from '../../protocol/ids.ts';
import type { HostBroker } from '../host/host-broker.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import type { TurnJournal } from '../threads/turn-journal.ts';
import type { Turn, TurnPorts } from './turn.ts';

export interface Loop {
	/** What every request begins with. */
	readonly system: string;
	/** Requests to the model before it ends. */
	readonly maxIterations: number;
	readonly journal: LoopJournal;
}

export type LoopJournal = Pick<
	TurnJournal,
	| 'together'
	| 'say'
	| 'notice'
	| 'startText'
	| 'appendText'
	| 'endText'
	| 'startTool'
	| 'patchTool'
	| 'appendOutput'
	| 'endTool'
	| 'setTodos'
	| 'usage'
	| 'setUsage'
>;

/** The host, for the ops of one loop: whose they are is settled. */
export interface OpHost {
	perform(
		asked: { readonly opId: OpId; readonly op: string; readonly params: unknown },
		onProgress: (progress: OpProgress) => void,
		signal: AbortSignal,
	): Promise<OpOutcome>;
	readonly outcome: HostBroker['outcome'];
}

export type LoopPorts = Pick<TurnPorts, 'settings' | 'wait'> & { readonly host: OpHost };

export function loopOf({ mode, journal }: Turn, { settings }: TurnPorts): Loop {
	return { system: systemPrompt(mode), maxIterations: settings()['prowess.agent.maxIterations'], journal };
}

/** Asks for this turn. */
export function hostOf({ threadId, turnId }: Turn, { host }: TurnPorts): OpHost {
	return {
		perform: (asked, onProgress, signal) => host.perform({ ...asked, threadId, turnId }, onProgress, signal),
		outcome: (opId, signal) => host.outcome(opId, signal),
	};
}
