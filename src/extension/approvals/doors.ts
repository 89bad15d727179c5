/** Other agents that use Prowess in a folder of this window ask here, too: the window is woken for the doors that they came by. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { LogPort, WorkspacePort } from '../../contract/ports/ports.ts';
import type { DoorAttendant } from '../../host/doors/windows/attend-doors.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { homePlace } from '../ports/places.ts';

const RECORD_ENDING = '.json';

/** `wake` is called where there are doors in a trusted window, and each time that one opens. Costs one look in a folder. */
export function wakeForDoors(wake: () => void): vscode.Disposable {
	const { workspace } = vscode;
	const doors = vscode.Uri.joinPath(vscode.Uri.file(homePlace(process.env)), 'doors');
	const pattern = new vscode.RelativePattern(doors, `*${RECORD_ENDING}`);
	const watcher = workspace.createFileSystemWatcher(pattern, false, true, true);
	const look = () => {
		if (!workspace.isTrusted) return;
		workspace.fs.readDirectory(doors).then(
			(entries) => entries.some(([name]) => name.endsWith(RECORD_ENDING)) && wake(),
			// The folder does not exist: nobody ever came.
			() => {},
		);
	};
	look();
	return vscode.Disposable.from(
		watcher,
		watcher.onDidCreate(look),
		workspace.onDidGrantWorkspaceTrust(look),
		workspace.onDidChangeWorkspaceFolders(look),
	);
}

interface DoorPorts {
	readonly log: LogPort;
	readonly home: string;
	readonly workspace: WorkspacePort;
	base(): Promise<TrustedBase>;
}

export class Doors implements Disposable {
	readonly #ports: DoorPorts;
	#attendant: Promise<DoorAttendant> | undefined;

	constructor(ports: DoorPorts) {
		this.#ports = ports;
	}

	/** Attaches to the doors that have opened since; what attaches is loaded with the first. */
	async attend(): Promise<void> {
		const { home, log, workspace, base } = this.#ports;
		this.#attendant ??= import('../../host/doors/windows/attend-doors.ts').then(
			(doors) =>
				new doors.DoorAttendant({
					home,
					log,
					folders: () => (workspace.isTrusted ? workspace.folders.map(({ path }) => path) : []),
					desk: async () => (await base()).desk,
				}),
		);
		await (await this.#attendant).look();
	}

	dispose(): void {
		this.#attendant?.then((attendant) => attendant.dispose()).catch(() => {});
	}
}
