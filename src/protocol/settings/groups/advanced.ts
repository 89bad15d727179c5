/** Settings of the group advanced: what few users ever change. */
import * as z from '../../text/zod.ts';
import { defineSetting, type SettingDef } from '../setting-def.ts';

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

/** Limits that few ever need: earlier messages and tokens that a turn begins with, sub-agents at once, and the wait of an agent for another. */
const TurnLimits = z.strictObject({
	earlierMessages: z.int().min(1).max(100_000).optional(),
	earlierTokens: z.int().min(100).max(100_000_000).optional(),
	subAgents: z.int().min(1).max(100).optional(),
	subAgentSeconds: z.int().min(0).max(86_400).default(600),
});

/** Worktrees: what they get of what Git ignores, where they are made, and who works in one without being asked to. */
const WorktreeTable = z.strictObject({
	files: z.record(z.string().min(1).max(1_024), z.enum(['copy', 'link', 'hide'])).optional(),
	folder: z.string().min(1).max(1_024).optional(),
	isolation: z
		.strictObject({ agents: z.literal('worktree'), goals: z.literal('worktree') })
		.partial()
		.optional(),
});

function eachSwitch<T>(value: T): Record<FastPathName, T> {
	return Object.fromEntries(FAST_PATH_NAMES.map((name) => [name, value])) as Record<FastPathName, T>;
}

export const advancedSettings = {
	'prowess.worktrees': defineSetting({
		schema: WorktreeTable,
		default: {},
		scope: 'application',
		description:
			'Worktrees. `files`: what a new one gets of the files that Git ignores, each `copy`, `link` (commands read it where it is) or `hide`; a name counts in every folder, a path in one place, `*` stands for any part of a name. `folder`: absolute path of the folder that they are made in (default: in the Prowess folder). `isolation`: sub-agents, or goals, that work in a worktree of their own. For example `{"files": {"node_modules": "link", ".env*": "copy"}, "isolation": {"agents": "worktree"}}`. Default: empty; you are asked about files once for a project. See docs/worktrees.md.',
	}),
	'prowess.agent.maxIterations': defineSetting({
		schema: z.int().min(1).max(500),
		default: 50,
		scope: 'application',
		description: 'Model calls in one turn before the agent stops and asks whether to continue. Default: 50.',
	}),
	'prowess.agent.limits': defineSetting({
		schema: TurnLimits,
		default: { subAgentSeconds: 600 },
		scope: 'application',
		description:
			'Further limits of a turn: `earlierMessages` and `earlierTokens` that it begins with (default: as many as fit the model), `subAgents` that live at once for one thread (default: 20, at most 100), and `subAgentSeconds` that one agent waits for the answer of another (default: 600; 0: no limit; `PROWESS_AGENT_TIMEOUT_SECS` in the environment overrides it). For example `{"earlierMessages": 50, "earlierTokens": 8000}`. See docs/long-threads.md.',
	}),
	'prowess.agent.checkDone': defineSetting({
		schema: z.boolean(),
		default: false,
		scope: 'application',
		description:
			'Whether a model reads the work of a turn before the agent rests, and has it go on, twice at most, if something you asked for is left. Takes one request without tools for each turn that changes or runs something. Default: off.',
	}),
	'prowess.agent.fastPaths': defineSetting({
		schema: z.boolean(),
		default: true,
		scope: 'application',
		description:
			'Fast answers without a model for prompts that need none, such as `read <path>` or the list of models. Default: on. `prowess.agent.fastPathsByName` switches each.',
	}),
	'prowess.agent.fastPathsByName': defineSetting({
		schema: z.strictObject(eachSwitch(z.boolean())).partial(),
		default: {},
		scope: 'application',
		description:
			'Fast paths that may answer without a model, each by the name that the trace of a turn shows: `false` switches it off, `true` on. See docs/fast-paths.md. Default: `{}`, all answer but `greeting`.',
	}),
	'prowess.agent.strategies': defineSetting({
		schema: z.boolean(),
		default: true,
		scope: 'application',
		description:
			'Choose before the model is asked whether a message needs a schedule, a script or a sub-agent, and offer a goal for large work. You see the choice and can undo it. Default: on. See docs/strategies.md.',
	}),
	'prowess.capabilities.standby': defineSetting({
		schema: z.boolean(),
		default: true,
		scope: 'machine',
		description:
			'Standby process that lets the next capability start at once. It uses some memory and ends after five minutes without use.',
	}),
	'prowess.capabilities.workerIdleMinutes': defineSetting({
		schema: z.int().min(1).max(1440),
		default: 5,
		scope: 'machine',
		description:
			'Time that the worker of a skill stays without a call, in minutes. The next call starts a new one. Default: 5.',
	}),
	'prowess.tools.ripgrepPath': defineSetting({
		schema: z.string().max(4096),
		default: '',
		scope: 'machine',
		description:
			"Path of ripgrep. Empty: the editor's own, then the one on the `PATH`, then the built-in search. In a remote window VS Code takes this from the remote settings only.",
	}),
} as const satisfies Record<string, SettingDef>;
