/**
 * Hooks of other agents, on the same events: before and after the tools of agents and capabilities, when a thread begins and
 * when the user says something. They run only as the user has agreed to them, and can refuse, ask and tell; none can allow.
 */
import { basename, dirname } from 'node:path';
import { toErrorMessage } from '../../../../base/text/message-of.ts';
import { orAborted } from '../../../../base/time/bounded-wait.ts';
import { deriveSignal } from '../../../../base/time/derived-signal.ts';
import type { HookedCall, HookVerdict, OpHooks } from '../../../../contract/ops/op-implementation.ts';
import type { HookWords, OpOutcome } from '../../../../protocol/turn/broker.ts';
import { ProwessError } from '../../../../protocol/errors/errors.ts';
import type { ThreadId } from '../../../../protocol/rpc/ids.ts';
import { isOpName, ops } from '../../../../protocol/op-table/ops.ts';
import type { OpDef } from '../../../../protocol/ops/define-op.ts';
import { text } from '../../../../protocol/text/text.ts';
import { LateRuns } from '../late-runs.ts';
import { AFTER_HOOK_TIMEOUT_MS } from '../limits.ts';
import type { HookAnswer } from './hook-answer.ts';
import { KeptHooks } from './kept-hooks.ts';
import { seenHookFiles } from './look.ts';
import type { SeenHookFile } from './look-at-hook-file.ts';
import type { ForeignHook, HookEvent } from './read-hook-file.ts';
import { createToolMatcher } from './tool-matcher.ts';
import { type Agreed, resolveHookFolder, type ForeignHooksDeps, ForeignHookRunner } from './run-foreign-hook.ts';
import {
	cursorInput,
	cursorNames,
	findsInCommands,
	type ForeignTool,
	foreignTool,
	meetsCondition,
} from './tool-words.ts';

/** Text that a hook adds to a message for the agent. */
interface ToldHookText {
	/** File of the hook, and the event. */
	readonly by: string;
	readonly text: string;
}

/** Ops that begin the work of a capability or a sub-turn. */
const SUBAGENT_OPS: ReadonlySet<string> = new Set(['capability.start', 'services.call', 'agent.run', 'agent.spawn']);

type IsMeant = (hook: ForeignHook, seen: SeenHookFile) => boolean;

export class ForeignHooks implements OpHooks {
	readonly #deps: ForeignHooksDeps;
	readonly #kept: KeptHooks;
	readonly #runner: ForeignHookRunner;
	readonly #closing = new AbortController();
	/** At the last look; undefined: nobody has looked. */
	#seen: readonly SeenHookFile[] | undefined;
	readonly #begun = new Set<ThreadId>();
	readonly #late = new LateRuns();

	constructor(deps: ForeignHooksDeps) {
		this.#deps = deps;
		this.#kept = new KeptHooks(deps.ports.places.home);
		this.#runner = new ForeignHookRunner(deps);
	}

