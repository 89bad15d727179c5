/**
 * Keeps the rules that "Always allow in this project" saved. They lie in our home, by the real paths of the folders
 * they were made in, so that no file inside a project can bring or change one. All hosts of a home share them. A file
 * that cannot be read allows nothing.
 */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from '../../../../protocol/text/zod.ts';
import { ProwessError } from '../../../../protocol/errors/errors.ts';
import { text } from '../../../../protocol/text/text.ts';
import { LatestReading } from '../../../../machine/home-files/latest-reading.ts';
import { SharedJson } from '../../../../machine/home-files/shared-json.ts';
import type { LogPort, WorkspacePort } from '../../../../contract/ports/ports.ts';
import { approvalId } from '../../approvals/approval-origins.ts';
import { MAX_PROJECT_RULES, MAX_PROJECTS_WITH_RULES } from '../limits.ts';

/** The name of a folder counts where there are several: there, the paths in rules begin with it. */
const ProjectFolder = z.object({ name: z.string().max(1_024).optional(), path: z.string().max(4_096) });
const Project = z.object({
	folders: z.array(ProjectFolder).min(1).max(1_000),
	rules: z.array(z.string().max(1_000)).max(MAX_PROJECT_RULES),
});
const RulesFile = z.object({ projects: z.array(Project).max(MAX_PROJECTS_WITH_RULES) });
type RulesFile = z.infer<typeof RulesFile>;
type Projects = RulesFile['projects'];
type Folders = Projects[number]['folders'];

/** A rule with the project it counts in. */
interface ProjectRule {
	/** Id of the rule among the kept approvals. */
	readonly id: string;
	readonly rule: string;
	/** Real paths. */
	readonly folders: readonly string[];
	/** The project is the one that is open here. */
	readonly isOpen: boolean;
}

interface ProjectRulesDeps {
	readonly home: string;
	readonly workspace: Pick<WorkspacePort, 'folders'>;
	readonly log: Pick<LogPort, 'warn'>;
}

export class ProjectRules {
	readonly #deps: ProjectRulesDeps;
	readonly #file: SharedJson<RulesFile>;
	readonly #rules: LatestReading<readonly string[]>;

	constructor(deps: ProjectRulesDeps) {
		this.#deps = deps;
		this.#file = new SharedJson({
			path: join(deps.home, 'project-rules.json'),
			schema: RulesFile,
			empty: { projects: [] },
			consequence: text('no rule of a project is in effect'),
			misfit: 'too many rules are kept; remove some that are not needed',
		});
		this.#rules = new LatestReading<readonly string[]>({ read: () => this.#find(), empty: [], log: deps.log });
	}

	/** Without a folder there is no project to keep rules for. */
	get hasProject(): boolean {
		return this.#deps.workspace.folders.length > 0;
	}

	/** Rules that the last `refresh` found. */
	get current(): readonly string[] {
		return this.#rules.current;
	}

	/** Why no rule of any project counts; undefined: the file can be read, or there is none. */
	get problem(): string | undefined {
		return this.#rules.problem;
	}

	/** Brings the rules up to date: they are at least as new as this call. Rejects only when the signal aborts. */
	async refresh(signal: AbortSignal): Promise<void> {
		await this.#rules.refresh(signal);
	}

	/**
	 * Reads the rules of every project, those of this host's project first. Rejects with INVALID_STATE when the file
	 * cannot be read.
	 */
	async all(): Promise<readonly ProjectRule[]> {
		const { projects } = await this.#file.read();
		const open = this.hasProject && projects.length > 0 ? createProjectKey(await this.#folders()) : undefined;
		return projects
			.flatMap(({ folders, rules }) =>
				rules.map((rule) => ({
					id: createProjectRuleId(folders, rule),
					rule,
					folders: folders.map(({ path }) => path),
					isOpen: createProjectKey(folders) === open,
				})),
			)
			.toSorted((a, b) => Number(b.isOpen) - Number(a.isOpen));
	}

	/** The id of the rule. Rejects with INVALID_STATE when there is no project, or the file cannot be read. */
	async add(rule: string, signal: AbortSignal): Promise<string> {
		const folders = await this.#folders();
		await this.#change((projects) => {
			const mine = projects.find((project) => createProjectKey(project.folders) === createProjectKey(folders)) ?? {
				folders,
				rules: [],
			};
			return mine.rules.includes(rule)
				? projects
				: [...projects.filter((project) => project !== mine), { folders, rules: [...mine.rules, rule] }];
		}, signal);
		return createProjectRuleId(folders, rule);
	}

	/**
	 * Removes the rules with these ids, of any project. Resolves with the number removed; rejects when the file cannot
	 * be read.
	 */
	async remove(ids: readonly string[], signal: AbortSignal): Promise<number> {
		let count = 0;
		await this.#change((projects) => {
			const left = projects.map(({ folders, rules }) => ({
				folders,
				rules: rules.filter((rule) => !ids.includes(createProjectRuleId(folders, rule))),
			}));
			count = countProjectRules(projects) - countProjectRules(left);
			return count === 0 ? projects : left.filter(({ rules }) => rules.length > 0);
		}, signal);
		return count;
	}

	/** Writes the projects that `changed` gives, unless they are the same ones. */
	async #change(changed: (projects: Projects) => Projects, signal: AbortSignal): Promise<void> {
		await this.#file.change((file) => {
			const projects = changed(file.projects);
			return projects === file.projects ? file : { projects };
		}, signal);
		await this.refresh(signal);
	}

	async #find(): Promise<readonly string[]> {
		const { projects } = this.hasProject ? await this.#file.read() : { projects: [] };
		if (projects.length === 0) {
			return [];
		}
		const key = createProjectKey(await this.#folders());
		return projects.find(({ folders }) => createProjectKey(folders) === key)?.rules ?? [];
	}

	/**
	 * Returns the real paths of the open folders: another way to the same folder is the same project, a link to another
	 * one is not. Rejects with INVALID_STATE when no folder is open.
	 */
	async #folders(): Promise<Folders> {
		const { folders } = this.#deps.workspace;
		if (folders.length === 0) {
			throw new ProwessError('INVALID_STATE', 'no folder is open, so there is no project to keep a rule for', {
				said: text('No folder is open, so there is no project to keep a rule for.'),
			});
		}
		return await Promise.all(
			folders.map(async ({ name, path }) => {
				const real = await realpath(path);
				return folders.length === 1 ? { path: real } : { name, path: real };
			}),
		);
	}
}

/** The same for the same folders under the same names, in whichever order. */
function createProjectKey(folders: Folders): string {
	return JSON.stringify(folders.map(({ name, path }) => JSON.stringify([name ?? null, path])).toSorted());
}

function createProjectRuleId(folders: Folders, rule: string): string {
	return approvalId('project', createProjectKey(folders), rule);
}

function countProjectRules(projects: Projects): number {
	return projects.reduce((count, { rules }) => count + rules.length, 0);
}
