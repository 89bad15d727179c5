/**
 * The sandbox of one command, from its first program to the end of its last one: they share its temporary folder. When it is
 * closed, it says what the command lacked, and what it left that steers other programs.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { withGitConfiguration } from '../environment.ts';
import { TRIED_ENTRIES } from './copy/limits.ts';
import { createEntryCommand, type SandboxEntry, entryFlags, type MountsLook } from './entry.ts';
import type { ProgramSandbox, SandboxRequest } from './command-wall.ts';
import type { CommandNetwork } from './network/command-network.ts';
import { missingRights } from './missing-rights.ts';
import { wrapInTerminal } from './pseudo-terminal.ts';
import type { GuardedPlace } from './mounts/guarded-place.ts';
import { MadeMounts } from './mounts/made-mounts.ts';
import type { Mounts } from './mounts/mounts.ts';
import { readFileStartSync } from '../paths/reading/read-regular-file.ts';
import { watchDisks } from './watch/disk-watch.ts';
import { watchFolders } from './watch/folder-watch.ts';
import { excessInWords, watchProcesses } from './watch/process-watch.ts';
import type { SandboxWatchLimits } from './watch/watch-limits.ts';
import { homeIn, SECRET_ATTRIBUTES } from './mounts/home-contents.ts';
import { type LayoutOptions, type SandboxLayout, sandboxLayout } from './mounts/sandbox-mounts.ts';

/** A bubblewrap that kept the program in, and what it was given besides mounts. */
export interface HeldSandbox {
	readonly bubblewrap: string;
	readonly flags: readonly string[];
	/** Undefined: system calls are not filtered here. */
	readonly filter: Buffer | undefined;
}

interface OpenSandboxOptions extends LayoutOptions {
	/** Work trees around the workspace that the sandbox does not show. */
	readonly notShown: readonly string[];
	/** Searches again for the places to guard; the result takes the place of `guarded`. */
	findGuarded(): readonly GuardedPlace[];
	/** A folder that was moved each time while `findGuarded` last looked, so that it may not have found all. */
	goneMeanwhile(): string | undefined;
	/** True while another command of the workspace runs, which may change it meanwhile. */
	isBeside(): boolean;
	/** Just before a program of the command starts. */
	onStart(): void;
	readonly held: HeldSandbox;
	readonly cwd: string;
	/** No process of the command ran meanwhile. */
	readonly onRested?: SandboxRequest['onRested'];
	/** Disposed of with the sandbox. Undefined: an empty one. */
	readonly network: CommandNetwork | undefined;
	readonly limits: SandboxWatchLimits;
	/** Once the command has ended: takes away what it planted, and says so; lets go of its folders. */
	tidy(): Promise<readonly string[]>;
}

/** Where bubblewrap makes the mounts, before it takes that place for its root. */
const ROOT_IN_THE_MAKING = '/newroot';

export class OpenSandbox implements ProgramSandbox {
	readonly hasOwnProcesses = true;
	/** Environment of the programs in the sandbox. */
	readonly environment: Readonly<Record<string, string>>;
	readonly #options: OpenSandboxOptions;
	#layout: SandboxLayout;
	#guarded: readonly GuardedPlace[];
	readonly #exceeded = new Set<string>();
	/** Programs that run, and when the last of them began or ended. */
	readonly #watched = { programs: 0, sinceMs: 0 };
	#closed: Promise<readonly string[]> | undefined;

	constructor(options: OpenSandboxOptions) {
		this.#options = options;
		const home = homeIn(options.environment);
		const environment = {
			...withoutTemporary(options.environment),
			HOME: home,
			TMPDIR: '/tmp',
			...options.network?.environment,
		};
		this.environment = options.isWritable
			? environment
			: withGitConfiguration(environment, { 'core.attributesFile': join(home, SECRET_ATTRIBUTES) });
		this.#guarded = options.guarded;
		this.#layout = sandboxLayout(options);
	}

	get temporary(): string {
		return this.#layout.temporary;
	}

