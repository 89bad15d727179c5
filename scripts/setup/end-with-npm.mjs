// Ends a script with the npm that started it, also where npm is killed, or is told to end by a signal that it keeps to itself.

const lookEveryMs = 250;

/**
 * Calls `end` once when the parent of this process is gone. Does nothing where npm has no part in it: who detaches a script
 * from its terminal wants it to go on.
 * @param {() => void} end
 */
export function whenNpmEnds(end) {
	if (process.env['npm_lifecycle_event'] === undefined) return;
	const parent = process.ppid;
	const timer = setInterval(() => {
		if (process.ppid === parent && isAlive(parent)) return;
		clearInterval(timer);
		end();
	}, lookEveryMs);
	timer.unref();
}

/** Windows keeps the number of a parent that is gone. @param {number} pid */
function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
	}
}
