/**
 * The sandbox of commands on macOS, by Seatbelt. Nobody can know beforehand what a version of the system enforces: it counts
 * only after a program behind it has tried to get out on this machine, with this workspace's rules, and failed every time.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { joinTextsWithCommas, text, type Text } from '../../../protocol/text/text.ts';
import { findRealPath, describeUnfitWorkspace } from '../unfit-workspace.ts';
import type { CommandWall, ProgramSandbox, SandboxProof, SandboxRequest, SandboxUse } from '../command-wall.ts';
import { MAX_FILES_OF_PROCESS, MAX_PROCESSES_OF_USER, PROBE_RETRY_MS } from '../limits.ts';
import type { CommandNetwork } from '../network/command-network.ts';
import { placesFor } from '../proof/sandbox-proof.ts';
import { SandboxFolders } from '../sandbox-folders.ts';
import { diskLimitsInWords, WATCH_LIMITS } from '../watch/watch-limits.ts';

/** Where it has always been. */
export const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

interface SeatbeltDeps {
	/** PROWESS_HOME. */
	readonly home: string;
	/** Folders of the workspace as they are now, absolute. */
	folders(): readonly string[];
	/** sandbox-exec. */
	readonly program: string;
}

interface SeatbeltTrial {
	readonly outcome: Promise<SandboxProof['attempts'] | Text>;
	/** Time from which a failed trial is repeated. */
	until: number;
}

/** For the doctor; each as words. */
const seatbeltLimits = [
	text('{n} processes of your user', { n: MAX_PROCESSES_OF_USER }),
	text('{n} open files of each process', { n: MAX_FILES_OF_PROCESS }),
	text('16 GB in a file'),
	...diskLimitsInWords(WATCH_LIMITS),
];

export class SeatbeltWall implements CommandWall {
	readonly #deps: SeatbeltDeps;
	readonly #folders: SandboxFolders;
	#tried: SeatbeltTrial | undefined;

	constructor(deps: SeatbeltDeps) {
		this.#deps = deps;
		this.#folders = new SandboxFolders(deps.home);
	}

	async state(): Promise<SandboxUse> {
		const outcome = await this.#attempts();
		const why = isProven(outcome) ? describeUnfitWorkspace(this.#deps.folders()) : whyNot(outcome);
		return why === undefined ? { works: true } : { works: false, why };
	}

	/** Warns as soon as the trial has failed: unlike bubblewrap's, its proof is not kept between starts. */
	async warnUnsandboxed(warn: (why: Text) => void): Promise<void> {
		const use = await this.state();
		if (!use.works) warn(use.why);
	}

	/** Returns true: Seatbelt judges every path by its name when it is used. */
	hidesSecrets(): boolean {
		return true;
	}

	async prove(environment: Readonly<Record<string, string>>): Promise<SandboxProof | undefined> {
		this.#tried = undefined;
		const attempts = await this.#attempts();
		return isProven(attempts)
			? { by: this.#deps.program, attempts, ...placesFor(environment, this.#deps.home), limits: seatbeltLimits }
			: undefined;
	}

	async open({ environment, reach, isWritable }: SandboxRequest): Promise<ProgramSandbox> {
		const { home, folders, program } = this.#deps;
		const roots = folders().flatMap((path) => findRealPath(path) ?? []);
		if (!isProven(await this.#attempts()) || describeUnfitWorkspace(roots) !== undefined) {
			throw new Error('a command was to run in a sandbox that does not work here');
		}
		const { OpenSeatbelt } = await import('./prove-seatbelt.ts');
		const own = await this.#folders.make(roots, environment);
		const tidy = () => this.#folders.remove(own);
		try {
			return new OpenSeatbelt({
				program,
				own,
				home,
				roots,
				environment,
				limits: WATCH_LIMITS,
				reach,
				isWritable,
				tidy,
			});
		} catch (error) {
			tidy();
			throw error;
		}
	}

	/** Commands have no network at all. */
	openNetwork(): Promise<CommandNetwork | undefined> {
		return Promise.resolve(undefined);
	}

	endThread(): Promise<void> {
		return Promise.resolve();
	}

	/** Does not act: commands cannot make files that steer other programs, so no search follows a command. */
	expect(): void {}

	/** Returns false: commands cannot make such files. */
	isHeld(): boolean {
		return false;
	}

	held(): readonly string[] {
		return [];
	}

	/** Returns false: Seatbelt guards names that do not exist without a folder in their place. */
	isPlaceholder(): boolean {
		return false;
	}

	async close(): Promise<void> {
		await this.#folders.close();
	}

	#attempts(): SeatbeltTrial['outcome'] {
		if (this.#tried === undefined || performance.now() >= this.#tried.until) {
			const tried: SeatbeltTrial = { outcome: this.#try(), until: Infinity };
			this.#tried = tried;
			void tried.outcome.then((outcome) => {
				if (!isProven(outcome)) tried.until = performance.now() + PROBE_RETRY_MS;
			});
		}
		return this.#tried.outcome;
	}

	async #try(): SeatbeltTrial['outcome'] {
		const { home, program } = this.#deps;
		if (!existsSync(program)) {
			return text('Prowess has no sandbox for commands on this system.');
		}
		try {
			const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: join(home, 'no-home') };
			const own = await this.#folders.make([], environment);
			const tidy = () => this.#folders.remove(own);
			const { seatbeltAttempts } = await import('./prove-seatbelt.ts');
			return (
				(await seatbeltAttempts({ program, own, home, environment, limits: WATCH_LIMITS, tidy })) ??
				text('Seatbelt does not work here: no program starts in it.')
			);
		} catch (error) {
			return text('Seatbelt does not work here: {why}', { why: toErrorMessage(error) });
		}
	}
}

function isProven(outcome: SandboxProof['attempts'] | Text): outcome is SandboxProof['attempts'] {
	return Array.isArray(outcome) && outcome.length > 0 && outcome.every(({ isKept }) => isKept);
}

function whyNot(outcome: SandboxProof['attempts'] | Text): Text {
	const through = Array.isArray(outcome) ? outcome.filter(({ isKept }) => !isKept).map(({ what }) => what) : [];
	return Array.isArray(outcome)
		? text('Seatbelt does not keep commands in here, so it is not used: {what}.', {
				what: joinTextsWithCommas(through),
			})
		: (outcome as Text);
}