	get #mounts(): Mounts {
		return this.#layout.mounts;
	}

	enter(file: string, args: readonly string[], hasOneOutput = false, terminal?: string): SandboxEntry {
		const { held, cwd, network, environment } = this.#options;
		this.#refuseWithoutInterpreter(file);
		const own = this.#mounts.isHidden(file) && existsSync(file) ? ['--ro-bind', realpathSync(file), file] : [];
		const { bubblewrap, filter } = held;
		const check = {
			look: (mountinfo: string, areMade: boolean) => this.#look(mountinfo, areMade),
			isBeside: () => this.#options.isBeside(),
		};
		const shell = environment['SHELL'];
		const started = terminal === undefined ? { file, args } : wrapInTerminal(terminal, { file, args, shell });
		const command = createEntryCommand(started.file, started.args, hasOneOutput);
		const flags = [...this.#mounts.flags, ...own, '--chdir', cwd, ...held.flags, ...entryFlags(filter)];
		if (network === undefined) {
			return {
				file: bubblewrap,
				args: [...flags, '--', ...command],
				gate: { filter, ...check },
			};
		}
		const [helper, ...words] = network.enter;
		const inNetwork = [...words, bubblewrap, ...flags, '--share-net', '--', ...command];
		return { file: helper, args: inNetwork, gate: { filter, ...check } };
	}

	/** Finds anew what is to be guarded, for another try. */
	renew(): void {
		this.#guarded = this.#options.findGuarded();
		this.#layout = sandboxLayout({ ...this.#options, guarded: this.#guarded });
	}

	#look(mountinfo: string, areMade: boolean): MountsLook {
		const shown = this.temporary.slice(dirname(this.#options.own.root).length);
		const seenAt = (place: string) => {
			const made = new MadeMounts(mountinfo, place);
			return made.shows('/tmp', shown) ? made : undefined;
		};
		const made = (areMade ? seenAt(ROOT_IN_THE_MAKING) : undefined) ?? seenAt('');
		if (made === undefined) {
			return 'not made';
		}
		const exchanged = made.exchanged(this.#mounts.binds) ?? this.#unguarded();
		if (exchanged !== undefined) {
			return { exchanged };
		}
		this.#options.onStart();
		return 'as meant';
	}

	/**
	 * Returns a place to guard that was missing, or of another kind, when the mounts were computed; or a folder that
	 * the search may have missed.
	 */
	#unguarded(): string | undefined {
		if (!this.#options.isBeside()) {
			return undefined;
		}
		const known = new Set(this.#guarded.map(({ path, kind }) => `${kind} ${path}`));
		const unknown = this.#options.findGuarded().find(({ path, kind }) => !known.has(`${kind} ${path}`));
		return unknown?.path ?? this.#options.goneMeanwhile();
	}

	/** bubblewrap would start, and then say so in the program's output. */
	#refuseWithoutInterpreter(file: string): void {
		const interpreter = readInterpreter(file);
		if (interpreter === undefined) {
			return;
		}
		if (!existsSync(interpreter)) {
			throw Object.assign(new Error(`${interpreter} does not exist`), { code: 'ENOENT' });
		}
		if (this.#mounts.isHidden(interpreter)) {
			throw new Error(`the sandbox hides its interpreter; ask with needs.read ["${interpreter}"]`);
		}
	}

	/** Ends a program, by `kill`, that takes more of the machine than it may; `bubblewrap` is what `enter` was started as. */
	watch(bubblewrap: number, kill: () => void): Disposable {
		const { limits, roots, own, copy } = this.#options;
		const endExceeded = (why: string) => {
			this.#exceeded.add(why);
			kill();
		};
		this.#noteProgram(1);
		const processes = watchProcesses(
			bubblewrap,
			limits,
			(excess) => endExceeded(`The command was ended: ${excessInWords(excess)}.`),
			{
				isSandboxed: true,
				onRested: (time) => {
					// Beside it, another program of the command may run.
					const isOnly = this.#watched.programs === 1 && time.fromMs >= this.#watched.sinceMs;
					if (isOnly) this.#options.onRested?.(time);
				},
			},
		);
		const folders = watchFolders([this.temporary, own.home], limits.temporaryBytes, endExceeded);
		const onCopy = { where: 'on the copy of the workspace', files: TRIED_ENTRIES };
		const copied = copy && watchFolders([copy.folder], limits.copyBytes, endExceeded, onCopy);
		const disks = watchDisks([...roots, own.root], limits.diskReserveBytes, endExceeded);
		return {
			dispose: () => {
				this.#noteProgram(-1);
				processes.dispose();
				folders.dispose();
				copied?.dispose();
				disks.dispose();
			},
		};
	}

	#noteProgram(change: 1 | -1): void {
		this.#watched.programs += change;
		this.#watched.sinceMs = Date.now();
	}

	/**
	 * Once all its programs have ended. `failure`: the end of the output of a command that failed. Resolves with sentences on what
	 * it was kept from; never rejects.
	 */
	close(failure: string | undefined): Promise<readonly string[]> {
		this.#closed ??= this.#close(failure);
		return this.#closed;
	}

	async #close(failure: string | undefined): Promise<readonly string[]> {
		const { cwd, roots, notShown, placeholders, network, tidy } = this.#options;
		const guarded = this.#guarded;
		network?.dispose();
		const { HOME: home = '' } = this.environment;
		const facts = {
			cwd,
			roots,
			notShown,
			home,
			guarded,
			placeholders,
			isHidden: (path: string) => this.#mounts.isHidden(path),
		};
		const lacked = failure === undefined ? [] : missingRights(failure, facts);
		return [...this.#exceeded, ...(await tidy()), ...lacked, ...refusedHosts(network)];
	}
}

/** Returns the hosts that the proxy refused, each with the request that would allow it. */
function refusedHosts(network: CommandNetwork | undefined): string[] {
	return (network?.refused ?? []).map(
		(host) => `${host} was refused. To reach it, ask with needs.network ["${host}"], or allow "net.connect ${host}".`,
	);
}

function withoutTemporary(environment: Readonly<Record<string, string>>): Record<string, string> {
	return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(?:TMP|TEMP|TMPDIR)$/.test(name)));
}

/** Length of the first line that the system reads. */
const LINE_BYTES = 256;

/** Returns the program that the first line of a script names; undefined for what is no script, or cannot be read. */
function readInterpreter(file: string): string | undefined {
	try {
		return /^#![ \t]*([^ \t\n\0]+)/.exec(readFileStartSync(file, LINE_BYTES).toString('latin1'))?.[1];
	} catch {
		// A file may be executable without being readable.
		return undefined;
	}
}
