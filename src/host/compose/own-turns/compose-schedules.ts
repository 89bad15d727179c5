/** Composes what carries out schedules: turns as this host begins them, each run in the ledger. */
import { recordScheduledRun } from '../../../features/schedule/schedule-register.ts';
import { Schedules } from '../../../features/schedule/schedules.ts';
import { type TurnsOfHost, turnsOfHost } from './turns-of-host.ts';

export function composeSchedules({ ledger, ...host }: TurnsOfHost): Schedules {
	return new Schedules({ ...turnsOfHost(host), recordRun: (claimed) => recordScheduledRun(ledger, claimed) });
}
