/**
 * Reads hooks as other agents write them: the `hooks` of Claude's settings, of VS Code's `.github/hooks` and of
 * Copilot's command line. Hooks for events that do not exist here are reported by name, and the rest still counts.
 */
import * as z from '../../../../protocol/text/zod.ts';
import { formatSchemaProblems } from '../../../../protocol/text/schema-problem.ts';

/** Events that hooks are run on. */
const HOOK_EVENTS = [
	'SessionStart',
	'UserPromptSubmit',
	'PreToolUse',
	'PostToolUse',
	'SubagentStart',
	'SubagentStop',
	'PreCompact',
	'Stop',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export interface ForeignHook {
	readonly event: HookEvent;
	/** Regular expression on the whole name of a tool; undefined: all. */
	readonly matcher: string | undefined;
	/** Line for the shell of the system. */
	readonly command: string;
	/** Working folder as the file writes it; undefined: the folder of the workspace. */
	readonly cwd: string | undefined;
	readonly env: Readonly<Record<string, string>>;
	readonly timeoutSeconds: number | undefined;
}

interface HookFileContent {
	readonly hooks: readonly ForeignHook[];
	/** In words. */
	readonly problems: readonly string[];
}

const Seconds = z.number().positive().max(3_600);
const ForeignHookEntry = z.looseObject({
	type: z.string().optional(),
	command: z.string().optional(),
	windows: z.string().optional(),
	linux: z.string().optional(),
	osx: z.string().optional(),
	bash: z.string().optional(),
	powershell: z.string().optional(),
	cwd: z.string().optional(),
	env: z.record(z.string(), z.string()).optional(),
	timeout: Seconds.optional(),
	timeoutSec: Seconds.optional(),
});
type ForeignHookEntry = z.infer<typeof ForeignHookEntry>;
const ForeignHookGroup = z.looseObject({ matcher: z.string().optional(), hooks: z.array(z.unknown()) });
const File = z.looseObject({
	hooks: z.record(z.string(), z.array(z.unknown())).optional(),
	disableAllHooks: z.boolean().optional(),
});

/** Names of Copilot's command line that are not those of the others in another case. */
const SYNONYMS: Readonly<Record<string, string>> = { userpromptsubmitted: 'userpromptsubmit', agentstop: 'stop' };

export function readHookFile(json: unknown, platform: NodeJS.Platform): HookFileContent {
	const read = File.safeParse(json);
	if (!read.success) {
		return { hooks: [], problems: [formatSchemaProblems(read.error)] };
	}
	if (read.data.disableAllHooks === true) {
		return { hooks: [], problems: [] };
	}
	const hooks: ForeignHook[] = [];
	const problems: string[] = [];
	for (const [name, entries] of Object.entries(read.data.hooks ?? {})) {
		const event = findHookEvent(name);
		if (event === undefined) {
			problems.push(`hooks.${name}: hooks of this event are not run`);
			continue;
		}
		for (const [at, entry] of entries.entries()) {
			const where = `hooks.${name}.${at}`;
			const group = ForeignHookGroup.safeParse(entry);
			const { matcher } = group.data ?? {};
			for (const each of group.data?.hooks ?? [entry]) {
				const hook = parseForeignHook(each, { event, matcher, where, platform });
				if (typeof hook === 'string') problems.push(hook);
				else hooks.push(hook);
			}
		}
	}
	return { hooks, problems };
}

function findHookEvent(name: string): HookEvent | undefined {
	const lower = name.toLowerCase();
	return HOOK_EVENTS.find((event) => event.toLowerCase() === (SYNONYMS[lower] ?? lower));
}

/** The hook, or in words why it is none. */
function parseForeignHook(
	entry: unknown,
	about: {
		readonly event: HookEvent;
		readonly matcher: string | undefined;
		readonly where: string;
		readonly platform: NodeJS.Platform;
	},
): ForeignHook | string {
	const { event, matcher, where, platform } = about;
	const read = ForeignHookEntry.safeParse(entry);
	if (!read.success) {
		return `${where}: ${formatSchemaProblems(read.error)}`;
	}
	const { type = 'command', cwd, env = {}, timeout, timeoutSec } = read.data;
	if (type !== 'command') {
		return `${where}: hooks of type "${type}" are not run`;
	}
	const command = pickSystemCommand(read.data, platform);
	if (command === undefined || command.trim() === '') {
		return `${where}: it names no command for this system`;
	}
	if (matcher !== undefined && createToolMatcher(matcher) === undefined) {
		return `${where}: the matcher "${matcher}" is no regular expression`;
	}
	return { event, matcher, command, cwd, env, timeoutSeconds: timeout ?? timeoutSec };
}

function pickSystemCommand(entry: ForeignHookEntry, platform: NodeJS.Platform): string | undefined {
	const { command, windows, linux, osx, bash, powershell } = entry;
	if (platform === 'win32') return windows ?? powershell ?? command;
	return (platform === 'darwin' ? osx : linux) ?? bash ?? command;
}

/**
 * Returns a test that is true when a matcher means a tool, by one of the names that other agents give it; undefined:
 * the pattern is invalid.
 */
export function createToolMatcher(matcher: string | undefined): ((names: readonly string[]) => boolean) | undefined {
	if (matcher === undefined || matcher === '' || matcher === '*') {
		return () => true;
	}
	try {
		const pattern = new RegExp(`^(?:${matcher})$`);
		return (names) => names.some((name) => pattern.test(name));
	} catch {
		return undefined;
	}
}
