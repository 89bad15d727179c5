/** Modes of threads, as the rest of the host sees and changes them. */
import type { Event } from '../../../../base/emitter.ts';
import type { ThreadId } from '../../../../protocol/rpc/ids.ts';
import type { Mode } from '../../../../protocol/thread/thread.ts';
import { MODE_NAMES } from '../../../../protocol/thread/thread-mode.ts';
import { inEnglish } from '../../../../protocol/text/text.ts';
import { recordUserAct } from '../../../record/ledger/user-act.ts';
import type { ThreadModes } from './thread-modes.ts';
import type { LedgerPort } from '../../../record/ledger/ledger.ts';

/** Modes of threads: kept and enforced by this host, whatever a server or a page says. */
export interface Modes {
	/** Returns the mode, from a file at least as new as this call. Default: Agent. */
	of(threadId: ThreadId, signal: AbortSignal): Promise<Mode>;
	/** Gives a thread a mode. In the ledger as the user's own act. Rejects with INVALID_STATE when it cannot be kept. */
	set(threadId: ThreadId, mode: Mode, signal: AbortSignal): Promise<void>;
	/** A thread has another mode. */
	readonly onDidChange: Event<ThreadId>;
}

interface ModeRegisterDeps {
	readonly modes: ThreadModes;
	readonly ledger: LedgerPort;
}

export function modeRegister({ modes, ledger }: ModeRegisterDeps): Modes {
	const of: Modes['of'] = async (threadId, signal) => {
		await modes.refresh(signal);
		return modes.of(threadId);
	};
	return {
		of,
		async set(threadId, mode, signal) {
			const before = await of(threadId, signal);
			if (before === mode) {
				return;
			}
			const [from, to] = [inEnglish(MODE_NAMES[before]), inEnglish(MODE_NAMES[mode])];
			const act = {
				op: 'mode.set',
				input: `mode of the thread: ${from} → ${to}`,
				params: { threadId, mode },
				threadId,
			} as const;
			await recordUserAct(
				ledger,
				act,
				() => `the mode is ${to}`,
				() => modes.set(threadId, mode, signal),
			);
		},
		onDidChange: modes.onDidChange,
	};
}
