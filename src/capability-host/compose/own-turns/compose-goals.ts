/** Composes what carries out goals: turns as this host begins them, each step in the ledger. */
import type { HostPorts } from '../../contract/ports/ports.ts';
import { Goals } from '../../goal/goals.ts';
import type { LedgerPort } from '../../record/ledger/ledger.ts';
import type { Redactor } from '../../record/redaction/redactor.ts';
import { recordGoalStep } from '../../registers/goal-register.ts';
import type { TurnPorts } from '../../schedule/scheduled-turn.ts';

interface GoalsOfHost extends Pick<TurnPorts, 'keepMode' | 'beginThread' | 'hooked'> {
	readonly ports: HostPorts;
	readonly ledger: Pick<LedgerPort, 'append'>;
	readonly redactor: Redactor;
}

export function composeGoals({ ports, ledger, redactor, ...begin }: GoalsOfHost): Goals {
	const redact = (text: string) => redactor.redact(text);
	return new Goals({
		home: ports.places.home,
		host: ports.editor === undefined ? 'cli' : 'editor',
		workspace: ports.workspace,
		log: ports.log,
		redact,
		recordStep: (claimed) => recordGoalStep(ledger, claimed),
		turns: { server: () => ports.server(), ...begin, clean: redact },
	});
}
