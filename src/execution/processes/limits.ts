/** Limits of executions. Limits of a frame are in `protocol/execution/execution.ts`, because both ends keep to them. */
import { availableParallelism } from 'node:os';

/** From the spawn to the executor's `ready`. */
export const READY_TIMEOUT_MS = 30_000;
/** At a port: for a connection to say what it wants, connections that may do so at once, and how many may be refused. */
export const KNOCK_MS = 2_000;
export const MAX_WAITING_CONNECTIONS = 10;
export const MAX_KNOCKS = 5;
/** Number of searches for processes that an executor left, each after those found before were killed. */
export const LEFTOVER_ROUNDS = 5;
/** Between asking a process to end and killing its group. */
export const PROCESS_STOP_GRACE_MS = 2_000;
/** For the system to report the end of a killed process. */
export const PROCESS_KILL_WAIT_MS = 700;
/** After the end of a process: for what it has sent and printed. */
export const PROCESS_DRAIN_MS = 500;
/** For the folder of a process to be removed, before its place is free and its host may end without that. */
export const REMOVAL_MS = 2_000;
/** Between two pings. */
export const HEARTBEAT_MS = 5_000;
/** Pings in a row without an answer, after which an execution is given up: a minute in which it does nothing but count. */
export const MAX_UNANSWERED_PINGS = 12;
/** After the result: for the process to end by itself. */
export const LINGER_MS = 2_000;
/** Longest time of one op of an execution; waiting for the person does not count. */
export const DISPATCH_CEILING_MS = 1_800_000;
/** For an op that was stopped to say so; then its dispatch is answered without it. */
export const DISPATCH_GRACE_MS = 5_000;
/** Reports of a call that wait to be told: who sends more meanwhile loses the older ones. */
export const MAX_REPORTS_HELD = 20;
/** Ops of one execution, whatever became of them. */
export const MAX_DISPATCHES = 100_000;
/** All that one execution may send. */
export const MAX_EXECUTION_SENT_BYTES = 64 * 1_048_576;
/** Pause before more is taken from an executor that sends too much at once. */
export const PAUSE_MS = 50;
/** Frames that may wait to be taken; with more, nothing is read until there are fewer. */
export const MAX_WAITING_FRAMES = 10_000;
/** Flood of an executor, which ends it: so many times its allowed rate, in each of so many seconds in a row. */
export const FLOOD_FACTOR = 3;
export const FLOOD_SECONDS = 5;
/** Most bytes that wait for an executor to read them; with more, it counts as not reading. */
export const MAX_UNREAD_BYTES = 32 * 1_048_576;
/** Largest answer to a dispatch. */
export const MAX_RESULT_CHARS = 5 * 1_048_576;
/** Most messages and tokens of the thread in the context of a call; the oldest are left out. */
export const MAX_CONTEXT_MESSAGES = 50;
export const MAX_CONTEXT_TOKENS = 8_000;
/** An estimate that is good enough for a cap. */
export const BYTES_PER_TOKEN = 4;
/** Kept of standard output and standard error together. */
export const OUTPUT_BYTES = 262_144;
/** Characters of that output in the message of an error. */
export const OUTPUT_IN_MESSAGE_CHARS = 2_000;
/** Most bytes and files that an executor may leave in the folder it works in, and the time between two looks at it. */
export const SCRATCH_BYTES = 200 * 1_048_576;
export const SCRATCH_FILES = 10_000;
export const SCRATCH_LOOK_MS = 2_000;
/** Largest capability that is handed to a standby; larger ones start with a process of their own. */
export const STANDBY_BYTES = 262_144;
export const STANDBY_FILES = 50;
/** Longest time that a standby waits unused before it is ended. */
export const STANDBY_IDLE_MS = 300_000;
/**
 * Executions at once; more wait. An execution that another one started does not wait, because its parent waits for it.
 */
export const MAX_AT_ONCE = 2 * availableParallelism() + 2;
/** Greatest depth to which executions start one another, and most descendants of one root that may run. */
export const MAX_EXECUTION_DEPTH = 4;
export const MAX_DESCENDANTS = 16;
/** Ended executions whose result can still be read, and how many may wait for somebody to read it the first time. */
export const ENDED_EXECUTIONS_KEPT = 200;
export const ENDED_UNTAKEN_KEPT = 2_000;
/** A copy of a capability is kept so long after its last use, what was begun of one so long after its beginning. */
export const SNAPSHOT_KEPT_MS = 30 * 86_400_000;
export const SNAPSHOT_DRAFT_MS = 86_400_000;
/** For the test of whether a child can be reached over an inherited descriptor. */
export const CHANNEL_PROBE_MS = 10_000;
/** Most characters of an executor's own words about its failure. */
export const MAX_EXECUTOR_ERROR_CHARS = 10_000;
/** Time between two looks of an execution's host for another process that wants it stopped. */
export const STOP_WISH_POLL_MS = 200;
/** For that host to have stopped it: longer than an execution may take to end. */
export const STOP_ANSWER_MS = 6_000;
export const STOP_ANSWER_POLL_MS = 50;
/** Time limit of one call of a worker when the caller gives none; waiting for the person does not count. */
export const WORKER_CALL_MS = 120_000;
/** For the other calls of a worker that is given up, before it is ended. */
export const WORKER_GRACE_MS = 10_000;
/** Calls of one worker that may be in flight. */
export const MAX_WORKER_CALLS = 1_000;
/** Workers of one host. */
export const MAX_WORKERS = 2 * availableParallelism() + 2;
/** Lines of one worker in one second; more is a flood. */
export const WORKER_LINES_PER_SECOND = 50_000;
/** Calls whose end a worker is still forgiven not to know. */
export const ENDED_CALLS_KEPT = 10_000;
/** For the answer to which Python this is. */
export const PYTHON_PROBE_MS = 10_000;
/** For one look at the programs of a capability, which are parsed and not run; and the most that is looked at. */
export const CHECK_SOURCE_MS = 10_000;
export const CHECKED_FILES = 100;
export const CHECKED_BYTES = 2 * 1_048_576;
export const CHECKED_OUTPUT_BYTES = 16 * 1_048_576;
