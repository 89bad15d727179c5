/** The prompts that need no model. The first that matches answers. */
import type { FastPath } from './fast-path.ts';
import { capabilityListFastPath } from './paths/capability-list.ts';
import { capabilityRun } from './paths/capability-run.ts';
import { capabilityShow } from './paths/capability-show.ts';
import { capabilitySwitchFastPath } from './paths/capability-switch.ts';
import { dateTime } from './paths/date-time.ts';
import { greeting } from './paths/greeting.ts';
import { memoryAdd } from './paths/memory-add.ts';
import { memoryList } from './paths/memory-list.ts';
import { models } from './paths/models.ts';
import { readFastPath } from './paths/read.ts';
import { runningFastPath } from './paths/running.ts';
import { scheduleListFastPath } from './paths/schedule-list.ts';
import { schedulePause } from './paths/schedule-pause.ts';
import { stopRun } from './paths/stop-run.ts';
import { vague } from './paths/vague.ts';

export const fastPaths: readonly FastPath[] = [
	greeting,
	vague,
	dateTime,
	capabilityListFastPath,
	capabilityShow,
	capabilitySwitchFastPath,
	capabilityRun,
	runningFastPath,
	stopRun,
	models,
	memoryAdd,
	memoryList,
	scheduleListFastPath,
	schedulePause,
	readFastPath,
];
