/** Runs a hook of another agent once: by the shell of the system, confined as commands are, with rows in the ledger. */
import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { toErrorMessage } from '../../../../base/text/message-of.ts';
import { cutText } from '../../../../base/text/one-line.ts';
import { orAborted } from '../../../../base/time/bounded-wait.ts';
import { deriveSignal } from '../../../../base/time/derived-signal.ts';
import { newId, type ThreadId } from '../../../../protocol/rpc/ids.ts';
import type { HostPorts } from '../../../../contract/ports/ports.ts';
import { type Resolve, systemResolve } from '../../../../machine/http/resolve-host.ts';
import { makePrivateFolder } from '../../../../machine/home-files/private-folder.ts';
import { CommandGuard } from '../../../../machine/shell/command-guard.ts';
import type { LedgerPort } from '../../../record/ledger/ledger.ts';
import type { Redactor } from '../../../record/redaction/redactor.ts';
import { canonicalJson, sha256 } from '../../../record/store/chain/canonical-json.ts';
import { type HookSandboxDeps, openHookSandbox } from '../hook-sandbox.ts';
import { FOREIGN_HOOK_SECONDS, HOOK_CONTEXT_CHARS } from '../limits.ts';
import { type HookEnd, runHook } from '../run-hook.ts';
import { followsOp, type HookAnswer, hookAnswer, modelAnswer } from './hook-answer.ts';
import type { HooksOfPlugin } from './hook-files.ts';
import type { SeenHookFile } from './look-at-hook-file.ts';
import type { ForeignHook, HookEvent } from './read-hook-file.ts';

export interface ForeignHooksDeps extends Omit<HookSandboxDeps, 'resolve'> {
	readonly ports: Pick<HostPorts, 'workspace' | 'places' | 'log' | 'settings'>;
	readonly redactor: Pick<Redactor, 'redact' | 'redactDeep'>;
	readonly ledger: Pick<LedgerPort, 'append'>;
	/** Hooks of plugins; absent: there are none. */
	readonly plugins?: () => Promise<readonly HooksOfPlugin[]>;
	/** Absent: the names that the system knows. */
	readonly resolve?: Resolve;
	/** Asks the connected model, within the quotas of the thread. Absent: there is none to ask. */
	readonly askModel?: (question: HookQuestion, signal: AbortSignal) => Promise<string>;
}

/** Question of a hook to a model, without secrets. */
export interface HookQuestion {
	readonly threadId: ThreadId | null;
	readonly prompt: string;
	readonly timeMs: number;
}

/** Hook of a file that the user has agreed to. */
export interface Agreed {
	readonly seen: SeenHookFile;
	readonly hook: ForeignHook;
}

export class ForeignHookRunner {
	readonly #deps: ForeignHooksDeps;
	readonly #guard = new CommandGuard();

	constructor(deps: ForeignHooksDeps) {
		this.#deps = deps;
	}

	/** Ends what still runs. */
	async close(): Promise<void> {
		await this.#guard.close();
	}

	/** Runs one, with its row in the ledger. Rejects where it gives no answer: it takes too long, says too much, or is missing. */
	async ask(
		{ seen, hook }: Agreed,
		event: HookEvent,
		told: object,
		threadId: ThreadId | null,
		signal: AbortSignal,
	): Promise<{ readonly answer: HookAnswer; readonly how: string }> {
		const { ledger, ports } = this.#deps;
		const entry = {
			opId: newId('op'),
			op: 'hook.run',
			trigger: 'user',
			threadId,
			risk: 'RESTRICTED',
			assessed: null,
			decision: `allow (consent): the user has agreed to ${seen.file.path}`,
			paramsHash: sha256(canonicalJson({ file: seen.file.path, hash: seen.identity?.hash, event })),
			input: `${hook.calledAs ?? event}: ${hook.prompt === undefined ? hook.command : `ask a model: ${hook.prompt}`}`,
		} as const;
		await ledger.append({ ...entry, kind: 'intent', output: null, status: null, durationMs: null }, true);
		const startedAt = performance.now();
		const recordEnd = (status: string, output: string) =>
			ledger.append(
				{ ...entry, kind: 'outcome', status, output, durationMs: Math.round(performance.now() - startedAt) },
				false,
			);
		let answer: HookAnswer;
		let where: string;
		try {
			if (hook.prompt === undefined) {
				const end = await this.#run(seen, hook, told, signal);
				answer = hookAnswer(event, end);
				where = end.isSandboxed ? 'sandboxed' : 'not sandboxed';
			} else {
				answer = await this.#askModel(hook, hook.prompt, told, threadId, signal);
				where = 'a model';
			}
		} catch (error) {
			await recordEnd('failed', toErrorMessage(error)).catch(() => undefined);
			throw error;
		}
		if (answer.failure !== undefined && hook.isStrict === true && !followsOp(event)) {
			answer = { block: `it failed, and its file says that this refuses: ${answer.failure}` };
		}
		await recordEnd(answer.failure === undefined ? 'done' : 'failed', describeHookAnswer(event, answer));
		if (answer.failure !== undefined) {
			const error = this.#deps.redactor.redact(answer.failure);
			ports.log.warn('a hook failed, and stops nothing', { event, file: seen.file.path, error });
		}
		return { answer, how: `${describeHookFile(seen)}, ${event} (${where})` };
	}

