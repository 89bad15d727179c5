/** Parts of a host that schedules and goals need to begin turns by themselves. */
import type { HostPorts } from '../../contract/ports/ports.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { ClaimHolder } from '../../store/threads/lease-holder.ts';
import type { LedgerPort } from '../../trust/record/ledger/ledger.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';
import type { TurnPorts } from './scheduled-turn.ts';

/** Principal that a thread is begun for; absent: the user of this host. */
type TurnPrincipal = 'schedule' | undefined;

export interface TurnsOfHost extends Pick<TurnPorts, 'keepMode' | 'hooked'> {
	readonly ports: HostPorts;
	readonly holder: ClaimHolder;
	readonly ledger: Pick<LedgerPort, 'append'>;
	readonly redactor: Redactor;
	beginThread(threadId: ThreadId, text: string, how: { readonly by?: TurnPrincipal; readonly cause: string }): void;
}

export function turnsOfHost(
	{ ports, holder, redactor, keepMode, hooked, beginThread }: TurnsOfHost,
	by: TurnPrincipal,
) {
	const redactText = (text: string) => redactor.redact(text);
	const turns: TurnPorts = {
		server: () => ports.server(),
		keepMode,
		beginThread: (threadId, text, cause) => beginThread(threadId, text, { by, cause }),
		hooked,
		clean: redactText,
	};
	return { home: ports.places.home, holder, workspace: ports.workspace, log: ports.log, redact: redactText, turns };
}
