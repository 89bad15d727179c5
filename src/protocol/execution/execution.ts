/**
 * Conversation of the host and the process of one execution, over a WebSocket on an inherited descriptor or over Node's IPC. Frames are JSON
 * text, one per message. The executor sends `ready`, and the host answers with the one `call`. Then the executor dispatches
 * ops until it sends the one `result`. The connection identifies the sender; no frame does.
 */
import type { ErrorCode, ErrorFacts } from '../errors/errors.ts';

export const EXECUTION_PROTOCOL = 1;

/** The request with which the executor opens the channel. */
export const CHANNEL_PATH = '/exec';
export const CHANNEL_SUBPROTOCOL = 'prowess.execution.v1';

/** Limits of an executor's frames: their size and number. */
export const frameLimits = {
	bytes: 1_048_576,
	depth: 32,
	keys: 10_000,
	messageChars: 10_000,
	/** Told of one op while it runs. */
	outputChars: 1_000_000,
	dispatchesInFlight: 64,
	framesPerSecond: 200,
	burst: 400,
} as const;

/** The programs of a capability; the first of them that is there is run. */
export const CAPABILITY_ENTRIES: readonly string[] = ['index.js', 'index.mjs', 'index.ts'];

/** The instructions of a power and of a talent; the first of them that is there counts. */
export const POWER_FILES: readonly string[] = ['POWER.md', 'SKILL.md'];
export const TALENT_FILES: readonly string[] = ['TALENT.md', 'SKILL.md'];
/** The folder of what a talent knows. */
export const KNOWLEDGE = 'knowledge';

/** Executor of ours that runs agents and executors written for Codebolt. */
export const CODEBOLT_EXECUTOR = 'codebolt';

/**
 * Files that each of our executors runs, by its name; the first of them at the top of the folder is run. A program goes
 * before a SKILL.md, which may only say how to use it; a file that bears the name of the type is what the type is.
 */
export const RUN_BY: ReadonlyMap<string, readonly string[]> = new Map([
	['skill', [...CAPABILITY_ENTRIES, 'SKILL.md', 'skill.md']],
	['power', ['POWER.md', ...CAPABILITY_ENTRIES, 'SKILL.md']],
	['talent', ['TALENT.md', ...CAPABILITY_ENTRIES, 'SKILL.md', KNOWLEDGE]],
	// The package.json may name a program that lies anywhere.
	[CODEBOLT_EXECUTOR, [...CAPABILITY_ENTRIES, 'dist', 'package.json']],
]);

/** Returns true when this executor of ours runs a program in such a folder. `names`: at least those at its top. */
export function hasProgramEntry(executor: string, names: readonly string[]): boolean {
	if (executor === CODEBOLT_EXECUTOR) return true;
	const first = RUN_BY.get(executor)?.find((name) => names.includes(name));
	return first !== undefined && CAPABILITY_ENTRIES.includes(first);
}

/** Each of them once. */
export const RUN_NAMES: readonly string[] = [...new Set([...RUN_BY.values()].flat().concat('skill.py'))];

/**
 * Codes that an executor may return for a capability it could not start: the module does not parse, is missing, or exports
 * no function to run.
 */
export const LOAD_CODES = [
	'SYNTAX_ERROR',
	'ACTION_BLOCK_NOT_FOUND',
	'INVALID_ACTION_BLOCK',
] as const satisfies readonly ErrorCode[];
export type LoadCode = (typeof LOAD_CODES)[number];

/** Topics of ops that the SDK of an executor has by name: `http.get(url)` is the op `http.get`. */
export const SDK_TOPICS = [
	...['http', 'sql', 'secrets', 'llm', 'shell', 'crypto', 'plist', 'fs', 'cookie', 'services'],
] as const;

/** Ops whose dispatch gets no answer: who asks for them goes on at once. */
export const ONE_WAY_OPS: ReadonlySet<string> = new Set(['progress.report']);

export interface ThreadMessage {
	readonly messageId: string;
	readonly threadId: string;
	readonly content: string;
	readonly sender: 'user' | 'agent' | 'system';
	readonly timestamp: string;
	/** `context`: the payload is what the user added to the message, as references and texts. */
	readonly templateType?: string;
	readonly payload?: unknown;
}

/** Conversation that the executor works for. */
export interface ThreadContext {
	readonly threadId: string | null;
	readonly messages: readonly ThreadMessage[];
	readonly projectPath: string | null;
	readonly agentId: string | null;
	readonly agentInstanceId: string | null;
	readonly metadata: Readonly<Record<string, unknown>>;
	/** The capability that runs, with its whole manifest; its path is where the executor finds it. */
	readonly capability: {
		readonly name: string;
		readonly type: string;
		readonly path: string;
		/** Folder of the plugin that it is a part of; absent: none. */
		readonly pluginPath?: string;
		/** Folder of this plugin's data, where its instructions name that; only its commands reach it. */
		readonly pluginData?: string;
		readonly config: unknown;
		readonly executionId: string;
	};
}

