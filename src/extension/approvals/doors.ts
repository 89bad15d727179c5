/** Other agents that use Prowess in a folder of this window ask here, too: the window is woken for the doors that they came by. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { LogPort, WorkspacePort } from '../../contract/ports/ports.ts';
import type { DoorAttendant } from '../../host/doors/windows/attend-doors.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { watchFiles } from '../../machine/home-files/watch-files.ts';
import { homePlace } from '../ports/places.ts';

/** `wake` is called where there are doors in a trusted window, and each time that one opens. Costs one look in a folder. */
export function wakeForDoors(wake: () => void): vscode.Disposable {
	const { workspace } = vscode;
	const folder = join(homePlace(process.env), 'doors');
	const parts = new DisposableStore();
	const lookForDoors = () => {
		if (!workspace.isTrusted) return;
		workspace.fs.readDirectory(vscode.Uri.file(folder)).then(
			(entries) => entries.some(([name]) => name.endsWith('.json')) && wake(),
			// The folder cannot be made: no door opens there either.
			() => {},
		);
	};
	const watchDoors = () => {
		if (!workspace.isTrusted) return;
		const watching = parts.add(watchFiles(folder, undefined, lookForDoors));
		watching.started.then(lookForDoors).catch(() => {});
	};
	watchDoors();
	// A window that is trusted stays so: this comes once.
	parts.add(workspace.onDidGrantWorkspaceTrust(watchDoors));
	parts.add(workspace.onDidChangeWorkspaceFolders(lookForDoors));
	return parts;
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
