/** What goals and schedules need of their host to begin turns by themselves. */
import type { HostPorts } from '../../contract/ports/ports.ts';
import type { LedgerPort } from '../../record/ledger/ledger.ts';
import type { Redactor } from '../../record/redaction/redactor.ts';
import type { TurnPorts } from '../../schedule/scheduled-turn.ts';

export interface TurnsOfHost extends Pick<TurnPorts, 'keepMode' | 'beginThread' | 'hooked'> {
	readonly ports: HostPorts;
	readonly ledger: Pick<LedgerPort, 'append'>;
	readonly redactor: Redactor;
}

export function turnsOfHost({ ports, redactor, keepMode, beginThread, hooked }: Omit<TurnsOfHost, 'ledger'>) {
	const redact = (text: string) => redactor.redact(text);
	const host: 'cli' | 'editor' = ports.editor === undefined ? 'cli' : 'editor';
	return {
		home: ports.places.home,
		host,
		workspace: ports.workspace,
		log: ports.log,
		redact,
		turns: { server: () => ports.server(), keepMode, beginThread, hooked, clean: redact },
	};
}
