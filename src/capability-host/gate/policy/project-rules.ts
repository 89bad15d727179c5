/**
 * What "Always allow in this project" saved. The rules lie in our home, by the real paths of the folders they were made in, so
 * that nothing inside a project can bring any or change one. All hosts of a home share them. A file that cannot be read allows
 * nothing.
 */
import { messageOf } from '../../../base/message-of.ts';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from '../../../protocol/zod.ts';
import { ProwessError } from '../../../protocol/errors.ts';
import { readIfThere, replaceDurably } from '../../machine/home-files/durable-file.ts';
import { withLock } from '../../machine/home-files/file-lock.ts';
import type { LogPort, WorkspacePort } from '../../contract/ports.ts';
import { MAX_PROJECT_RULES, MAX_PROJECTS_WITH_RULES } from './limits.ts';

/** The name of a folder counts where there are several: there, the paths in rules begin with it. */
const Folder = z.object({ name: z.string().max(1_024).optional(), path: z.string().max(4_096) });
const Project = z.object({
	folders: z.array(Folder).min(1).max(1_000),
	rules: z.array(z.string().max(1_000)).max(MAX_PROJECT_RULES),
});
const RulesFile = z.object({ projects: z.array(Project).max(MAX_PROJECTS_WITH_RULES) });
type RulesFile = z.infer<typeof RulesFile>;
type Folders = RulesFile['projects'][number]['folders'];

interface ProjectRulesDeps {
	readonly home: string;
	readonly workspace: Pick<WorkspacePort, 'folders'>;
	readonly log: Pick<LogPort, 'warn'>;
}

export class ProjectRules {
	readonly #deps: ProjectRulesDeps;
	readonly #path: string;
	#known: { readonly stamp: string; readonly file: RulesFile } | undefined;
	#current: readonly string[] = [];
	#problem: string | undefined;
	#reads = 0;
	#newestRead = 0;

	constructor(deps: ProjectRulesDeps) {
		this.#deps = deps;
		this.#path = join(deps.home, 'project-rules.json');
	}

	/** Without a folder there is no project to keep rules for. */
	get hasProject(): boolean {
		return this.#deps.workspace.folders.length > 0;
	}

	/** As `refresh` found them last. */
	get current(): readonly string[] {
		return this.#current;
	}

	/** Why no rule of any project counts; undefined: the file can be read, or there is none. */
	get problem(): string | undefined {
		return this.#problem;
	}

	/** As the file is no earlier than now. Rejects only when the signal aborts. */
	async refresh(signal: AbortSignal): Promise<void> {
		this.#reads += 1;
		const turn = this.#reads;
		const found = await this.#find();
		// A reading that began earlier must not bring back what a later one no longer found.
		if (turn > this.#newestRead) {
			this.#newestRead = turn;
			this.#current = found.rules;
			if (found.problem !== undefined && found.problem !== this.#problem) {
				this.#deps.log.warn(found.problem);
			}
			this.#problem = found.problem;
		}
		signal.throwIfAborted();
	}

	/** Rejects with INVALID_STATE when there is no project, or the file cannot be read. */
	async add(rule: string, signal: AbortSignal): Promise<void> {
		await this.#change((rules) => (rules.includes(rule) ? rules : [...rules, rule]), signal);
	}

	/** False when there was no such rule. Rejects as `add` does. */
	async remove(rule: string, signal: AbortSignal): Promise<boolean> {
		return await this.#change((rules) => rules.filter((each) => each !== rule), signal);
	}

	async #change(changed: (rules: readonly string[]) => readonly string[], signal: AbortSignal): Promise<boolean> {
		const isOther = await withLock(
			`${this.#path}.db`,
			async () => {
				const folders = await this.#folders();
				const { projects } = await this.#read();
				const before = projects.find((project) => isSame(project.folders, folders));
				const rules = changed(before?.rules ?? []);
				const others = projects.filter((project) => project !== before);
				const file: RulesFile = { projects: rules.length === 0 ? others : [...others, { folders, rules: [...rules] }] };
				const checked = RulesFile.safeParse(file);
				if (!checked.success) {
					throw new ProwessError('INVALID_STATE', 'too many rules are kept; remove some that are not needed', {
						path: this.#path,
					});
				}
				const hasChanged = rules.length !== (before?.rules.length ?? 0);
				if (hasChanged) {
					await replaceDurably(this.#path, `${JSON.stringify(checked.data, null, '\t')}\n`);
				}
				return hasChanged;
			},
			signal,
		);
		await this.refresh(signal);
		return isOther;
	}

	async #find(): Promise<{ readonly rules: readonly string[]; readonly problem?: string }> {
		if (!this.hasProject) {
			return { rules: [] };
		}
		try {
			const file = await this.#readChanged();
			if (file.projects.length === 0) {
				return { rules: [] };
			}
			const folders = await this.#folders();
			return { rules: file.projects.find((project) => isSame(project.folders, folders))?.rules ?? [] };
		} catch (error) {
			return { rules: [], problem: messageOf(error) };
		}
	}

	/** Parsed again only when it looks different from outside. */
	async #readChanged(): Promise<RulesFile> {
		const stats = await stat(this.#path, { bigint: true }).catch(() => undefined);
		if (stats === undefined) {
			return { projects: [] };
		}
		const stamp = [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
		if (this.#known?.stamp !== stamp) {
			this.#known = { stamp, file: await this.#read() };
		}
		return this.#known.file;
	}

	async #read(): Promise<RulesFile> {
		const text = await readIfThere(this.#path);
		try {
			return text === undefined ? { projects: [] } : RulesFile.parse(JSON.parse(text));
		} catch (error) {
			const message = `${this.#path} cannot be read, so no rule of a project is in effect. Repair it, or move it away`;
			throw new ProwessError('INVALID_STATE', message, { path: this.#path }, error);
		}
	}

	/** By their real paths: another way to the same folder is the same project, a link to another one is not. */
	async #folders(): Promise<Folders> {
		const { folders } = this.#deps.workspace;
		if (folders.length === 0) {
			throw new ProwessError('INVALID_STATE', 'no folder is open, so there is no project to keep a rule for');
		}
		return await Promise.all(
			folders.map(async ({ name, path }) => {
				const real = await realpath(path);
				return folders.length === 1 ? { path: real } : { name, path: real };
			}),
		);
	}
}

/** The same folders under the same names, in whichever order. */
function isSame(a: Folders, b: Folders): boolean {
	const key = (folders: Folders) =>
		JSON.stringify(folders.map(({ name, path }) => JSON.stringify([name ?? null, path])).toSorted());
	return key(a) === key(b);
}
