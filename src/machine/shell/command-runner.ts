/** Owns every command of a host: starts, reads, stops them, and leaves none behind. A thread reaches only its own. */
import { Emitter } from '../../base/emitter.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { CommandId, OpId, ThreadId } from '../../protocol/rpc/ids.ts';
import type { CommandState } from '../../protocol/ops/definitions/commands/shell.ts';
import type { RawFollower } from '../../contract/runs.ts';
import { text } from '../../protocol/text/text.ts';
import { readingGit } from './git-settings.ts';
import type { CommandWall, FilledCopy, ProgramSandbox, SandboxRequest, SandboxUse } from '../sandbox/command-wall.ts';
import type { CommandNetwork, HostGate } from '../sandbox/network/command-network.ts';
import type { SandboxReach } from '../sandbox/mounts/sandbox-mounts.ts';
import { CommandClock } from './command-clock.ts';
import { CommandGuard } from './command-guard.ts';
import { RunningCommand, type CommandOptions } from './command.ts';
import { commandEnvironment, type HostEnvironment } from '../environment.ts';
import { BACKGROUND_PER_THREAD, ENDED_COMMANDS_KEPT, LIVE_CHARS } from './limits.ts';
import { FollowedRun } from './followed-run.ts';

interface CommandRequest extends Omit<CommandOptions, 'environment' | 'sandbox' | 'clock'> {
	/** Id by which the user finds the command; absent: the user cannot find it. */
	readonly opId?: OpId;
	readonly timeoutMs: number | undefined;
	/** In the sandbox, as those who judged it were told; then it does not run without one. */
	readonly isSandboxed: boolean;
	/** Absolute and free of links: what it may reach beyond the sandbox. */
	readonly reach: SandboxReach;
	/** False: in the sandbox it changes nothing of the workspace. */
	readonly mayWrite: boolean;
	/**
	 * True when the command only reads, so that nobody was asked: its sandbox then lets it do no more, and reach no
	 * host.
	 */
	readonly onlyReads: boolean;
	/** Decides which hosts it reaches from its sandbox; absent: none. */
	readonly hosts?: HostGate;
	/** Whose `/tmp` it has in the sandbox; absent: one of its own. */
	readonly temporaryOf?: ThreadId | undefined;
	/** In a sandbox: none of its processes ran in that time. */
	readonly onRested?: SandboxRequest['onRested'];
	/** Copy that the command finds in place of the workspace; absent: the workspace itself. */
	readonly copy?: FilledCopy;
}

export class CommandRunner {
	/** Environment of each command; computed once, when the host starts. */
	readonly environment: Readonly<Record<string, string>>;
	/** A command that no sandbox kept in has ended: it may have changed any file. */
	readonly didEndUnsandboxed = new Emitter<void>();
	readonly #running = new Set<RunningCommand>();
	readonly #background = new Map<CommandId, RunningCommand>();
	/** Runs that go on, and those that ended last. */
	readonly #runs = new Map<OpId, FollowedRun>();
	readonly #guard = new CommandGuard();
	readonly #sandbox: CommandWall | undefined;
	#closed: Promise<void> | undefined;

	/** Without `sandbox`, nothing keeps commands in. */
	constructor(hostEnvironment: HostEnvironment, sandbox?: CommandWall) {
		this.environment = commandEnvironment(hostEnvironment, process.platform);
		this.#sandbox = sandbox;
	}

