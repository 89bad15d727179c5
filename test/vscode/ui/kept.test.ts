/** Runs the stories about what Prowess keeps for later: memories, schedules, scripts, paired browsers and jobs, about cases of capabilities and recorded turns; they take turns in one window. */
import { inOneWindow } from '../harness/one-window.ts';
import { browsers } from './kept/browsers.ts';
import { capabilityTests } from './kept/capability-tests.ts';
import { jobs } from './kept/jobs.ts';
import { memory } from './kept/memory.ts';
import { replayedTurn } from './kept/replayed-turn.ts';
import { schedules } from './kept/schedules.ts';
import { scripts } from './kept/scripts.ts';

inOneWindow('In a window for what is kept', { 'prowess.quotas.tokensPerHour': 100_000 }, [
	memory,
	schedules,
	scripts,
	browsers,
	jobs,
	capabilityTests,
	replayedTurn,
]);
