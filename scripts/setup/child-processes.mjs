// Starts child processes so that none outlives this one: each leads its own process group, and the group is killed at the
// named time limit, at Ctrl+C, at exit, and when the npm that started this one is gone.

import { spawn } from 'node:child_process';
import { whenNpmEnds } from './end-with-npm.mjs';

const isWindows = process.platform === 'win32';
/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
let isWatchingForExit = false;

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function startInGroup(command, args, options) {
	watchForExit();
	const child = spawn(command, args, { ...options, detached: !isWindows });
	running.add(child);
	child.once('exit', () => running.delete(child));
	return child;
}

/**
 * Kills the child and all it started. @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} [signal]
 */
export function killGroup(child, signal = 'SIGKILL') {
	if (child.pid === undefined) return;
	try {
		if (isWindows) spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
		else process.kill(-child.pid, signal);
	} catch {
		// The group is gone already.
	}
}

/** @type {(() => Promise<void>) | undefined} */
let orderlyStop;

/**
 * Sets the work to do first at Ctrl+C. A second Ctrl+C does not wait for it.
 * @param {() => Promise<void>} stop
 */
export function stopInOrder(stop) {
	orderlyStop = stop;
}

function watchForExit() {
	if (isWatchingForExit) return;
	isWatchingForExit = true;
	process.on('exit', () => {
		for (const child of running) killGroup(child);
	});
	for (const [signal, code] of /** @type {const} */ ([
		['SIGINT', 130],
		['SIGTERM', 143],
		['SIGHUP', 129],
	])) {
		process.on(signal, () => endWith(code));
	}
	whenNpmEnds(() => {
		if (toldToEndAt === undefined) endWith(143);
	});
}

/**
 * Time within which further signals count as the same Ctrl+C: it comes from the terminal, and again from npm and from
 * the script above this one.
 */
const oneSignalMs = 1_000;
/** @type {number | undefined} */
let toldToEndAt;

/** @param {number} code */
function endWith(code) {
	const now = performance.now();
	if (toldToEndAt !== undefined && now - toldToEndAt < oneSignalMs) return;
	toldToEndAt = now;
	const stop = orderlyStop;
	orderlyStop = undefined;
	if (stop === undefined) process.exit(code);
	stop().then(
		() => process.exit(code),
		(error) => {
			console.error(error);
			process.exit(1);
		},
	);
}
