/**
 * On Linux and macOS a child can send SIGUSR1 to its parent, and Node then opens a debugger that runs anything. A listener
 * takes that away, but it would also stop the user from attaching to this host: so it is there only while
 * children run.
 */
import { type Disposable, toDisposable } from '../../base/disposable.ts';

const ignoreSignal = () => {};
let holders = 0;

/** Dispose when the children that may send it are gone. */
export function refuseDebugSignal(): Disposable {
	if (process.platform === 'win32') {
		return toDisposable(() => {});
	}
	if (holders === 0) {
		process.on('SIGUSR1', ignoreSignal);
	}
	holders += 1;
	return toDisposable(() => {
		holders -= 1;
		if (holders === 0) {
			process.off('SIGUSR1', ignoreSignal);
		}
	});
}