interface CallLimits {
	/** Milliseconds the execution may take; null: no limit of its own. */
	readonly timeoutMs: number | null;
	readonly dispatchesInFlight: number;
	readonly frameBytes: number;
}

export interface DispatchError {
	readonly code: ErrorCode;
	readonly message: string;
	readonly facts?: Readonly<Record<string, unknown>>;
}

export type HostFrame =
	| {
			readonly type: 'call';
			readonly callId: string;
			readonly params: unknown;
			readonly context: ThreadContext;
			readonly limits: CallLimits;
			/** For the environment of a process that was started before it was known what it runs. */
			readonly variables?: Readonly<Record<string, string>>;
	  }
	/** A further piece of what an op says, only for a dispatch that asked for it; none after its result. Without secrets. */
	| { readonly type: 'dispatch_output'; readonly dispatchId: string; readonly text: string }
	/** Exactly one for each dispatch, but none for those of `ONE_WAY_OPS`. */
	| { readonly type: 'dispatch_result'; readonly dispatchId: string; readonly ok: unknown }
	| { readonly type: 'dispatch_result'; readonly dispatchId: string; readonly error: DispatchError }
	| { readonly type: 'cancel'; readonly callId: string; readonly reason: string };

export type ExecutorFrame =
	| { readonly type: 'ready'; readonly protocol: number }
	| {
			readonly type: 'dispatch';
			readonly dispatchId: string;
			readonly op: string;
			readonly params: unknown;
			/** True to stream the output of the op: the words of a model, the output of a command. */
			readonly stream?: boolean;
	  }
	| {
			readonly type: 'result';
			readonly callId: string;
			readonly value?: unknown;
			/** `code`: one of `LOAD_CODES`; whatever else it says counts as EXECUTION_FAILED. */
			readonly error?: { readonly message: string; readonly code?: unknown };
			readonly additionalContext?: unknown;
	  }
	/** Has no reply. */
	| {
			readonly type: 'progress';
			readonly callId: string;
			readonly message: string;
			/** Share of the whole, 0 to 1. */
			readonly fraction?: number;
	  };

/** Statuses of an execution, one run of a capability. */
export const EXECUTION_STATUSES = [
	'starting',
	'running',
	'completed',
	'failed',
	'timeout',
	'stopping',
	'stopped',
] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** A process that an execution had started and that had left its group, a daemon for one: found at its end, and ended. */
export interface LeftProcess {
	readonly pid: number;
	/** Name of its program as the system reports it; the program can choose it. */
	readonly name: string;
}

/** Why an op was not done, by the word of the host. */
export interface FailedOp {
	readonly op: string;
	readonly code: ErrorCode;
	/** Only what says that nobody could be asked: the way out is the same as for the op alone. */
	readonly facts?: ErrorFacts;
}

/** Finds the op that made an execution fail: the last one it got an answer for, if that op was not done. */
export function findFailedOp(error: Pick<DispatchError, 'facts'> | undefined): FailedOp | undefined {
	return error?.facts?.['failedOp'] as FailedOp | undefined;
}

export interface CapabilityExecutionResult {
	readonly success: boolean;
	readonly executionId: string;
	readonly result?: unknown;
	/** For the agent beside the result. */
	readonly additionalContext?: unknown;
	readonly error?: DispatchError;
	/** Absent when there was none, or when the result came before the end of the process, as it does when all goes well. */
	readonly leftovers?: readonly LeftProcess[];
	readonly capabilityPath: string;
}

const LEFTOVERS_NAMED = 20;

/** Their programs and numbers; of very many, the first. */
export function leftoverNames(left: readonly LeftProcess[]): string {
	const named = left.slice(0, LEFTOVERS_NAMED).map(({ pid, name }) => `${name} (${pid})`);
	return [...named, ...(left.length > LEFTOVERS_NAMED ? ['…'] : [])].join(', ');
}

/** Describes the processes in a sentence without its full stop. */
export function leftInWords(left: readonly LeftProcess[]): string {
	return `what it started and what had left its group was killed: ${leftoverNames(left)}`;
}

/**
 * Words of the channel over Node's IPC: one JSON text a line, one frame a line. A line that is not a frame is
 * one of these words, as a JSON string. The host's first line is the token, and the executor's answer opens the channel.
 */
export const IPC_PING = 'ping';
export const IPC_PONG = 'pong';

export function ipcOpening(token: string): string {
	return `open ${token}`;
}

/** Returns the variables by which a Node process finds its end of the channel. */
export function ipcEnvironment(descriptor: number): Record<string, string> {
	return { NODE_CHANNEL_FD: String(descriptor), NODE_CHANNEL_SERIALIZATION_MODE: 'json' };
}
