/**
 * Hosts of worktrees, inside the host of their project: each has the folder of one worktree, and shares who is asked and what is
 * recorded. Ops of a thread that works in a worktree are performed there. While a turn works in one, no other process does.
 */
import { basename } from 'node:path';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { asProwessError } from '../contract/ops/op-implementation.ts';
import type { PerformOp } from '../contract/ops/perform-op.ts';
import type { HostPorts, WorkspacePort } from '../contract/ports/ports.ts';
import { BoundThreads, type BoundWorktree, worktreeName } from '../features/worktrees/bound-threads.ts';
import { markCheckScripts } from '../features/goal/until/check-scripts.ts';
import { worktreeOrigin } from '../features/worktrees/worktree-origin.ts';
import {
	createWorktreeRegister,
	type OwnedWorktrees,
	type WorktreeRegisterParts,
} from '../features/worktrees/worktree-register.ts';
import { ProwessError } from '../protocol/errors/errors.ts';
import { runAgreedCommand } from '../contract/ops/agreed-command.ts';
import { CommandState } from '../protocol/ops/definitions/commands/shell.ts';
import { resolveProjectKey } from '../machine/home-files/project-name.ts';
import type { ThreadId, TurnId } from '../protocol/rpc/ids.ts';
import { text } from '../protocol/text/text.ts';
import type { OpError } from '../protocol/turn/broker.ts';
import type { AgentRecords } from '../trust/gate/access/agent-records.ts';

interface WorktreeHostsDeps<Host> {
	readonly ports: HostPorts;
	readonly agents: Pick<AgentRecords, 'of' | 'ancestorsOf'>;
	/** Composes the host of a worktree. */
	compose(ports: HostPorts): Promise<Host>;
	/** Rejects with INVALID_STATE while another process works in it. */
	hold(name: string): Promise<Disposable>;
}

/** `host` undefined: the thread works in the folder of this host. `error`: it cannot work. */
type PlaceOfThread<Host> = { readonly host: Host | undefined } | { readonly error: OpError };

interface OpenedWorktreeHost<Host> {
	readonly name: string;
	readonly host: Promise<Host>;
	/** Undefined until it is composed. */
	ready: Host | undefined;
	/** Turns that work in it. */
	readonly turns: Set<TurnId>;
	held: Promise<Disposable> | undefined;
}

export class WorktreeHosts<Host extends { close(): Promise<void> }> {
	readonly #deps: WorktreeHostsDeps<Host>;
	/** Hosts by folder. */
	readonly #opened = new Map<string, OpenedWorktreeHost<Host>>();
	readonly #bound: BoundThreads | undefined;
	readonly #composed = new Emitter<Host>();
	readonly onDidCompose = this.#composed.event;

	constructor(deps: WorktreeHostsDeps<Host>) {
		this.#deps = deps;
		const { workspace, places } = deps.ports;
		const [folder] = workspace.origin === undefined ? workspace.folders : [];
		this.#bound = folder === undefined ? undefined : new BoundThreads(places.home, resolveProjectKey(folder.path));
	}

	/** Name of the worktree that a thread works in; a sub-agent without one of its own works where its parent does. */
	nameOf(threadId: ThreadId): string | undefined {
		return this.#findPlace(threadId)?.name;
	}

	/** Undefined: the thread works in the folder of this host. Throws INVALID_STATE where its worktree is gone or damaged. */
	of(threadId: ThreadId | null): Promise<Host> | undefined {
		const place = threadId === null ? undefined : this.#findPlace(threadId);
		return place && this.#open(place).host;
	}

	/** Does as `of`, and resolves with the reason where the thread cannot work. */
	async find(threadId: ThreadId | null): Promise<PlaceOfThread<Host>> {
		return await hostOrRefusal(async () => await this.of(threadId));
	}

	/** Resolves with the host of the worktree in that folder. */
	at(folder: string): Promise<Host> {
		return this.#open({ name: worktreeOrigin(this.#deps.ports.places.home, folder)?.name ?? '', folder }).host;
	}