	/** All files, as they are now. */
	async list(): ReturnType<typeof seenHookFiles> {
		const { ports, sandbox, plugins } = this.#deps;
		const isKeptIn = async () => (await sandbox.state()).works;
		const found = await seenHookFiles({ ...ports, kept: this.#kept, plugins }, isKeptIn);
		this.#seen = found.files;
		return found;
	}

	/** Agrees to what a file says now. Rejects with NOT_FOUND where it holds no hooks, and with INVALID_STATE. */
	async allow(path: string, signal: AbortSignal): Promise<void> {
		const seen = (await this.list()).files.find(({ file }) => file.path === path);
		if (seen?.identity === undefined || seen.hooks.length === 0) {
			const why = seen?.problems.join('; ') ?? 'it is no file of hooks that is read here';
			throw new ProwessError('NOT_FOUND', `${path}: ${why}`, { path });
		}
		await this.#kept.put(path, seen.identity.hash, signal);
		await this.list();
	}

	/** False when it was not agreed to. */
	async revoke(path: string, signal: AbortSignal): Promise<boolean> {
		const wasAllowed = await this.#kept.remove(path, signal);
		await this.list();
		return wasAllowed;
	}

	/** Never rejects: where the files cannot be looked at, each op concerns them. */
	async ready(): Promise<void> {
		if (this.#seen === undefined) await this.list().catch(() => undefined);
	}

	concerns(op: string): boolean {
		return isTool(op) && this.#mayRun(['PreToolUse', ...(SUBAGENT_OPS.has(op) ? (['SubagentStart'] as const) : [])]);
	}

	async before(call: HookedCall, signal: AbortSignal): Promise<HookVerdict> {
		const { op, caller } = call;
		if (caller.kind === 'user' || !isTool(op)) {
			return { kind: 'continue', asked: [] };
		}
		const events: readonly HookEvent[] = SUBAGENT_OPS.has(op) ? ['PreToolUse', 'SubagentStart'] : ['PreToolUse'];
		const asked: string[] = [];
		let ask: string | undefined;
		for (const event of events) {
			for (const each of await this.#agreedTo(event, this.#ofCall(call))) {
				const { answer, how } = await this.#runner.ask(
					each,
					event,
					this.#toldOfCall(event, each, call),
					caller.threadId,
					signal,
				);
				asked.push(how);
				if (answer.block !== undefined) {
					return { kind: 'block', reason: answer.block, asked };
				}
				ask ??= answer.ask;
			}
		}
		return { kind: 'continue', asked, ...(ask === undefined ? {} : { ask }) };
	}

	after(call: HookedCall, outcome: OpOutcome, signal: AbortSignal): Promise<readonly HookWords[]> | undefined {
		const { op, caller } = call;
		if (caller.kind === 'user' || !isTool(op)) return undefined;
		const own: readonly HookEvent[] = SUBAGENT_OPS.has(op) ? ['SubagentStop'] : [];
		const events = (['PostToolUse', 'PostToolUseFailure', ...own] as const).filter((event) => this.#mayRun([event]));
		if (events.length === 0) return undefined;
		const words = Promise.withResolvers<readonly HookWords[]>();
		const tellHooks = async () => {
			const { tellOfEnd } = await import('./tell-of-end.ts');
			const { redactor, ports } = this.#deps;
			const telling = {
				agreedTo: (event: HookEvent) => this.#agreedTo(event, this.#ofCall(call)),
				toldOf: (event: HookEvent, each: Agreed) => this.#toldOfCall(event, each, call),
				runner: this.#runner,
				redactor,
				log: ports.log,
			};
			words.resolve(await tellOfEnd(call, outcome, events, telling, this.#closing.signal));
		};
		if (!this.#late.add(tellHooks)) {
			this.#deps.ports.log.warn('a hook is not told of an op: too many wait', { op });
			return undefined;
		}
		return caller.kind === 'agent' ? this.#heard(words.promise, op, signal) : undefined;
	}

	/** Words that come later than this are in the ledger only. */
	async #heard(words: Promise<readonly HookWords[]>, op: string, signal: AbortSignal): Promise<readonly HookWords[]> {
		const limit = deriveSignal(signal, { what: `the hooks after ${op}`, timeoutMs: AFTER_HOOK_TIMEOUT_MS });
		try {
			return await orAborted(words, limit.signal);
		} catch (error) {
			this.#deps.ports.log.warn('the agent goes on before a hook after an op answers', { op, error: String(error) });
			return [];
		} finally {
			limit.dispose();
		}
	}

	/**
	 * Returns the texts that hooks add to a message of the user for the agent, without secrets. Rejects with
	 * DENIED_BY_RULE when a hook refuses the message. Rereads the hook files.
	 */
	async prompted(threadId: ThreadId, prompt: string, signal: AbortSignal): Promise<readonly ToldHookText[]> {
		await this.list();
		const isFirst = !this.#begun.has(threadId);
		this.#begun.add(threadId);
		const told: ToldHookText[] = [];
		for (const { event, name, more } of momentsOfPrompt(prompt, isFirst)) {
			for (const each of await this.#agreedTo(event, matchName(name))) {
				const { answer, how } = await this.#runner.ask(
					each,
					event,
					{ ...this.#toldOf(event, each, threadId), ...more },
					threadId,
					signal,
				);
				if (event !== 'SessionStart' && answer.block !== undefined) {
					const words = this.#deps.redactor.redact(answer.block);
					const reason = text('A hook refuses it: {words}', { words });
					throw new ProwessError('DENIED_BY_RULE', `a hook refuses the message: ${words}`, { reason });
				}
				if (answer.context !== undefined) told.push({ by: how, text: this.#deps.redactor.redact(answer.context) });
			}
		}
		return told;
	}

	/** Reason of the first hook that does not let the agent rest, without secrets. A hook that fails lets it. Rejects when the signal aborts. */
	async resting(
		threadId: ThreadId,
		{ isAgain, text: last }: { readonly isAgain: boolean; readonly text: string },
		signal: AbortSignal,
	): Promise<string | undefined> {
		const more = {
			stop_hook_active: isAgain,
			last_assistant_message: last,
			status: 'completed',
			loop_count: isAgain ? 1 : 0,
		};
		for (const { block } of await this.#toldOfMoment('Stop', undefined, more, threadId, signal)) {
			if (block !== undefined) return this.#deps.redactor.redact(block);
		}
		return undefined;
	}

	/** Tells hooks of a compaction; their answers have no effect. Rejects when the signal aborts. */
	async compacting(
		threadId: ThreadId,
		{ trigger, keep }: { readonly trigger: 'auto' | 'manual'; readonly keep: string },
		signal: AbortSignal,
	): Promise<void> {
		await this.#toldOfMoment('PreCompact', trigger, { trigger, custom_instructions: keep }, threadId, signal);
	}

	/** Tells hooks that a thread has ended for this host; nothing waits for them but its end. */
	ended(threadId: ThreadId, reason: 'clear' | 'other'): void {
		if (!this.#begun.delete(threadId) || !this.#mayRun(['SessionEnd'])) return;
		this.#late.add(async () => {
			await this.#toldOfMoment('SessionEnd', reason, { reason }, threadId, this.#closing.signal).catch(() => undefined);
		});
	}

	/**
	 * Runs the hooks of an event one after another, until one blocks. A failure is logged and stops nothing. Rejects
	 * when the signal aborts.
	 */
	async #toldOfMoment(
		event: HookEvent,
		name: string | undefined,
		more: object,
		threadId: ThreadId,
		signal: AbortSignal,
	): Promise<readonly HookAnswer[]> {
		if (!this.#mayRun([event])) {
			return [];
		}
		const answers: HookAnswer[] = [];
		try {
			for (const each of await this.#agreedTo(event, matchName(name))) {
				const told = { ...this.#toldOf(event, each, threadId), ...more };
				const { answer } = await this.#runner.ask(each, event, told, threadId, signal);
				answers.push(answer);
				if (answer.block !== undefined) break;
			}
		} catch (error) {
			signal.throwIfAborted();
			this.#deps.ports.log.warn('a hook failed, and stops nothing', {
				event,
				error: this.#deps.redactor.redact(toErrorMessage(error)),
			});
		}
		return answers;
	}

	/** Tells hooks of the end of each thread, runs waiting ones for a short time, then ends all that still run. */
	async close(): Promise<void> {
		for (const threadId of [...this.#begun]) this.ended(threadId, 'other');
		await this.#late.close(() => this.#closing.abort(new ProwessError('CANCELLED', 'the host is closing')));
		await this.#runner.close();
	}

	#mayRun(events: readonly HookEvent[]): boolean {
		return (
			this.#seen === undefined ||
			this.#seen.some(({ state, hooks }) => state === 'allowed' && hooks.some(({ event }) => events.includes(event)))
		);
	}

	/**
	 * Returns the hooks of an event that the user agreed to, by the files as they are at the moment: a file that has
	 * changed since is not run.
	 */
	async #agreedTo(event: HookEvent, isMeant: IsMeant): Promise<readonly Agreed[]> {
		const { files } = await this.list();
		return files.flatMap((seen) =>
			seen.state !== 'allowed'
				? []
				: seen.hooks.filter((hook) => hook.event === event && isMeant(hook, seen)).map((hook) => ({ seen, hook })),
		);
	}

	#ofCall(call: HookedCall): IsMeant {
		return ({ event, matcher, ops, condition }, seen) => {
			if (ops?.includes(call.op) === false) return false;
			const tool = this.#toolOf(call, seen);
			const { names, input } = tool;
			const isGuarding = event === 'PreToolUse' || event === 'SubagentStart';
			if (!meetsCondition(condition, tool, resolveHookFolder(seen, this.#deps.ports), isGuarding)) return false;
			const line = input['command'];
			return ops?.includes('shell.run') === true && matcher !== undefined && typeof line === 'string'
				? findsInCommands(matcher, line, isGuarding)
				: createToolMatcher(matcher)?.(isOfCursor(seen) ? [...names, ...cursorNames(call.op)] : names) === true;
		};
	}

	#toolOf({ op, params }: HookedCall, seen: SeenHookFile): ForeignTool {
		return foreignTool(op, params, resolveHookFolder(seen, this.#deps.ports));
	}

	#toldOfCall(event: HookEvent, each: Agreed, call: HookedCall): object {
		const { names, input } = this.#toolOf(call, each.seen);
		const [claude, vscode = claude] = names;
		const isClaudes = each.seen.file.path.includes('.claude') || each.seen.file.plugin !== undefined;
		const [cursor] = isOfCursor(each.seen) ? cursorNames(call.op) : [];
		const name = cursor ?? (isClaudes ? claude : vscode);
		return {
			...(each.hook.ops === undefined ? {} : cursorInput(call.op, input)),
			...this.#toldOf(event, each, call.caller.threadId),
			tool_name: name,
			// Cursor writes it as a text.
			tool_input: each.hook.ops?.includes('mcp.call') === true ? JSON.stringify(input) : input,
			tool_use_id: call.opId,
			toolName: names[2] ?? name,
			toolArgs: JSON.stringify(input),
			...(event === 'SubagentStart' || event === 'SubagentStop'
				? { agent_id: call.opId, agent_type: agentType(call) }
				: {}),
		};
	}

	/** In the spellings of all. */
	#toldOf(event: HookEvent, { seen, hook }: Agreed, threadId: ThreadId | null): object {
		const name = hook.calledAs ?? event;
		return {
			timestamp: new Date().toISOString(),
			cwd: resolveHookFolder(seen, this.#deps.ports),
			session_id: threadId ?? '',
			sessionId: threadId ?? '',
			conversation_id: threadId ?? '',
			hook_event_name: name,
			hookEventName: name,
			transcript_path: '',
			workspace_roots: this.#deps.ports.workspace.folders.map(({ path }) => path),
		};
	}
}

/** Events of one message of the user, in their order, each with the name that a matcher is compared with. */
function momentsOfPrompt(
	prompt: string,
	isFirst: boolean,
): readonly { event: HookEvent; name?: string; more: object }[] {
	const [, command, args = ''] = /^\/([\w.:-]+)(?:\s+([^]*))?$/.exec(prompt.trim()) ?? [];
	const expansion = { expansion_type: 'slash_command', command_name: command, command_args: args, prompt };
	return [
		...(isFirst ? [{ event: 'SessionStart' as const, name: 'startup', more: { source: 'startup' } }] : []),
		...(command === undefined ? [] : [{ event: 'UserPromptExpansion' as const, name: command, more: expansion }]),
		{ event: 'UserPromptSubmit', more: { prompt } },
	];
}

/** True for a hook whose matcher means that name; without one, all are meant. */
function matchName(name: string | undefined): IsMeant {
	return ({ matcher }) => name === undefined || createToolMatcher(matcher)?.([name]) === true;
}

function isOfCursor({ file }: SeenHookFile): boolean {
	return basename(dirname(file.path)) === '.cursor';
}

/** True when the op is called by models, and is not bookkeeping between them and the host. */
function isTool(op: string): boolean {
	const def: OpDef | undefined = isOpName(op) ? ops[op] : undefined;
	return SUBAGENT_OPS.has(op) || (def?.tool !== undefined && def.isHousekeeping !== true);
}

function agentType({ op, params }: HookedCall): string {
	const { name } = (typeof params === 'object' && params !== null ? params : {}) as { readonly name?: unknown };
	return typeof name === 'string' ? name : op;
}
