/**
 * The user's own programs before and after ops, of every caller. Before: in the order of the setting, the first that refuses
 * counts, and one that cannot answer refuses. After: told of the end, and nothing waits for them.
 */
import * as z from '../../../protocol/zod.ts';
import { deriveSignal } from '../../../base/derived-signal.ts';
import type { OpOutcome } from '../../../protocol/broker.ts';
import { ProwessError } from '../../../protocol/errors.ts';
import type { HookedCall, HookVerdict, OpHooks } from '../../contract/op-hooks.ts';
import { realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { inEnglish } from '../../../protocol/text.ts';
import type { OpenSandbox } from '../../machine/sandbox/open-sandbox.ts';
import { cutText } from '../../../base/cut-text.ts';
import type { HostPorts } from '../../contract/ports.ts';
import type { Redactor } from '../../record/redaction/redactor.ts';
import type { CommandSandbox } from '../../machine/sandbox/command-sandbox.ts';
import { CommandGuard } from '../../machine/shell/command-guard.ts';
import { type Hook, hookList, hooksOn } from './hook-list.ts';
import {
	AFTER_HOOK_TIMEOUT_MS,
	AFTER_HOOKS_AT_ONCE,
	AFTER_HOOKS_WAITING,
	HOOK_TEXT_CHARS,
	HOOKS_CLOSE_MS,
} from './limits.ts';
import { type HookEnd, runHook } from './run-hook.ts';

const REFUSES = 2;

const Answer = z.strictObject({ decision: z.enum(['continue', 'block']), reason: z.string().optional() });

interface UserHooksDeps {
	readonly ports: Pick<HostPorts, 'settings' | 'workspace' | 'places' | 'log'>;
	readonly environment: Readonly<Record<string, string>>;
	readonly sandbox: CommandSandbox;
	readonly redactor: Pick<Redactor, 'redact' | 'redactDeep'>;
}

export class UserHooks implements OpHooks {
	readonly #deps: UserHooksDeps;
	readonly #guard = new CommandGuard();
	readonly #closing = new AbortController();
	readonly #waiting: (() => Promise<void>)[] = [];
	readonly #running = new Set<Promise<void>>();

	constructor(deps: UserHooksDeps) {
		this.#deps = deps;
	}

	concerns(op: string): boolean {
		const list = this.#list;
		return list.problems.length > 0 || hooksOn(list, 'before', op).length > 0;
	}

	async before(call: HookedCall, signal: AbortSignal): Promise<HookVerdict> {
		const list = this.#list;
		if (list.problems.length > 0) {
			return { kind: 'block', reason: `${list.problems.join('; ')}. Nothing is done until it is repaired` };
		}
		for (const hook of hooksOn(list, 'before', call.op)) {
			const verdict = await this.#ask(hook, call, signal);
			if (verdict.kind === 'block') {
				return verdict;
			}
		}
		return { kind: 'continue' };
	}

	after(call: HookedCall, outcome: OpOutcome): void {
		const list = this.#list;
		for (const hook of hooksOn(list, 'after', call.op)) {
			if (this.#waiting.length >= AFTER_HOOKS_WAITING) {
				this.#deps.ports.log.warn('a hook is not told of an op: too many wait', { op: call.op, hook: hook.run[0] });
				continue;
			}
			this.#waiting.push(() => this.#tell(hook, call, outcome));
			this.#begin();
		}
	}

	/** What waits is told, for a short time; then all that runs is ended. */
	async close(): Promise<void> {
		const late = setTimeout(() => {
			this.#waiting.length = 0;
			this.#closing.abort(new ProwessError('CANCELLED', 'the host is closing'));
		}, HOOKS_CLOSE_MS);
		while (this.#running.size > 0) {
			await Promise.all(this.#running);
		}
		clearTimeout(late);
		await this.#guard.close();
	}

	get #list() {
		return hookList(this.#deps.ports.settings);
	}

	async #ask(hook: Hook, call: HookedCall, signal: AbortSignal): Promise<HookVerdict> {
		const { exitCode, stdout, stderr } = await this.#run(hook, this.#toldOf('before', call), signal);
		if (exitCode === REFUSES) {
			return { kind: 'block', reason: said(stderr, `${hook.run[0]} gave no reason`) };
		}
		if (exitCode !== 0) {
			throw new ProwessError('INVALID_STATE', failureOf(hook, { exitCode, stderr }), { exitCode });
		}
		const { decision, reason = '' } = answerIn(hook, stdout);
		return decision === 'continue'
			? { kind: decision }
			: { kind: decision, reason: said(reason, `${hook.run[0]} gave no reason`) };
	}

	async #tell(hook: Hook, call: HookedCall, outcome: OpOutcome): Promise<void> {
		const limit = deriveSignal(this.#closing.signal, {
			what: `the hook ${hook.run[0]}`,
			timeoutMs: AFTER_HOOK_TIMEOUT_MS,
		});
		try {
			const { status, durationMs } = outcome;
			const error = 'error' in outcome ? { code: outcome.error.code, message: outcome.error.message } : null;
			const told = { ...this.#toldOf('after', call), status, durationMs, error };
			const { exitCode, stderr } = await this.#run(hook, told, limit.signal);
			if (exitCode !== 0) {
				throw new ProwessError('INVALID_STATE', failureOf(hook, { exitCode, stderr }), { exitCode });
			}
		} catch (error) {
			const why = this.#deps.redactor.redact(String(error));
			this.#deps.ports.log.warn('a hook after an op failed', { op: call.op, error: why });
		} finally {
			limit.dispose();
		}
	}

	async #run(hook: Hook, told: object, signal: AbortSignal): Promise<HookEnd> {
		const { environment, ports, redactor } = this.#deps;
		const sandbox = hook.isSandboxed ? await this.#openSandbox(hook) : undefined;
		const surroundings = { cwd: ports.places.home, environment, guard: this.#guard, sandbox };
		try {
			return await runHook(hook, redactor.redactDeep(told), surroundings, signal);
		} finally {
			await sandbox?.close(undefined);
		}
	}

	/** It reads the files that its words name, wherever they lie, and changes nothing: it answers. */
	async #openSandbox({ run }: Hook): Promise<OpenSandbox> {
		const { environment, sandbox } = this.#deps;
		const state = await sandbox.state();
		if (!state.works) {
			const message = `${run[0]} is to run in a sandbox, and none works here: ${inEnglish(state.why)}`;
			throw new ProwessError('NOT_AVAILABLE_HERE', message, {});
		}
		const isFile = (word: string) => isAbsolute(word) && statSync(word, { throwIfNoEntry: false })?.isFile() === true;
		const read = run.filter(isFile).map((word) => realpathSync(word));
		const request = { cwd: '/tmp', environment, reach: { read, write: [] }, network: undefined };
		return await sandbox.open({ ...request, words: [], isWritable: false, isBackground: false });
	}

	#toldOf(when: Hook['when'], { opId, op, params, caller }: HookedCall): object {
		const folders = this.#deps.ports.workspace.folders.map(({ path }) => path);
		const who = {
			kind: caller.kind,
			threadId: caller.threadId,
			...(caller.kind === 'execution' ? { executionId: caller.executionId, capability: caller.capability } : {}),
		};
		return { when, opId, op, params, caller: who, folders };
	}

	#begin(): void {
		while (this.#running.size < AFTER_HOOKS_AT_ONCE) {
			const next = this.#waiting.shift();
			if (next === undefined) {
				return;
			}
			const run = next().finally(() => {
				this.#running.delete(run);
				this.#begin();
			});
			this.#running.add(run);
		}
	}
}

/** Nothing said is a yes. */
function answerIn({ run }: Hook, stdout: string): z.infer<typeof Answer> {
	if (stdout.trim() === '') {
		return { decision: 'continue' };
	}
	try {
		return Answer.parse(JSON.parse(stdout));
	} catch (error) {
		const message = `${run[0]} answered ${said(stdout, '')}; expected nothing, or {"decision":"block","reason":"…"}. Remarks belong on standard error`;
		throw new ProwessError('DATA_MALFORMED', message, {}, error);
	}
}

function failureOf({ run }: Hook, { exitCode, stderr }: Pick<HookEnd, 'exitCode' | 'stderr'>): string {
	const how = exitCode === null ? 'was ended by a signal' : `ended with exit code ${exitCode}`;
	return `${run.join(' ')} ${how}${stderr.trim() === '' ? '' : `: ${said(stderr, '')}`}`;
}

function said(text: string, otherwise: string): string {
	return text.trim() === '' ? otherwise : cutText(text.trim(), HOOK_TEXT_CHARS);
}