	/** Resolves with the state of the sandbox: whether commands can run in it here at this time. */
	async sandboxState(): Promise<SandboxUse> {
		return (await this.#sandbox?.state()) ?? { works: false, why: text('This host has no sandbox for commands.') };
	}

	/** True when the sandbox hides every secret file of the workspace. */
	hidesSecrets(): boolean {
		return this.#sandbox?.hidesSecrets() === true;
	}

	/** True while a command runs, also in the background. */
	get isRunning(): boolean {
		return this.#running.size > 0;
	}

	/** True when a command can be run on a copy of the workspace. */
	get canTry(): boolean {
		return this.#sandbox?.asCommand !== undefined;
	}

	/** Has `write` do to the workspace what a command did to a copy. Resolves with what was taken away again, as sentences. */
	async keepTried(write: () => Promise<void>): Promise<readonly string[]> {
		return (await this.#sandbox?.asCommand?.(write)) ?? [];
	}

	/** Runs to the end, or until the user lets it go on in the background. Stops the command and rejects with the signal's reason when that aborts. */
	async run(request: CommandRequest, emit: (chunk: string) => void, signal: AbortSignal): Promise<CommandState> {
		signal.throwIfAborted();
		const live = new LiveOutput(emit);
		const { command, run } = await this.#start(request, false, (text) => live.push(text));
		const stop = () => void command.stop();
		signal.addEventListener('abort', stop, { once: true });
		if (signal.aborted) {
			stop();
		}
		await Promise.race([command.ended, run.leftForeground]);
		signal.removeEventListener('abort', stop);
		signal.throwIfAborted();
		return command.takeState();
	}

	/** Starts a command in the background and resolves once it has started. The command's time limit still holds. */
	async runInBackground(request: CommandRequest, signal: AbortSignal): Promise<CommandState> {
		signal.throwIfAborted();
		this.#refuseTooMany(request.threadId);
		const { command } = await this.#start(request, true, () => undefined);
		this.#keepInBackground(command);
		return command.takeState();
	}

	/** True when no caller waits for the command's end. */
	isInBackground(opId: OpId): boolean {
		return this.#runs.get(opId)?.isInBackground === true;
	}

	/** Resolves when that command in the background has ended, or is not known any more. */
	async ended(id: CommandId): Promise<void> {
		await this.#background.get(id)?.ended;
	}

	/** Returns the words of a command that runs. Throws NOT_FOUND, and INVALID_STATE when it has ended. */
	readWords(opId: OpId, threadId: ThreadId | null): string {
		return requireRunningCommand(this.#runOf(opId, threadId)).words;
	}

	/** Sends the command to the background at the user's wish: its turn goes on without it. */
	continueInBackground(opId: OpId, threadId: ThreadId | null): void {
		const run = this.#runOf(opId, threadId);
		const command = requireRunningCommand(run);
		if (!run.isInBackground) {
			this.#refuseTooMany(threadId);
			command.sendToBackground();
			this.#keepInBackground(command);
			run.leaveForeground();
		}
	}

	/** Stops the command at the user's wish: its turn goes on with the output so far. */
	async stopByUser(opId: OpId, threadId: ThreadId | null): Promise<void> {
		await requireRunningCommand(this.#runOf(opId, threadId)).stopByUser();
	}

	follow(opId: OpId, threadId: ThreadId | null, follower: RawFollower): Disposable {
		return this.#runOf(opId, threadId).follow(follower);
	}

	/** Output since the last call; waits up to `waitMs` for some, or for the end. */
	async output(id: CommandId, threadId: ThreadId | null, waitMs: number, signal: AbortSignal): Promise<CommandState> {
		const command = this.#find(id, threadId);
		await command.waitForNews(waitMs, signal);
		return command.takeState();
	}

	async stop(id: CommandId, threadId: ThreadId | null): Promise<CommandState> {
		const command = this.#find(id, threadId);
		await command.stop();
		return command.takeState();
	}

	/** Stops a thread's commands and forgets their output. */
	async stopAllOf(threadId: ThreadId): Promise<void> {
		await Promise.all([...this.#running].filter((command) => command.threadId === threadId).map((c) => c.stop()));
		for (const [id, command] of this.#background) {
			if (command.threadId === threadId) {
				this.#background.delete(id);
			}
		}
		for (const [opId, run] of this.#runs) {
			if (run.threadId === threadId) {
				this.#runs.delete(opId);
			}
		}
		await this.#sandbox?.endThread(threadId);
	}

	/** Refuses new commands and ends all there are, within the time one stop takes. */
	close(): Promise<void> {
		this.#closed ??= this.#close();
		return this.#closed;
	}

	async #close(): Promise<void> {
		await Promise.all([...this.#running].map((command) => command.stop()));
		await Promise.all([this.#guard.close(), this.#sandbox?.close()]);
	}

	async #start(
		request: CommandRequest,
		isBackground: boolean,
		onOutput: (text: string) => void,
	): Promise<{ readonly command: RunningCommand; readonly run: FollowedRun }> {
		this.#refuseWhenClosed();
		const clock = new CommandClock(request.timeoutMs);
		const network = request.isSandboxed ? await this.#openNetwork(request, clock) : undefined;
		const environment = request.onlyReads ? readingGit(this.environment) : this.environment;
		let command: RunningCommand;
		const run = new FollowedRun(request.threadId, isBackground);
		const onText = (text: string) => {
			onOutput(text);
			run.push(text);
		};
		try {
			const sandbox = await this.#openSandbox(request, environment, network, () => run.isInBackground);
			command = await RunningCommand.start({ ...request, environment, sandbox, clock }, this.#guard, onText);
		} catch (error) {
			network?.dispose();
			clock.dispose();
			throw error;
		}
		this.#running.add(command);
		run.started(command);
		this.#keepRun(request.opId, run);
		void command.ended.then(() => {
			this.#running.delete(command);
			if (!request.isSandboxed) this.didEndUnsandboxed.fire();
		});
		if (this.#closed !== undefined) {
			await command.stop();
			this.#refuseWhenClosed();
		}
		return { command, run };
	}

	async #openSandbox(
		{ isSandboxed, cwd, reach, mayWrite, onlyReads, steps, onRested, copy, temporaryOf: thread }: CommandRequest,
		environment: Readonly<Record<string, string>>,
		network: CommandNetwork | undefined,
		isBackground: () => boolean,
	): Promise<ProgramSandbox | undefined> {
		if (!isSandboxed) {
			return undefined;
		}
		if (this.#sandbox === undefined) {
			throw new ProwessError('INVALID_STATE', 'this host has no sandbox for commands', {
				said: text('Commands cannot run in a sandbox here.'),
			});
		}
		const isWritable = mayWrite && !onlyReads;
		const words = steps.flatMap(({ programs }) => programs.flatMap(({ argv }) => argv));
		const within = { cwd, environment, reach, words, isWritable, isBackground, onRested, network, copy };
		return await this.#sandbox.open(copy === undefined ? { ...within, thread } : within);
	}

	/** While the gate decides on a host, which may wait for a person, the command's time stands. */
	async #openNetwork(
		{ threadId, hosts, onlyReads }: CommandRequest,
		clock: CommandClock,
	): Promise<CommandNetwork | undefined> {
		return hosts === undefined || onlyReads
			? undefined
			: await this.#sandbox?.openNetwork(threadId, {
					admit: (target, signal) => clock.during(() => hosts.admit(target, signal)),
				});
	}

	#refuseWhenClosed(): void {
		if (this.#closed !== undefined) {
			throw new ProwessError('INVALID_STATE', 'the host is closing: no command is started', {
				said: text('The window is closing, so no command was started.'),
			});
		}
	}

	#find(id: CommandId, threadId: ThreadId | null): RunningCommand {
		const command = this.#background.get(id);
		if (command === undefined || command.threadId !== threadId) {
			throw new ProwessError('NOT_FOUND', `this thread has no background command ${id}`, {
				commandId: id,
				said: text('This command does not run in the background any more.'),
			});
		}
		return command;
	}

	#runOf(opId: OpId, threadId: ThreadId | null): FollowedRun {
		const run = this.#runs.get(opId);
		if (run === undefined || run.threadId !== threadId) {
			throw new ProwessError('NOT_FOUND', `this thread has no command of ${opId} any more`, {
				opId,
				said: text('This command has ended.'),
			});
		}
		return run;
	}

	#keepRun(opId: OpId | undefined, run: FollowedRun): void {
		if (opId !== undefined) {
			const ended = [...this.#runs].filter(([, other]) => other.running === undefined);
			for (const [old] of ended.slice(0, Math.max(0, ended.length - ENDED_COMMANDS_KEPT))) {
				this.#runs.delete(old);
			}
			this.#runs.set(opId, run);
		}
	}

	#refuseTooMany(threadId: ThreadId | null): void {
		const active = [...this.#background.values()].filter((c) => c.isRunning && c.threadId === threadId).length;
		if (active >= BACKGROUND_PER_THREAD) {
			const message = `${active} background commands are running, the limit is ${BACKGROUND_PER_THREAD}: stop one first`;
			const said = text('{n} commands already run in the background. Stop one first.', { n: active });
			throw new ProwessError('INVALID_STATE', message, { running: active, limit: BACKGROUND_PER_THREAD, said });
		}
	}

	#keepInBackground(command: RunningCommand): void {
		this.#background.set(command.id, command);
		this.#forgetOldest();
	}

	#forgetOldest(): void {
		const ended = [...this.#background].filter(([, command]) => !command.isRunning);
		for (const [id] of ended.slice(0, Math.max(0, ended.length - ENDED_COMMANDS_KEPT))) {
			this.#background.delete(id);
		}
	}
}

function requireRunningCommand(run: FollowedRun): RunningCommand {
	if (run.running === undefined) {
		throw new ProwessError('INVALID_STATE', 'the command has ended', { said: text('The command has ended.') });
	}
	return run.running;
}

/** Passes output on while a command runs, up to a bounded amount; the result has head and tail of all of it. */
class LiveOutput {
	readonly #emit: (chunk: string) => void;
	#left = LIVE_CHARS;

	constructor(emit: (chunk: string) => void) {
		this.#emit = emit;
	}

	push(text: string): void {
		if (this.#left <= 0) {
			return;
		}
		const part = text.slice(0, this.#left);
		this.#left -= text.length;
		this.#emit(this.#left > 0 ? part : `${part}\n[… more output is not shown while it runs …]\n`);
	}
}
