/**
 * Reads hooks as other agents write them: the `hooks` of Claude's and Gemini's settings, of VS Code's `.github/hooks`, of
 * Copilot's command line and of Cursor. Each is read alone: what has no event or type here is left out by name.
 */
import { findNearNames } from '../../../../base/text/near-names.ts';
import { writtenHooks } from '../../../../protocol/capability/hook-file.ts';
import * as z from '../../../../protocol/text/zod.ts';
import { formatSchemaProblems } from '../../../../protocol/text/schema-problem.ts';
import { FOREIGN_HOOK_MOST_SECONDS } from '../limits.ts';
import { createToolMatcher, parseToolCondition } from './tool-matcher.ts';

/** Events that hooks are run on. */
const HOOK_EVENTS = [
	'SessionStart',
	'SessionEnd',
	'UserPromptSubmit',
	'UserPromptExpansion',
	'PreToolUse',
	'PostToolUse',
	'PostToolUseFailure',
	'SubagentStart',
	'SubagentStop',
	'PreCompact',
	'Stop',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export interface ForeignHook {
	readonly event: HookEvent;
	/** Name of the event in the file; absent: ours, in some case. */
	readonly calledAs?: string;
	/** Ops that the event stands for; absent: all. */
	readonly ops?: readonly string[];
	/** Regular expression on the whole name of a tool; undefined: all. */
	readonly matcher: string | undefined;
	/** Narrows the calls further, as Claude's rules do: `Bash(git push *)`. Absent: all. */
	readonly condition?: string;
	/** Line for the shell of the system; empty for one that asks a model. */
	readonly command: string;
	/** Question to a model in the place of a command; absent: it is a command. */
	readonly prompt?: string;
	/** Working folder as the file writes it; undefined: the folder of the workspace. */
	readonly cwd: string | undefined;
	readonly env: Readonly<Record<string, string>>;
	readonly timeoutSeconds: number | undefined;
	/** True: its failure refuses. Absent: stops nothing. */
	readonly isStrict?: true;
}

interface HookFileContent {
	readonly hooks: readonly ForeignHook[];
	/** In words. */
	readonly problems: readonly string[];
}

interface KnownEvent {
	readonly event: HookEvent;
	/** Set for a name of the event that other agents use and Prowess does not. */
	readonly isAlias?: true;
	readonly ops?: readonly string[];
	/** Set for events of a program that counts time limits in milliseconds. */
	readonly countsMs?: true;
}

const alias = (event: HookEvent, ...ops: readonly string[]): KnownEvent => ({
	event,
	isAlias: true,
	...(ops.length === 0 ? {} : { ops }),
});
const ofGemini = (event: HookEvent): KnownEvent => ({ ...alias(event), countsMs: true });

/** Names of events in lower case, without hyphens and underscores. */
const KNOWN_EVENTS: ReadonlyMap<string, KnownEvent> = new Map<string, KnownEvent>([
	...HOOK_EVENTS.map((event) => [event.toLowerCase(), { event }] as const),
	...Object.entries<KnownEvent>({
		// Copilot's command line.
		userpromptsubmitted: { event: 'UserPromptSubmit' },
		agentstop: { event: 'Stop' },
		// Cursor.
		beforeshellexecution: alias('PreToolUse', 'shell.run'),
		aftershellexecution: alias('PostToolUse', 'shell.run'),
		beforemcpexecution: alias('PreToolUse', 'mcp.call'),
		aftermcpexecution: alias('PostToolUse', 'mcp.call'),
		beforereadfile: alias('PreToolUse', 'fs.read'),
		afterfileedit: alias('PostToolUse', 'fs.edit', 'fs.write'),
		beforesubmitprompt: alias('UserPromptSubmit'),
		// Gemini CLI.
		beforetool: ofGemini('PreToolUse'),
		aftertool: ofGemini('PostToolUse'),
		beforeagent: ofGemini('UserPromptSubmit'),
		afteragent: ofGemini('Stop'),
		precompress: ofGemini('PreCompact'),
	}),
]);

/** Events whose answers count: on others, a question to a model would cost tokens for nothing. */
const ASKING_EVENTS: readonly HookEvent[] = [
	'UserPromptSubmit',
	'UserPromptExpansion',
	'PreToolUse',
	'SubagentStart',
	'PostToolUse',
	'PostToolUseFailure',
	'Stop',
];

/** Fields that narrow when a hook runs, in forms that are not read here. */
const CONDITION_FIELDS = ['condition', 'filter'];

const ForeignHookEntry = z.looseObject({
	type: z.string().optional(),
	command: z.string().optional(),
	windows: z.string().optional(),
	linux: z.string().optional(),
	osx: z.string().optional(),
	bash: z.string().optional(),
	powershell: z.string().optional(),
	prompt: z.string().max(20_000).optional(),
	cwd: z.string().optional(),
	env: z.record(z.string(), z.string()).optional(),
	failClosed: z.boolean().optional().catch(undefined),
});
type ForeignHookEntry = z.infer<typeof ForeignHookEntry>;

export function readHookFile(json: unknown, platform: NodeJS.Platform): HookFileContent {
	const written = writtenHooks(json);
	const hooks: ForeignHook[] = [];
	const problems = [...written.problems];
	for (const { event, matcher, entry, where } of written.hooks) {
		const known = KNOWN_EVENTS.get(event.toLowerCase().replaceAll(/[-_\s]/g, ''));
		if (known === undefined) {
			const [near] = findNearNames(event, HOOK_EVENTS);
			const hint = near === undefined ? '' : `; did you mean ${near}?`;
			// An event that is a name in the file is said once, one in a list at each hook.
			const at = where.indexOf(`.${event}`);
			const place = at < 0 ? `${where}: ${event}` : where.slice(0, at + 1 + event.length);
			const words = `${place}: hooks of this event are not run${hint}`;
			if (!problems.includes(words)) problems.push(words);
			continue;
		}
		const hook = parseForeignHook(entry, {
			known,
			name: event,
			matcher,
			where,
			platform,
			note: (words) => problems.push(words),
		});
		if (typeof hook === 'string') problems.push(hook);
		else hooks.push(hook);
	}
	return { hooks, problems };
}

interface AboutHook {
	readonly known: KnownEvent;
	/** Name of the event in the file. */
	readonly name: string;
	readonly matcher: unknown;
	readonly where: string;
	readonly platform: NodeJS.Platform;
	/** Keeps a sentence on a part that is taken otherwise than it is written. */
	note(words: string): void;
}

/** The hook, or in words why it is none. */
function parseForeignHook(entry: Readonly<Record<string, unknown>>, about: AboutHook): ForeignHook | string {
	const { known, name, where, platform, note } = about;
	const read = ForeignHookEntry.safeParse(entry);
	if (!read.success) {
		return `${where}: ${formatSchemaProblems(read.error)}`;
	}
	const matcher = about.matcher ?? entry['matcher'] ?? undefined;
	if (matcher !== undefined && (typeof matcher !== 'string' || createToolMatcher(matcher) === undefined)) {
		return `${where}: the matcher ${JSON.stringify(matcher)} is no regular expression`;
	}
	const { type = 'command', prompt, cwd, env = {}, failClosed } = read.data;
	const isQuestion = type === 'prompt';
	if (!isQuestion && type !== 'command') {
		return `${where}: hooks of type "${type}" are not run`;
	}
	if (isQuestion && !ASKING_EVENTS.includes(known.event)) {
		return `${where}: hooks of type "prompt" are not run on ${name}, where nothing follows from an answer`;
	}
	if (isQuestion && (prompt ?? '').trim() === '') {
		return `${where}: it has no "prompt"`;
	}
	const command = isQuestion ? '' : (pickSystemCommand(read.data, platform) ?? '');
	if (!isQuestion && command.trim() === '') {
		return `${where}: it names no command for this system`;
	}
	const condition = entry['if'];
	if (condition !== undefined && (typeof condition !== 'string' || parseToolCondition(condition) === undefined)) {
		note(`${where}: "if" is no rule such as "Bash(git push *)", so it runs each time`);
	}
	for (const field of CONDITION_FIELDS.filter((each) => entry[each] !== undefined)) {
		note(`${where}: "${field}" is not read, so it runs each time`);
	}
	return {
		event: known.event,
		...(known.isAlias === true ? { calledAs: name } : {}),
		...(known.ops === undefined ? {} : { ops: known.ops }),
		matcher,
		...(typeof condition === 'string' ? { condition } : {}),
		command,
		...(isQuestion && prompt !== undefined ? { prompt } : {}),
		cwd,
		env,
		timeoutSeconds: readTimeoutSeconds(entry, about),
		...(failClosed === true ? { isStrict: true } : {}),
	};
}

/**
 * Time limit in seconds, as Claude, VS Code, Copilot and Cursor count it; Gemini counts milliseconds. More than an hour
 * means milliseconds: some authors write them everywhere.
 */
function readTimeoutSeconds(
	{ timeout, timeoutSec, timeoutMs }: Readonly<Record<string, unknown>>,
	{ known, where, note }: AboutHook,
): number | undefined {
	const given = timeoutMs ?? timeout ?? timeoutSec;
	if (given === undefined || given === null) return undefined;
	const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
	if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) {
		note(`${where}: the time limit ${JSON.stringify(given)} is no number above 0; the usual one holds`);
		return undefined;
	}
	const isMs = timeoutMs !== undefined || (known.countsMs === true && timeoutSec === undefined);
	if (!isMs && value <= FOREIGN_HOOK_MOST_SECONDS) return value;
	const seconds = Math.min(value / 1_000, FOREIGN_HOOK_MOST_SECONDS);
	if (!isMs) note(`${where}: the time limit ${value} is read as milliseconds: ${seconds} s`);
	return seconds;
}

function pickSystemCommand(entry: ForeignHookEntry, platform: NodeJS.Platform): string | undefined {
	const { command, windows, linux, osx, bash, powershell } = entry;
	if (platform === 'win32') return windows ?? powershell ?? command;
	return (platform === 'darwin' ? osx : linux) ?? bash ?? command;
}
