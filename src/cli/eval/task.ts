/** Task of an evaluation, whatever the form in which a folder holds it. */

export interface TaskFile {
	/** Relative to the folder of the task's work, with `/`. */
	readonly path: string;
	/** Where its content lies. */
	readonly source: string;
	/** Replacement in its text; absent: it is taken as it is. */
	readonly replaced?: readonly [what: RegExp, by: string];
}

export interface EvalTask {
	/** Folder of the task, relative to the set, with `/`. */
	readonly name: string;
	readonly prompt: string;
	/** Files that the agent begins with. */
	readonly files: readonly TaskFile[];
	/** Files that are laid over the agent's work before the check, in a copy that the agent never sees. */
	readonly hidden: readonly TaskFile[];
	/** Files of the agent's that it must not change. */
	readonly tests: readonly string[];
	/** Command that decides, in that copy: exit code 0 is a pass. */
	readonly check: string;
	readonly turnMs: number;
	readonly checkMs: number;
	/** Rounds of tool calls for each try; undefined: as many as a turn may have. */
	readonly rounds: number | undefined;
	/** US dollars for each try; undefined: no limit. */
	readonly maxCost: number | undefined;
}