	/** The worktree that a thread works in; undefined: it works in the folder of this host, or nowhere any more. */
	placeOf(threadId: ThreadId): BoundWorktree | undefined {
		try {
			return this.#findPlace(threadId);
		} catch {
			return undefined;
		}
	}

	/** Hosts that are composed. */
	get now(): readonly Host[] {
		return [...this.#opened.values()].flatMap(({ ready }) => ready ?? []);
	}

	/** Does as `of`, and holds the worktree until that turn has ended. Rejects with INVALID_STATE while another process works in it. */
	enter(threadId: ThreadId, turnId: TurnId): Promise<Host> | undefined {
		const place = this.#findPlace(threadId);
		return place && this.#enter(this.#open(place), turnId);
	}

	ended(turnId: TurnId): void {
		for (const opened of this.#opened.values()) {
			if (opened.turns.delete(turnId) && opened.turns.size === 0) letGo(opened);
		}
	}

	endedAll(): void {
		for (const opened of this.#opened.values()) {
			opened.turns.clear();
			letGo(opened);
		}
	}

	/** Ends the host of a worktree, with all it has under way: it is about to go. */
	async drop(name: string): Promise<void> {
		const dropped = [...this.#opened].filter(([, opened]) => opened.name === name);
		for (const [folder, opened] of dropped) {
			this.#opened.delete(folder);
			await closeOpened(opened);
		}
	}

	async close(): Promise<void> {
		const all = [...this.#opened.values()];
		this.#opened.clear();
		await Promise.all(all.map(closeOpened));
	}

	#findPlace(threadId: ThreadId): BoundWorktree | undefined {
		if (this.#bound === undefined) return undefined;
		const { agents } = this.#deps;
		for (const id of [threadId, ...agents.ancestorsOf(threadId)]) {
			const place = this.#bound.of(id);
			if (place?.folder !== undefined) return place;
			if (place !== undefined) throw worktreeDamaged(place.name);
			const name = agents.of(id)?.worktree;
			if (name !== undefined) throw worktreeGone(name);
		}
		return undefined;
	}

	#open({ name, folder }: BoundWorktree): OpenedWorktreeHost<Host> {
		const known = this.#opened.get(folder);
		if (known !== undefined) return known;
		const host = this.#deps.compose(this.#portsIn(folder));
		const opened: OpenedWorktreeHost<Host> = { name, host, ready: undefined, turns: new Set(), held: undefined };
		this.#opened.set(folder, opened);
		host.then(
			(ready) => {
				opened.ready = ready;
				this.#composed.fire(ready);
			},
			() => this.#opened.delete(folder),
		);
		return opened;
	}

	#portsIn(folder: string): HostPorts {
		const { ports } = this.#deps;
		const { workspace, places, editorIn } = ports;
		const origin = worktreeOrigin(places.home, folder);
		if (origin === undefined) throw worktreeGone(basename(folder));
		const there: WorkspacePort = {
			folders: [{ name: basename(origin.project) || 'root', path: folder }],
			get isTrusted() {
				return workspace.isTrusted;
			},
			origin: { name: basename(origin.project) || 'root', path: origin.project },
			linked: origin.linked,
			usualEncoding: (path) => workspace.usualEncoding?.(path),
			onDidChange: workspace.onDidChange,
		};
		return { ...ports, workspace: there, editor: editorIn?.(there) };
	}

	async #enter(opened: OpenedWorktreeHost<Host>, turnId: TurnId): Promise<Host> {
		opened.turns.add(turnId);
		opened.held ??= this.#deps.hold(opened.name);
		try {
			await opened.held;
		} catch (error) {
			opened.turns.delete(turnId);
			opened.held = undefined;
			throw error;
		}
		return await opened.host;
	}
}

