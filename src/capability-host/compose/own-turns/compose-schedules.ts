/** Composes what carries out schedules: turns as this host begins them, each run in the ledger. */
import type { HostPorts } from '../../contract/ports/ports.ts';
import type { LedgerPort } from '../../record/ledger/ledger.ts';
import type { Redactor } from '../../record/redaction/redactor.ts';
import { recordScheduledRun } from '../../registers/schedule-register.ts';
import { Schedules } from '../../schedule/schedules.ts';
import type { TurnPorts } from '../../schedule/scheduled-turn.ts';

interface SchedulesOfHost extends Pick<TurnPorts, 'keepMode' | 'beginThread' | 'hooked'> {
	readonly ports: HostPorts;
	readonly ledger: Pick<LedgerPort, 'append'>;
	readonly redactor: Redactor;
}

export function composeSchedules({
	ports,
	ledger,
	redactor,
	keepMode,
	beginThread,
	hooked,
}: SchedulesOfHost): Schedules {
	const redact = (text: string) => redactor.redact(text);
	return new Schedules({
		home: ports.places.home,
		host: ports.editor === undefined ? 'cli' : 'editor',
		workspace: ports.workspace,
		log: ports.log,
		redact,
		recordRun: (claimed) => recordScheduledRun(ledger, claimed),
		turns: { server: () => ports.server(), keepMode, beginThread, hooked, clean: redact },
	});
}
