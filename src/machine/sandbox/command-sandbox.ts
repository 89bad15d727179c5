/**
 * Sandbox of commands. A program sees the machine read-only, without the homes of users, and changes only the workspace
 * and folders of its own; in the workspace it neither reads secrets nor changes files that steer other programs. Hosts
 * are reached through a proxy that asks the gate, and no process outlives its command. Each host tries out once which
 * sandbox works, and assumes none.
 */
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { Text } from '../../protocol/text/text.ts';
import { removeLeftCopies } from './copy/workspace-copy.ts';
import { findTreesAbove, guardTreesAbove } from './mounts/repository-above.ts';
import type { CommandWall, SandboxProof, SandboxRequest, SandboxUse } from './command-wall.ts';
import type { GuardedPlace } from './mounts/guarded-place.ts';
import { GuardedPlaces } from './mounts/guarded-places.ts';
import { isInFolder } from './mounts/mounts.ts';
import { COPY_TIMEOUT_MS, GUARDED_PLACES } from './limits.ts';
import type { CommandNetwork, HostGate } from './network/command-network.ts';
import type { SandboxNetworks } from './network/sandbox-networks.ts';
import { OpenSandbox } from './open-sandbox.ts';
import { KnownPackages } from './packages/known-packages.ts';
import type { FindPutIntoGit } from './left/git-state.ts';
import { HeldFiles } from './left/held-files.ts';
import { removeOddEntries } from './left/odd-entries.ts';
import { Placeholders } from './left/placeholders.ts';
import type * as WhatIsLeftModule from './left/take-what-is-left.ts';
import type { CommandThatLeaves } from './left/take-what-is-left.ts';
import { ToolRepositories } from './left/tool-repositories.ts';
import { listPlantedRepositories, type SteeringFiles, steeringFiles } from './left/planted-files.ts';
import { KeptProof, whatItDependsOn } from './proof/kept-proof.ts';
import { SandboxTrial } from './proof/sandbox-trial.ts';
import { WATCH_LIMITS, type SandboxWatchLimits } from './watch/watch-limits.ts';
import { steersByName } from '../paths/names/protected-names.ts';
import { Quarantine } from './left/quarantine.ts';
import { type CommandFolders, SandboxFolders } from './sandbox-folders.ts';
import { ThreadTemporaries } from './thread-temporaries.ts';
import {
	describeUnfitWorkspace,
	findRealPath,
	GUARDED_IN_PART,
	listLinksAbove,
	resolveParentFolder,
} from './unfit-workspace.ts';
import { proveSandbox } from './proof/sandbox-proof.ts';

interface CommandSandboxDeps {
	/** PROWESS_HOME. */
	readonly home: string;
	/** Folders of the workspace as they are now, absolute; and other paths by which the user has opened them. */
	folders(): readonly string[];
	readonly openedBy?: readonly string[] | undefined;
	/** Where bubblewrap may lie, best first. */
	bubblewrapCandidates(): readonly string[];
	/** Absent: commands have an empty network. */
	readonly networks?: SandboxNetworks;
	/** Absent: nobody looks for what commands put into Git. */
	readonly findPutIntoGit?: FindPutIntoGit;
	/** Limits on the machine's resources for a single program. Default: limits that suit the machine. */
	readonly limits?: SandboxWatchLimits;
	/** Time after which a sandbox that did not work is tried again. Default: a minute. */
	readonly probeRetryMs?: number;
}

/** A command that runs. */
interface SandboxedCommand extends CommandThatLeaves {
	/** Pipes, sockets and devices that were there before, absolute. */
	readonly odd: ReadonlySet<string>;
	/** Paths that may appear: they were let, to it or to another that runs beside it. */
	readonly let: Set<string>;
	/** True when it may change the workspace itself. */
	readonly isWriter: boolean;
}

export class CommandSandbox implements CommandWall {
	readonly #deps: CommandSandboxDeps;
	readonly #folders: SandboxFolders;
	readonly #temporaries: ThreadTemporaries;
	readonly #guarded: GuardedPlaces;
	readonly #toolRepositories: ToolRepositories;
	readonly #packages = new KnownPackages();
	readonly #placeholders = new Placeholders();
	readonly #quarantine: Quarantine;
	readonly #kept: KeptProof;
	readonly #held: HeldFiles;
	#gitStates: WhatIsLeftModule.GitStates | undefined;
	readonly #running = new Set<SandboxedCommand>();
	readonly #trial: SandboxTrial;
	/** Called when a trial in this process fails, after an earlier start had found that the sandbox works. */
	#warnLater: ((why: Text) => void) | undefined;

