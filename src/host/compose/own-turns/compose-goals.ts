/** Composes what carries out goals: turns as this host begins them, each step in the ledger. */
import { Goals } from '../../../features/goal/goals.ts';
import { recordGoalStep } from '../../../features/goal/goal-register.ts';
import { type TurnsOfHost, turnsOfHost } from './turns-of-host.ts';

export function composeGoals({ ledger, ...host }: TurnsOfHost): Goals {
	return new Goals({ ...turnsOfHost(host), recordStep: (claimed) => recordGoalStep(ledger, claimed) });
}
