/**
 * Takes away the repositories that commands made in folders that tools fill. To look through these takes longer than many a
 * command, so it is done once no command has ended for a moment, and the next command tells what was found.
 */
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { TOOLS_LOOK_REST_MS } from '../limits.ts';
import type { GuardedPlaces } from '../mounts/guarded-places.ts';
import { isInFolder } from '../mounts/mounts.ts';
import { findPlantedPaths, type SteeringFiles, steeringFiles } from './planted-files.ts';

/** Commands that ended since the last look. */
interface EndedCommands {
	readonly roots: Set<string>;
	/** Paths that a person let them create. */
	readonly let: Set<string>;
	isBackground: boolean;
}

interface EndedInSandbox {
	readonly roots: readonly string[];
	readonly let: ReadonlySet<string>;
	isBackground(): boolean;
}

interface ToolRepositoriesDeps {
	readonly guarded: GuardedPlaces;
	/** Resolves with a sentence on each of the paths. */
	take(
		paths: readonly string[],
		by: { readonly roots: readonly string[]; readonly found: SteeringFiles; readonly isBackground: boolean },
	): Promise<readonly string[]>;
}

export class ToolRepositories {
	readonly #deps: ToolRepositoriesDeps;
	/** Repositories of each root when it was looked through last. */
	readonly #known = new Map<string, SteeringFiles>();
	#ended: EndedCommands | undefined;
	#timer: NodeJS.Timeout | undefined;
	#looking: Promise<void> = Promise.resolve();
	#said: string[] = [];

	constructor(deps: ToolRepositoriesDeps) {
		this.#deps = deps;
	}

	/** Before the first command there: what lies there already is not a command's. */
	async begin(roots: readonly string[]): Promise<void> {
		for (const root of roots.filter((each) => !this.#known.has(each))) {
			await this.#deps.guarded.lookAtTools(root);
			this.#known.set(root, this.#find(root));
		}
	}

	/** A command has ended. Returns sentences on what earlier ones have left. */
	ended(command: EndedInSandbox): readonly string[] {
		const ended = (this.#ended ??= { roots: new Set(), let: new Set(), isBackground: false });
		for (const root of command.roots) ended.roots.add(root);
		for (const path of command.let) ended.let.add(path);
		ended.isBackground ||= command.isBackground();
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => void this.#lookSoon(), TOOLS_LOOK_REST_MS).unref();
		const said = this.#said;
		this.#said = [];
		return said;
	}

	/** Looks at once where a look is due. */
	async close(): Promise<void> {
		clearTimeout(this.#timer);
		await this.#lookSoon();
	}

	async #lookSoon(): Promise<void> {
		const ended = this.#ended;
		this.#ended = undefined;
		if (ended !== undefined) this.#looking = this.#looking.then(() => this.#look(ended));
		await this.#looking;
	}

	async #look(ended: EndedCommands): Promise<void> {
		const roots = [...ended.roots];
		for (const root of roots) {
			try {
				await this.#deps.guarded.lookAtTools(root);
				const before = this.#known.get(root);
				const now = this.#find(root);
				this.#known.set(root, now);
				const planted = before === undefined ? [] : findPlantedPaths(before, now);
				const left = planted.filter((path) => ![...ended.let].some((place) => isInFolder(path, place)));
				this.#said.push(...(await this.#deps.take(left, { roots, found: now, isBackground: ended.isBackground })));
			} catch (error) {
				this.#said.push(
					`What commands left in folders of tools could not be checked: ${toErrorMessage(error)}. Look for repositories there.`,
				);
			}
		}
	}

	#find(root: string): SteeringFiles {
		return steeringFiles(this.#deps.guarded.toolRepositoriesIn(root));
	}
}
