/** Limits of the sandboxes. */
import { availableParallelism } from 'node:os';

/** For the test of what a sandbox keeps out. */
export const SANDBOX_PROBE_TIMEOUT_MS = 10_000;
/** After which a sandbox of commands that did not work is tried again. */
export const PROBE_RETRY_MS = 60_000;
/** For a program in the sandbox that tries to get out, by itself. */
export const ATTEMPT_TIMEOUT_MS = 2_000;
/**
 * Time without word from bubblewrap after which its mounts are looked at anyway; the pause between such looks; the
 * longest time for making the mounts; and the number of sandboxes that are tried for one program.
 */
export const MOUNTS_SILENT_MS = 250;
export const MOUNTS_LOOK_MS = 1;
export const MOUNTS_MADE_MS = 20_000;
export const SANDBOX_TRIES = 4;
/**
 * Limits for the process of a capability and all that it starts together; `EXECUTOR_HEAP_MB` is the JavaScript heap of that
 * process alone.
 */
export const EXECUTOR_PROCESSES = 64;
export const EXECUTOR_MEMORY_MB = 1_024;
export const EXECUTOR_OPEN_FILES = 10_000;
export const EXECUTOR_HEAP_MB = 256;
/**
 * Folders that are looked through for secret and protected files, nearest to the root first, how deep, for how long at a
 * time, and what is found of them: the time for making mounts grows with the square of their number. Beyond any of these,
 * nothing that a command does is automatic.
 */
export const SCANNED_FOLDERS = 50_000;
export const SCANNED_DEPTH = 64;
export const GUARDED_LOOK_MS = 4_000;
export const GUARDED_PLACES = 400;
/** Files of one folder beyond which it is kept which of them are guarded for no name. */
export const LARGE_FOLDER_FILES = 2_000;
/** Folders that are looked at below those that tools fill, and the time after which such a look lets others work. */
export const LOOKED_TOOL_FOLDERS = 200_000;
export const LOOK_SLICE_MS = 8;
/** Time without the end of a command after which it is looked for what commands made there. */
export const TOOLS_LOOK_REST_MS = 1_000;
/** Entries that are looked at in a folder of installed packages, to tell whether its files are those of a store outside. */
export const SAMPLED_FOLDERS = 48;
export const SAMPLED_ENTRIES = 6;
export const SAMPLED_FILES = 24;
/** Folders of commands that are kept for the next ones: two, since one is made while another is used. */
export const READY_FOLDERS = 2;
/** The system's clock of changes to files goes in steps; none is longer. */
export const CLOCK_STEP_MS = 10;
/** For the list of what runs, on macOS, and what one process there may use: files, processes of its user, blocks of a file (16 GB). */
export const PS_TIMEOUT_MS = 5_000;
export const MAX_FILES_OF_PROCESS = 10_240;
export const MAX_PROCESSES_OF_USER = 2_000;
export const MAX_FILE_BLOCKS = 33_554_432;
/** A folder changed more recently than this is read again: its time of change may not yet tell of a file that came after. */
export const GUARDED_SETTLED_MS = 50;
/** Files of one folder that appeared while a command ran in the background, up to which each is held. */
export const HELD_FILES = 1_000;
/**
 * Files of a repository that name what can be checked out, the size of each and of all that are read at once, and its worktrees;
 * what Git is asked about after a command that changed them: hashes, output, time of each question and of all; and the files that
 * are then named one by one. Beyond any of these, all that steers there is held.
 */
export const GIT_STATE_FILES = 10_000;
export const GIT_STATE_BYTES = 16 * 1_048_576;
export const GIT_STATE_READ_BYTES = 64 * 1_048_576;
export const GIT_STATE_WORKTREES = 500;
/** Objects of Git that are listed at a time, to find pipes among them. */
export const GIT_OBJECTS_LISTED = 100_000;
export const GIT_LOOK_TIPS = 10_000;
/** Hashes among those that are no commits; Git is asked what each is. */
export const GIT_LOOK_TREES = 50;
export const GIT_LOOK_BYTES = 16 * 1_048_576;
export const GIT_LOOK_MS = 10_000;
export const GIT_LOOKS_MS = 30_000;
export const GIT_FILES_NAMED = 200;
/**
 * Notes on what commands have put into one repository, and texts and times of saves in each: beyond the first, one note holds all
 * that steers there; beyond the second, the oldest are given up, which holds more and never less.
 */
export const GIT_NOTES = 500;
export const GIT_NOTE_TEXTS = 1_000;
/** Time for a write after it was said that it would come. */
export const SAVE_TAKES_MS = 2_000;
/** Time for which entries taken away from the workspace are kept. */
export const QUARANTINE_KEPT_MS = 30 * 86_400_000;
/**
 * Length of the end of a command's output that is searched for missing rights, and maximum number of explanations
 * given.
 */
export const EXPLAINED_CHARS = 8_192;
export const MAX_EXPLANATIONS = 5;
/**
 * Maximum size of a lock file, and maximum number and size of the packages that are copied for it into the caches of
 * its workspace.
 */
export const MAX_LOCK_BYTES = 32 * 1_048_576;
export const MAX_COPIED_FILES = 10_000;
export const MAX_COPIED_BYTES = 512 * 1_048_576;
/** A command waits so long for them, and then starts without the rest. */
export const COPY_TIMEOUT_MS = 20_000;
/**
 * Pauses between looks at a sandbox, and at a group of processes without a sandbox, which is found among all processes
 * of the machine. The next pause lasts at least `WATCH_PAUSE_FACTOR` times as long as the look took.
 */
export const WATCH_MS = 100;
export const GROUP_WATCH_MS = 1_000;
export const WATCH_PAUSE_FACTOR = 5;
/** Pause before the look that has to agree with one that found a limit exceeded. */
export const WATCH_AGAIN_MS = 20;
/** Maximum number of processes in the sandbox of a command, and its memory as a share of the machine's. */
export const MAX_PROCESSES = Math.max(512, 32 * availableParallelism());
export const MAX_MEMORY_SHARE = 0.75;
/** More than builds and servers open; the system's own limit is for each process. */
export const MAX_OPEN_FILES = 200_000;
/**
 * Pause between looks at the disks of a command, the space to leave free on them, and the space that a command may use
 * on a disk that is nearly full.
 */
export const DISK_WATCH_MS = 200;
export const DISK_RESERVE_BYTES = 512 * 1_048_576;
export const DISK_USABLE_BYTES = 256 * 1_048_576;
/**
 * Maximum size of a command's temporary folder and home, the pause between looks at them, and the maximum number of
 * files looked at.
 */
export const MAX_TEMPORARY_BYTES = 16 * 1024 * 1_048_576;
export const FOLDER_WATCH_MS = 1_000;
export const WATCHED_FILES = 20_000;
/**
 * Maximum content of the `/tmp` of a thread while none of its commands runs, and maximum number of threads that keep
 * one.
 */
export const KEPT_TEMPORARY_BYTES = 1024 * 1_048_576;
export const KEPT_TEMPORARY_FILES = 20_000;
export const KEPT_TEMPORARY_FOLDERS = 16;
/** Share of the machine's memory that a command may fill with files in `/dev/shm`. */
export const SHARED_FILES_SHARE = 0.125;
/** Size that a command may write into each empty folder that hides one of the machine; such a folder lies in memory. */
export const HIDDEN_FOLDER_BYTES = 16 * 1_048_576;
