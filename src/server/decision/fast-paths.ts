/** The prompts that need no model. The first that matches answers. */
import type { FastPath } from './fast-path.ts';
import { capabilityList } from './paths/capability-list.ts';
import { capabilityRun } from './paths/capability-run.ts';
import { capabilityShow } from './paths/capability-show.ts';
import { capabilitySwitch } from './paths/capability-switch.ts';
import { dateTime } from './paths/date-time.ts';
import { greeting } from './paths/greeting.ts';
import { memoryAdd } from './paths/memory-add.ts';
import { memoryList } from './paths/memory-list.ts';
import { models } from './paths/models.ts';
import { read } from './paths/read.ts';
import { running } from './paths/running.ts';
import { scheduleList } from './paths/schedule-list.ts';
import { schedulePause } from './paths/schedule-pause.ts';
import { stopRun } from './paths/stop-run.ts';
import { vague } from './paths/vague.ts';

export const fastPaths: readonly FastPath[] = [
	greeting,
	vague,
	dateTime,
	capabilityList,
	capabilityShow,
	capabilitySwitch,
	capabilityRun,
	running,
	stopRun,
	models,
	memoryAdd,
	memoryList,
	scheduleList,
	schedulePause,
	read,
];
