/**
 * Starts the runner of schedules and goals in a window in which Prowess is not used. On a machine that never had any,
 * this costs one look for each file.
 */
import * as vscode from 'vscode';
import { homePlace } from '../ports/places.ts';

/** Files that are there from the first schedule and goal on, whichever window or command line added it. */
const WAKING_FILES = ['schedules.db', 'goals.db'] as const;

/** `wake` is called once: when the folder is trusted, and there was something to run before or is now. */
export function wakeForSchedules(wake: () => void): vscode.Disposable {
	const found = new vscode.EventEmitter<void>();
	const home = vscode.Uri.file(homePlace(process.env));
	const pattern = new vscode.RelativePattern(home, `{${WAKING_FILES.join(',')}}`);
	const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, true, true);
	const checkForFiles = () => {
		for (const file of vscode.workspace.isTrusted ? WAKING_FILES : []) {
			vscode.workspace.fs.stat(vscode.Uri.joinPath(home, file)).then(
				() => found.fire(),
				// The file does not exist: this machine never had any.
				() => {},
			);
		}
	};
	const parts = vscode.Disposable.from(
		found,
		watcher,
		watcher.onDidCreate(checkForFiles),
		vscode.workspace.onDidGrantWorkspaceTrust(checkForFiles),
		found.event(() => {
			parts.dispose();
			wake();
		}),
	);
	checkForFiles();
	return parts;
}