	constructor(deps: CommandSandboxDeps) {
		this.#deps = deps;
		this.#guarded = new GuardedPlaces(deps.home);
		this.#folders = new SandboxFolders(deps.home, deps.openedBy);
		this.#temporaries = new ThreadTemporaries(this.#folders);
		this.#quarantine = new Quarantine(deps.home);
		this.#kept = new KeptProof(deps.home);
		this.#trial = new SandboxTrial({
			folders: this.#folders,
			candidates: () => deps.bubblewrapCandidates(),
			retryMs: deps.probeRetryMs,
			onFailed: async (why) => {
				this.#warnLater?.(why);
				this.#warnLater = undefined;
				await this.#kept.drop();
			},
		});
		this.#held = new HeldFiles(deps.home, async () => (await this.#loadWhatIsLeft()).HeldInGit);
		this.#toolRepositories = new ToolRepositories({
			guarded: this.#guarded,
			take: async (paths, by) =>
				await (await this.#loadWhatIsLeft()).takePlantedFiles(paths, by, this.#held, this.#quarantine),
		});
		this.#held.takeLeft((roots, known) => {
			const found = steeringFiles(this.#guardedIn(roots.flatMap((root) => findRealPath(root) ?? [])));
			return [...found.files.keys()].filter((path) => !known.includes(path));
		});
		this.#folders.removeLeft();
		void this.#quarantine.removeOld();
		void removeLeftCopies(deps.home);
	}

	async state(): Promise<SandboxUse> {
		const held = await this.#trial.run();
		if (!('bubblewrap' in held)) return { works: false, why: held };
		const why = describeUnfitWorkspace(this.#deps.folders());
		return why === undefined ? { works: true } : { works: false, why };
	}

	async warnUnsandboxed(warn: (why: Text) => void): Promise<void> {
		await this.#held.ready();
		const [bubblewrap] = this.#trial.candidates();
		// Before the proof: what is exchanged while it is made was not proven.
		const on = bubblewrap === undefined ? undefined : whatItDependsOn(bubblewrap);
		const isKept = on !== undefined && (await this.#kept.holds(on));
		const why = describeUnfitWorkspace(this.#deps.folders());
		if (isKept && why === undefined) {
			this.#warnLater = warn;
			return;
		}
		const use = await this.state();
		if (!use.works) warn(use.why);
		else if (on !== undefined) await this.#kept.keep(on);
	}

	hidesSecrets(): boolean {
		const roots = this.#roots();
		return this.#isWhole(roots, this.#guardedIn(roots));
	}

	#isWhole(roots: readonly string[], guarded: readonly GuardedPlace[]): boolean {
		return guarded.length < GUARDED_PLACES && roots.every((root) => this.#guarded.isComplete(root));
	}

	async prove(environment: Readonly<Record<string, string>>): Promise<SandboxProof | undefined> {
		await this.#trial.forgetFailure();
		this.#deps.networks?.tryAgain();
		const held = await this.#trial.run();
		if (!('bubblewrap' in held)) return undefined;
		const own = await this.#folders.make([], environment);
		try {
			return await proveSandbox({ held, own, home: this.#deps.home, environment });
		} finally {
			this.#folders.remove(own);
		}
	}

	async open(request: SandboxRequest): Promise<OpenSandbox> {
		const { cwd, environment, reach, isWritable, isBackground, network, copy, thread, onRested } = request;
		const held = await this.#trial.run();
		const roots = this.#roots();
		if (!('bubblewrap' in held) || describeUnfitWorkspace(roots) !== undefined) {
			throw new Error('a command was to run in a sandbox that does not work here');
		}
		const { gitStates } = await this.#loadWhatIsLeft();
		await this.#toolRepositories.begin(roots);
		const beganMs = Date.now();
		const guarded = this.#guardedIn(roots);
		const trees = findTreesAbove(roots, this.#deps.home).map((tree) => ({ tree, places: this.#guarded.find(tree) }));
		const { above, notShown } = guardTreesAbove(roots, trees, ({ tree, places }) => this.#isWhole([tree], places));
		const own = await this.#folders.make(roots, environment, this.#deps.folders());
		await this.#givePackages(own, roots, request);
		const isWhole = this.#isWhole(roots, guarded);
		// Pipes and sockets of a command that runs already may be in use until it has ended.
		const odd =
			this.#running.values().next().value?.odd ?? new Set(roots.flatMap((root) => this.#guarded.findOdd(root)));
		const isWriter = isWritable && copy === undefined;
		// A folder that holds the workspace lets nothing in that is guarded.
		const letIn = reach.write.filter((path) => !roots.some((root) => isInFolder(root, path)));
		const places = [...guarded, ...above.flatMap(({ repository }) => repository)];
		const found = steeringFiles(places);
		const running = {
			roots,
			trees: above.map(({ tree }) => tree),
			found,
			held: this.#heldIn(found),
			whole: roots.filter((root) => this.#guarded.isComplete(root)),
			inGit: isWriter ? gitStates.read(places, this.#running) : [],
			environment,
			beganMs,
			odd,
			let: new Set(letIn),
			isWriter,
			isBackground,
		};
		const repositories = isBackground() ? listPlantedRepositories(guarded, found) : undefined;
		const placeholders = isWritable ? await this.#placeholders.add(roots, own.root, letIn, repositories) : [];
		const secret = guarded.filter(({ isSecret }) => isSecret);
		try {
			await copy?.fill(roots, (path) => secret.some((place) => isInFolder(path, place.path)));
		} catch (error) {
			await this.#placeholders.remove(placeholders, own.root);
			this.#folders.remove(own);
			throw error;
		}
		const temporary = thread === undefined ? undefined : await this.#temporaries.enter(thread).catch(() => undefined);
		this.#started(running);
		const endNote = isWriter && isBackground() ? this.#held.begin(roots, [...found.files.keys()]) : undefined;
		const besidesPlaceholders = (places: readonly GuardedPlace[]) =>
			places.filter(({ path }) => !placeholders.includes(path));
		return new OpenSandbox({
			held,
			own,
			temporary: temporary?.folder,
			home: this.#deps.home,
			roots,
			guarded: besidesPlaceholders(guarded),
			above,
			notShown,
			findGuarded: () => besidesPlaceholders(this.#guardedIn(roots)),
			goneMeanwhile: () => roots.map((root) => this.#guarded.goneIn(root)).find((path) => path !== undefined),
			isBeside: () => [...this.#running].some((other) => other !== running),
			onStart: () => this.#folders.started(own),
			placeholders,
			cwd,
			environment,
			limits: this.#deps.limits ?? WATCH_LIMITS,
			reach,
			isWritable,
			onRested,
			network,
			copy,
			tidy: async () => {
				const removed = this.#placeholders.remove(placeholders, own.root);
				const emptied = (await temporary?.leave()) ?? [];
				try {
					const said = isWhole ? emptied : [...emptied, GUARDED_IN_PART];
					return isWritable && copy === undefined ? [...said, ...(await this.#tidy(running))] : said;
				} catch (error) {
					return [
						`What the command left could not be checked: ${toErrorMessage(error)}. Look for files that steer other programs.`,
					];
				} finally {
					await removed;
					endNote?.();
					this.#running.delete(running);
					this.#folders.remove(own);
				}
			},
		});
	}

	async openNetwork(threadId: ThreadId | null, gate: HostGate): Promise<CommandNetwork | undefined> {
		const held = await this.#trial.run();
		return 'bubblewrap' in held ? await this.#deps.networks?.open(threadId, held.bubblewrap, gate) : undefined;
	}

	async connectInside(...to: Parameters<SandboxNetworks['connect']>) {
		return await this.#deps.networks?.connect(...to);
	}

	async endThread(threadId: ThreadId): Promise<void> {
		this.#temporaries.endThread(threadId);
		await this.#deps.networks?.endThread(threadId);
	}

	async close(): Promise<void> {
		this.#temporaries.close();
		await Promise.all([this.#toolRepositories.close(), this.#deps.networks?.close(), this.#folders.close()]);
	}

	expect(path: string): void {
		const real = resolveParentFolder(path);
		this.#held.letGo(real);
		for (const running of this.#running) running.let.add(real);
	}

	isHeld(path: string): boolean {
		return [path, ...listLinksAbove(path)].map(resolveParentFolder).some((real) => this.#isHeldThere(real));
	}

	#isHeldThere(real: string): boolean {
		const isIn = (places: Iterable<string>) => [...places].some((place) => isInFolder(real, place));
		const root = this.#roots().find((each) => isIn([each]));
		if (root === undefined || !steersByName(real.slice(root.length + 1).split('/'))) return false;
		const mayHaveMade = ({ isWriter, roots, found, let: allowed }: SandboxedCommand) =>
			isWriter && isIn(roots) && !isIn(found.files.keys()) && !isIn(allowed);
		const writers = [...this.#running].filter(({ isWriter }) => isWriter);
		return writers.some(mayHaveMade) || this.#held.isHeld(real, writers.length > 0);
	}

	held(): readonly string[] {
		return this.#held.list(this.#roots()).filter((path) => this.isHeld(path));
	}

	isPlaceholder(path: string): boolean {
		return this.#placeholders.standsFor(path, () => this.#folders.ofCommands());
	}

	async asCommand(write: () => Promise<void>): Promise<readonly string[]> {
		const roots = this.#roots();
		const { gitStates } = await this.#loadWhatIsLeft();
		await this.#toolRepositories.begin(roots);
		const beganMs = Date.now();
		const guarded = this.#guardedIn(roots);
		const found = steeringFiles(guarded);
		const odd = new Set(roots.flatMap((root) => this.#guarded.findOdd(root)));
		const running = {
			roots,
			trees: [],
			found,
			held: this.#heldIn(found),
			whole: roots.filter((root) => this.#guarded.isComplete(root)),
			inGit: gitStates.read(guarded, this.#running),
			environment: {},
			beganMs,
			odd,
			let: new Set<string>(),
			isWriter: true,
			isBackground: () => false,
		};
		this.#started(running);
		try {
			await write();
			return await this.#tidy(running, false);
		} finally {
			this.#running.delete(running);
		}
	}

	#roots(): readonly string[] {
		return this.#deps.folders().flatMap((path) => findRealPath(path) ?? []);
	}

	#heldIn({ files }: SteeringFiles): ReadonlySet<string> {
		return new Set(this.held().flatMap((path) => files.get(path) ?? []));
	}

	#guardedIn(roots: readonly string[]) {
		return roots.flatMap((root) => this.#guarded.find(root));
	}

	/** Copies the packages that the command's tools need; the others come from the network, if it may reach it. */
	async #givePackages(own: CommandFolders, roots: readonly string[], { cwd, environment, words }: SandboxRequest) {
		try {
			const folders = [cwd, ...roots].filter((folder) => roots.some((root) => isInFolder(folder, root)));
			await this.#packages.give({ own, folders, environment, words }, AbortSignal.timeout(COPY_TIMEOUT_MS));
		} catch {
			// A full disk, or a cache that another program changes: neither is a reason not to start.
		}
	}

	#started(running: SandboxedCommand): void {
		for (const other of this.#running) {
			for (const path of running.let) other.let.add(path);
			for (const path of other.let) running.let.add(path);
		}
		this.#running.add(running);
	}

	/** Loads what the first command needs when it has ended; no command starts without it. */
	async #loadWhatIsLeft(): Promise<typeof WhatIsLeftModule & { readonly gitStates: WhatIsLeftModule.GitStates }> {
		const left = await import('./left/take-what-is-left.ts');
		return { ...left, gitStates: (this.#gitStates ??= new left.GitStates()) };
	}

	/** Resolves with sentences on what the command left that steers other programs. `hasGit`: it may have reached Git's own files. */
	async #tidy(command: SandboxedCommand, hasGit = true): Promise<readonly string[]> {
		const { takeWhatIsLeft, gitStates } = await this.#loadWhatIsLeft();
		const said = await takeWhatIsLeft(command, {
			guarded: this.#guarded,
			held: this.#held,
			gitStates,
			findPutIntoGit: hasGit ? this.#deps.findPutIntoGit : undefined,
			isHeld: (path) => this.isHeld(path),
			quarantine: this.#quarantine,
			isPlaceholder: (path) => this.#placeholders.has(path),
		});
		return [...said, ...(await this.#removeOdd(command)), ...this.#toolRepositories.ended(command)];
	}

	/** Takes away pipes, sockets and devices that commands have left, once the last of those that ran beside each other has ended. */
	async #removeOdd(command: SandboxedCommand): Promise<readonly string[]> {
		if ([...this.#running].some((other) => other !== command)) return [];
		const known = [...command.odd, ...command.inGit.flatMap(({ odd }) => odd)];
		const left = [...command.roots.flatMap((root) => this.#guarded.findOdd(root)), ...(this.#gitStates?.odd ?? [])];
		const isLeft = (path: string) => !known.includes(path);
		return await removeOddEntries(left.filter(isLeft), command.roots);
	}
}
