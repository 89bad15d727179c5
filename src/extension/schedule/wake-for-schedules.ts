/**
 * Starts what runs schedules in a window in which Prowess is not used. As long as nothing was ever scheduled on this machine,
 * that costs one look for a file.
 */
import * as vscode from 'vscode';
import { homePlace } from '../ports/places.ts';

/** File that is there from the first schedule on, whichever window or command line added it. */
const FILE = 'schedules.db';

/** `wake` is called once: when the folder is trusted, and something was scheduled before or is now. */
export function wakeForSchedules(wake: () => void): vscode.Disposable {
	const found = new vscode.EventEmitter<void>();
	const home = vscode.Uri.file(homePlace(process.env));
	const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(home, FILE), false, true, true);
	const look = () => {
		if (vscode.workspace.isTrusted) {
			vscode.workspace.fs.stat(vscode.Uri.joinPath(home, FILE)).then(
				() => found.fire(),
				// Nothing was ever scheduled.
				() => {},
			);
		}
	};
	const parts = vscode.Disposable.from(
		found,
		watcher,
		watcher.onDidCreate(look),
		vscode.workspace.onDidGrantWorkspaceTrust(look),
		found.event(() => {
			parts.dispose();
			wake();
		}),
	);
	look();
	return parts;
}
