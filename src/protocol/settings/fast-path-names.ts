/** Fast paths: prompts that are answered without a model. Each has a switch of its own in the settings, and its name in the trace. */
export const FAST_PATH_NAMES = [
	'greeting',
	'vague',
	'date-time',
	'capability-list',
	'capability-show',
	'capability-switch',
	'capability-run',
	'running',
	'stop-run',
	'models',
	'memory-add',
	'memory-list',
	'schedule-list',
	'schedule-pause',
	'read',
] as const;
export type FastPathName = (typeof FAST_PATH_NAMES)[number];
