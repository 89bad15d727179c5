/** Limits of executions. What a frame may be is in `protocol/execution/execution.ts`, because both ends keep to it. */
import { availableParallelism } from 'node:os';

/** From the spawn to the executor's `ready`. */
export const CONNECT_TIMEOUT_MS = 30_000;
/** At a port: for a connection to say what it wants, connections that may do so at once, and how many may be refused. */
export const KNOCK_MS = 2_000;
export const MAX_WAITING_CONNECTIONS = 10;
export const MAX_KNOCKS = 5;
/** How often it is looked for processes that an executor left, after those found were killed. */
export const LEFTOVER_ROUNDS = 5;
/** Between asking a process to end and killing its group. */
export const STOP_GRACE_MS = 2_000;
/** For the system to report the end of a killed process. */
export const KILL_WAIT_MS = 700;
/** After the end of a process: for what it has sent and printed. */
export const DRAIN_MS = 500;
/** For the folder of a process to be removed, before its place is free and its host may end without that. */
export const REMOVAL_MS = 2_000;
/** Between two pings. */
export const HEARTBEAT_MS = 5_000;
/** Pings in a row without an answer, after which an execution is given up: a minute in which it does nothing but count. */
export const MAX_UNANSWERED_PINGS = 12;
/** After the result: for the process to end by itself. */
export const LINGER_MS = 2_000;
/** One op of an execution; waiting for the person does not count. */
export const DISPATCH_CEILING_MS = 1_800_000;
/** For an op that was stopped to say so; then its dispatch is answered without it. */
export const DISPATCH_GRACE_MS = 5_000;
/** Ops of one execution, whatever became of them. */
export const MAX_DISPATCHES = 100_000;
/** All that one execution may send. */
export const MAX_RECEIVED_BYTES = 64 * 1_048_576;
/** How long one that sends too much at once waits for more of it to be taken. */
export const PAUSE_MS = 50;
/** Frames that may wait to be taken; with more, nothing is read until there are fewer. */
export const MAX_WAITING_FRAMES = 10_000;
/** One that sends so many times what it may, in each of so many seconds, is ended. */
export const FLOOD_FACTOR = 3;
export const FLOOD_SECONDS = 5;
/** What an executor has not read; more means that it does not read. */
export const MAX_UNREAD_BYTES = 32 * 1_048_576;
/** One answer to a dispatch. */
export const MAX_RESULT_CHARS = 5 * 1_048_576;
/** Of the thread, in the context of a call; the oldest are left out. */
export const MAX_CONTEXT_MESSAGES = 50;
export const MAX_CONTEXT_TOKENS = 8_000;
/** An estimate that is good enough for a cap. */
export const BYTES_PER_TOKEN = 4;
/** Kept of standard output and standard error together. */
export const OUTPUT_BYTES = 262_144;
/** Of it, in the message of an error. */
export const OUTPUT_IN_MESSAGE_CHARS = 2_000;
/** What an executor may leave in the folder it works in, and how often that is looked at. */
export const SCRATCH_BYTES = 200 * 1_048_576;
export const SCRATCH_FILES = 10_000;
export const SCRATCH_LOOK_MS = 2_000;
/** What a process that stands by is handed; larger capabilities start with a process of their own. */
export const STANDBY_BYTES = 262_144;
export const STANDBY_FILES = 50;
/** How long a process stands by in vain. */
export const STANDBY_IDLE_MS = 300_000;
/** Executions at once; more wait. One that another execution started does not wait: its parent waits for it. */
export const MAX_AT_ONCE = 2 * availableParallelism() + 2;
/** How deep executions may start one another, and how many of one root may run. */
export const MAX_DEPTH = 4;
export const MAX_DESCENDANTS = 16;
/** Ended executions whose result can still be read, and how many may wait for somebody to read it the first time. */
export const ENDED_KEPT = 200;
export const ENDED_UNTAKEN_KEPT = 2_000;
/** A copy of a capability is kept so long after its last use, what was begun of one so long after its beginning. */
export const SNAPSHOT_KEPT_MS = 30 * 86_400_000;
export const SNAPSHOT_DRAFT_MS = 86_400_000;
/** For the test of whether a child can be reached over an inherited descriptor. */
export const PROBE_TIMEOUT_MS = 10_000;
/** Of an executor's own words about its failure. */
export const MAX_ERROR_CHARS = 10_000;
/** How often the host of an execution looks whether another process wants it to be stopped. */
export const STOP_WISH_POLL_MS = 200;
/** For that host to have stopped it: longer than an execution may take to end. */
export const STOP_ANSWER_MS = 6_000;
export const STOP_ANSWER_POLL_MS = 50;
/** One call of a worker, when nobody says how long it may take; waiting for the person does not count. */
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
