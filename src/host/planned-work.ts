/** Work that goes on without a prompt: schedules, goals and scripts, each with its turns in threads of its own. */
import { createGoals, type GoalParts } from '../features/goal/goal-register.ts';
import { markCheckScripts } from '../features/goal/until/check-scripts.ts';
import type { Goals } from '../features/goal/goals.ts';
import { createSchedules } from '../features/schedule/schedule-register.ts';
import type { Schedules } from '../features/schedule/schedules.ts';
import type { TurnsOfHost } from '../features/schedule/turns-of-host.ts';
import { createScripts, type ScriptParts } from '../features/script/script-register.ts';
import type { Scripts } from '../features/script/scripts.ts';

interface PlannedWork {
	readonly schedules: Schedules;
	readonly goals: Goals;
	readonly scripts: Scripts;
}

type PlannedParts = TurnsOfHost &
	Pick<Parameters<typeof createSchedules>[0], 'beginPolls'> &
	Pick<ScriptParts, 'capabilities' | 'knowledge'> &
	GoalParts & {
		/** Begins the thread of a script, in which nobody has written. */
		readonly beginScript: ScriptParts['beginThread'];
	};

export function createPlannedWork(parts: PlannedParts): PlannedWork {
	const { ports, holder, redactor, perform, capabilities, knowledge, beginScript } = parts;
	return {
		schedules: createSchedules({ ...parts, markScripts: markCheckScripts }),
		goals: createGoals(parts, parts),
		scripts: createScripts({ ports, holder, redactor, perform, capabilities, knowledge, beginThread: beginScript }),
	};
}