	/** A model that cannot be asked, or talks nonsense, stops nothing. Rejects when the signal aborts. */
	async #askModel(
		hook: ForeignHook,
		prompt: string,
		told: object,
		threadId: ThreadId | null,
		signal: AbortSignal,
	): Promise<HookAnswer> {
		const { askModel, redactor } = this.#deps;
		if (askModel === undefined) return { failure: 'there is no model to ask' };
		const timeMs = Math.min(hook.timeoutSeconds ?? FOREIGN_HOOK_SECONDS, FOREIGN_HOOK_SECONDS) * 1_000;
		const input = cutText(JSON.stringify(redactor.redactDeep(told)), HOOK_CONTEXT_CHARS);
		const asked = prompt.includes('$ARGUMENTS')
			? prompt.replaceAll('$ARGUMENTS', () => input)
			: `${prompt}\n\n${input}`;
		const limit = deriveSignal(signal, { what: 'the question of a hook', timeoutMs: timeMs });
		try {
			const question = { threadId, prompt: redactor.redact(asked), timeMs };
			return modelAnswer(await orAborted(askModel(question, limit.signal), limit.signal));
		} catch (error) {
			signal.throwIfAborted();
			return { failure: toErrorMessage(error) };
		} finally {
			limit.dispose();
		}
	}

	async #run(
		seen: SeenHookFile,
		hook: ForeignHook,
		told: object,
		signal: AbortSignal,
	): Promise<HookEnd & { readonly isSandboxed: boolean }> {
		const { environment, ports, redactor, resolve = systemResolve } = this.#deps;
		const folder = resolveHookFolder(seen, ports);
		const cwd = hook.cwd === undefined ? folder : isAbsolute(hook.cwd) ? hook.cwd : join(folder, hook.cwd);
		const { programs, plugin, folder: ofProject } = seen.file;
		const data = seen.file.data === undefined ? undefined : makePrivateFolder(seen.file.data);
		const root = plugin === undefined ? {} : { CLAUDE_PLUGIN_ROOT: programs, PLUGIN_ROOT: programs };
		const kept = data === undefined ? {} : { CLAUDE_PLUGIN_DATA: data, PLUGIN_DATA: data };
		const own = { ...environment, ...hook.env, ...root, ...kept, ...projectFolders(folder) };
		const asHook = {
			when: 'before',
			ops: '*',
			run: createShellArgv(ofProject === undefined ? withProgramPaths(hook.command, seen.file) : hook.command),
			sandbox: ports.settings.organisation?.rules.sandbox === 'required' ? 'only' : 'where it works',
			needs: {
				network: [],
				read: plugin === undefined && seen.file.folder === undefined && existsSync(programs) ? [programs] : [],
				write: ['.'],
			},
		} as const;
		const limit = deriveSignal(signal, {
			what: `the hook ${hook.command}`,
			timeoutMs: (hook.timeoutSeconds ?? FOREIGN_HOOK_SECONDS) * 1_000,
		});
		let sandbox;
		try {
			sandbox = await openHookSandbox(asHook, { ...this.#deps, environment: own, resolve }, cwd, {
				read: plugin === undefined ? [] : [programs],
				write: data === undefined ? [] : [data],
			});
			const surroundings = {
				cwd: sandbox === undefined ? cwd : ports.places.home,
				environment: own,
				guard: this.#guard,
				sandbox,
			};
			const end = await runHook(asHook, redactor.redactDeep(told), surroundings, limit.signal);
			return { ...end, isSandboxed: sandbox !== undefined };
		} finally {
			limit.dispose();
			await sandbox?.close(undefined);
		}
	}
}

/** Folder that its hooks work in. */
export function resolveHookFolder({ file }: SeenHookFile, { workspace, places }: ForeignHooksDeps['ports']): string {
	return file.folder ?? workspace.folders[0]?.path ?? places.home;
}

function describeHookFile({ file }: SeenHookFile): string {
	if (file.plugin !== undefined) {
		return `the plugin ${file.plugin}`;
	}
	return file.folder === undefined ? file.path : relative(file.folder, file.path);
}

/** Variables in which other agents name the folder of the project. */
function projectFolders(folder: string): Readonly<Record<string, string>> {
	return { CLAUDE_PROJECT_DIR: folder, CURSOR_PROJECT_DIR: folder, GEMINI_PROJECT_DIR: folder };
}

/** Cursor starts hooks of the user beside their file, and names programs from there; here they start in the workspace. */
function withProgramPaths(command: string, { path, programs, plugin }: SeenHookFile['file']): string {
	const isOfCursor = plugin === undefined && basename(dirname(path)) === '.cursor';
	return isOfCursor
		? command.replaceAll(/(^|[\s;&|])(?:\.\/)?hooks\//g, (_all, before: string) => `${before}${programs}/`)
		: command;
}

/** Words by which the shell of a system runs a command line, as hooks of other agents have it. */
export function createShellArgv(
	command: string,
	platform: NodeJS.Platform = process.platform,
): readonly [string, ...string[]] {
	return platform === 'win32' ? ['powershell.exe', '-NoProfile', '-Command', command] : ['/bin/sh', '-c', command];
}

function describeHookAnswer(event: HookEvent, { block, ask, context, failure }: HookAnswer): string {
	if (block !== undefined) return `${followsOp(event) ? 'objects' : 'refused'}: ${block}`;
	if (failure !== undefined) return failure;
	if (ask !== undefined) return `asks: ${ask}`;
	return context === undefined ? 'goes on' : `tells: ${context}`;
}
