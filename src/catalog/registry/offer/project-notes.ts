/**
 * Notes on the capabilities of the open project: a file for each project in a folder of the home, never in the workspace. Several
 * processes may write: then one note may be lost, never the file.
 */
import { join } from 'node:path';
import type { HostPorts } from '../../../contract/ports/ports.ts';
import { replaceDurably } from '../../../machine/home-files/durable-file.ts';
import { projectFile } from '../../../machine/home-files/project-name.ts';
import { removeOld } from '../../../machine/home-files/remove-entries.ts';

export type ProjectNotesPorts = Pick<HostPorts, 'workspace' | 'places' | 'log'>;

interface ProjectNotesOptions {
	/** Name of the folder in the home. */
	readonly folder: string;
	/** Subject of the notes, for the log: "which capabilities were …". */
	readonly subject: string;
	/** Time after which the file of a project that nobody opens is removed. */
	readonly keptMs: number;
}

export class ProjectNotes {
	readonly #workspace: ProjectNotesPorts['workspace'];
	readonly #log: ProjectNotesPorts['log'];
	readonly #options: ProjectNotesOptions;
	readonly #folder: string;
	#writing: Promise<void> = Promise.resolve();

	constructor({ workspace, places, log }: ProjectNotesPorts, options: ProjectNotesOptions) {
		this.#workspace = workspace;
		this.#log = log;
		this.#options = options;
		this.#folder = join(places.home, options.folder);
	}

	/** File of the open project, absolute. Undefined without a project. */
	path(): string | undefined {
		return projectFile(this.#folder, this.#workspace.folders);
	}

	/** Adds `write`, which gets the promise of the notes before it, to what `settled` waits for. A failure is logged. */
	note(path: string, write: (before: Promise<void>) => Promise<void>): void {
		const before = this.#writing;
		const written = write(before).catch((error: unknown) => {
			this.#log.warn(`${this.#options.subject} cannot be written`, { path, error: String(error) });
		});
		this.#writing = Promise.all([before, written]).then(() => {});
	}

	/** Replaces the file, and removes those of projects that nobody has opened for long. */
	async replace(path: string, content: string, now: number): Promise<void> {
		await replaceDurably(path, content);
		await removeOld(this.#folder, () => this.#options.keptMs, now);
	}

	warnUnreadable(path: string, error: unknown, consequence: string): void {
		this.#log.warn(`${this.#options.subject} cannot be read: ${consequence}`, { path, error: String(error) });
	}

	/** Resolves when all notes so far are on the disk. Never rejects. */
	async settled(): Promise<void> {
		await this.#writing;
	}
}