/** Resolves with what was found, or with why there is nothing. */
export async function hostOrRefusal<Host>(find: () => Promise<Host | undefined>): Promise<PlaceOfThread<Host>> {
	try {
		return { host: await find() };
	} catch (error) {
		const { code, message, facts } = asProwessError(error, 'entering the worktree');
		return { error: { code, message, facts } };
	}
}

function letGo(opened: OpenedWorktreeHost<unknown>): void {
	const { held } = opened;
	opened.held = undefined;
	void held?.then((lock) => lock.dispose()).catch(() => {});
}

async function closeOpened(opened: OpenedWorktreeHost<{ close(): Promise<void> }>): Promise<void> {
	const host = await opened.host.catch(() => undefined);
	await host?.close();
	letGo(opened);
}

function worktreeGone(name: string): ProwessError {
	return new ProwessError('INVALID_STATE', `the worktree ${name} of this thread is gone; begin another one`, {
		name,
		said: text('The worktree {name} of this thread is gone.', { name }),
	});
}

function worktreeDamaged(name: string): ProwessError {
	const message = `the worktree ${name} of this thread is damaged: the user can discard it; then go on in the folder`;
	return new ProwessError('INVALID_STATE', message, {
		name,
		said: text('The worktree {name} of this thread is damaged. Discard it; then the thread goes on in the folder.', {
			name,
		}),
	});
}

/** Longest time that the command which a worktree begins with may take. */
const SET_UP_MS = 600_000;
/** Characters of its output that are told. */
const SET_UP_OUTPUT_CHARS = 2_000;

async function runSetUp(perform: PerformOp, line: string, signal: AbortSignal) {
	const caller = { kind: 'user', threadId: null } as const;
	const outcome = await runAgreedCommand(perform, { line, timeoutMs: SET_UP_MS, caller }, signal);
	if (outcome.status !== 'done') return { isDone: false, output: outcome.error.message };
	const { exitCode, output, timedOut } = CommandState.parse(outcome.result);
	return { isDone: exitCode === 0 && !timedOut, output: output.trim().slice(-SET_UP_OUTPUT_CHARS) };
}

interface PerformingHost {
	readonly parts: { readonly broker: { readonly perform: PerformOp } };
	close(): Promise<void>;
}

/** Creates the worktrees of a host, and the hosts that threads work in them with. */
export function hostWorktrees<Host extends PerformingHost>(
	parts: Omit<WorktreeRegisterParts, 'leaving' | 'setUp'> & { readonly ports: HostPorts },
	agents: WorktreeHostsDeps<Host>['agents'],
	compose: WorktreeHostsDeps<Host>['compose'],
) {
	const { settings, workspace } = parts.ports;
	const worktrees: OwnedWorktrees = createWorktreeRegister({
		...parts,
		leaving: (name) => worktreeHosts.drop(name),
		setUp: {
			markScripts: markCheckScripts,
			async runThere(folder, line, signal) {
				const { broker } = (await worktreeHosts.at(folder)).parts;
				return await runSetUp((...asked) => broker.perform(...asked), line, signal);
			},
		},
	});
	const worktreeHosts = new WorktreeHosts<Host>({
		ports: parts.ports,
		agents,
		compose,
		hold: async (name) => (await worktrees.all()).hold(name),
	});
	/** Has the thread of a goal work in a worktree of its own, where the settings say so. */
	const isolateGoal = async (threadId: ThreadId, title: string, signal: AbortSignal): Promise<void> => {
		const isWanted = settings.current['prowess.worktrees'].isolation?.goals === 'worktree';
		const isBeside = workspace.origin !== undefined || worktreeHosts.nameOf(threadId) !== undefined;
		if (!isWanted || isBeside) return;
		const all = await worktrees.all();
		const name = worktreeName(title, threadId);
		(await all.open({ name, from: undefined }, signal)).dispose();
		await all.noteThread(name, threadId, signal);
	};
	return { worktrees, worktreeHosts, isolateGoal };
}
