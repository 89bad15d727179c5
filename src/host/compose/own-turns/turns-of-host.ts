/** Parts of a host that goals and schedules need to begin turns by themselves. */
import type { ClaimHolder } from '../../../store/threads/lease-holder.ts';
import type { HostPorts } from '../../../contract/ports/ports.ts';
import type { LedgerPort } from '../../../trust/record/ledger/ledger.ts';
import type { Redactor } from '../../../trust/record/redaction/redactor.ts';
import type { TurnPorts } from '../../../features/schedule/scheduled-turn.ts';

export interface TurnsOfHost extends Pick<TurnPorts, 'keepMode' | 'beginThread' | 'hooked'> {
	readonly ports: HostPorts;
	readonly holder: ClaimHolder;
	readonly ledger: Pick<LedgerPort, 'append'>;
	readonly redactor: Redactor;
}

export function turnsOfHost({ ports, holder, redactor, keepMode, beginThread, hooked }: Omit<TurnsOfHost, 'ledger'>) {
	const redact = (text: string) => redactor.redact(text);
	return {
		home: ports.places.home,
		holder,
		workspace: ports.workspace,
		log: ports.log,
		redact,
		turns: { server: () => ports.server(), keepMode, beginThread, hooked, clean: redact },
	};
}
