/**
 * The user's own programs before and after ops, of every caller. Before: in the order of the setting, the first that refuses
 * counts, and one that cannot answer refuses. After: told of the end, and nothing waits for them.
 */
import { cutText } from '../../../base/text/one-line.ts';
import type { HookedCall, HookVerdict, OpHooks } from '../../../contract/ops/op-implementation.ts';
import * as z from '../../../protocol/text/zod.ts';
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import type { OpOutcome } from '../../../protocol/turn/broker.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import type { HostPorts } from '../../../contract/ports/ports.ts';
import type { Redactor } from '../../record/redaction/redactor.ts';
import { type Resolve, systemResolve } from '../../../machine/http/resolve-host.ts';
import { CommandGuard } from '../../../machine/shell/command-guard.ts';
import { type Hook, hookList, hooksOn } from './hook-list.ts';
import { type HookSandboxDeps, keptFromHook, openHookSandbox } from './hook-sandbox.ts';
import { type HookInForce, hookInForce } from './hooks-in-force.ts';
import { LateRuns } from './late-runs.ts';
import { AFTER_HOOK_TIMEOUT_MS, HOOK_TEXT_CHARS } from './limits.ts';
import { type HookEnd, runHook } from './run-hook.ts';

const REFUSES = 2;

const UserHookAnswer = z.strictObject({ decision: z.enum(['continue', 'block']), reason: z.string().optional() });

interface UserHooksDeps extends Omit<HookSandboxDeps, 'resolve'> {
	readonly ports: Pick<HostPorts, 'settings' | 'workspace' | 'places' | 'log'>;
	readonly redactor: Pick<Redactor, 'redact' | 'redactDeep'>;
	/** Absent: the names that the system knows. */
	readonly resolve?: Resolve;
}

/** Answer of a hook, the place where it ran, and sentences on what its sandbox kept from it. */
interface HookRun extends HookEnd {
	readonly isSandboxed: boolean;
	readonly kept: readonly string[];
}

export class UserHooks implements OpHooks {
	readonly #deps: UserHooksDeps;
	readonly #guard = new CommandGuard();
	readonly #closing = new AbortController();
	readonly #late = new LateRuns();

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
			return { kind: 'block', reason: `${list.problems.join('; ')}. Nothing is done until it is repaired`, asked: [] };
		}
		const asked: string[] = [];
		for (const hook of hooksOn(list, 'before', call.op)) {
			const verdict = await this.#ask(hook, call, signal);
			asked.push(...verdict.asked);
			if (verdict.kind === 'block') {
				return { ...verdict, asked };
			}
		}
		return { kind: 'continue', asked };
	}

	after(call: HookedCall, outcome: OpOutcome): undefined {
		const list = this.#list;
		for (const hook of hooksOn(list, 'after', call.op)) {
			if (!this.#late.add(() => this.#tell(hook, call, outcome))) {
				this.#deps.ports.log.warn('a hook is not told of an op: too many wait', { op: call.op, hook: hook.run[0] });
			}
		}
	}

	/** Runs waiting hooks for a short time, then ends all that still run. */
	async close(): Promise<void> {
		await this.#late.close(() => this.#closing.abort(new ProwessError('CANCELLED', 'the host is closing')));
		await this.#guard.close();
	}

	/** Lists the hooks of the user, and where each runs on this machine at present. */
	async inForce(): Promise<readonly HookInForce[]> {
		const { hooks } = this.#list;
		if (hooks.length === 0) {
			return [];
		}
		const sandbox = await this.#deps.sandbox.state();
		return hooks.map((hook) => hookInForce(hook, sandbox));
	}

	get #list() {
		return hookList(this.#deps.ports.settings);
	}

	async #ask(hook: Hook, call: HookedCall, signal: AbortSignal): Promise<HookVerdict> {
		const end = await this.#run(hook, this.#toldOf('before', call), signal);
		const { exitCode, stdout, stderr, isSandboxed, kept } = end;
		const asked = [`${hook.run.join(' ')} (${isSandboxed ? 'sandboxed' : 'not sandboxed'})`];
		const createBlock = (reason: string) =>
			({ kind: 'block', reason: cutHookText(reason, `${hook.run[0]} gave no reason`), asked }) as const;
		if (exitCode === REFUSES) {
			return createBlock(stderr);
		}
		if (exitCode !== 0) {
			throw new ProwessError('INVALID_STATE', describeHookFailure(hook, end), {
				exitCode,
				said: text('The hook {program} failed (exit code {code}).', { program: hook.run[0], code: exitCode ?? '?' }),
			});
		}
		if (kept.length > 0) {
			this.#deps.ports.log.warn('a hook was kept from something', { hook: hook.run[0], kept: kept.join(' ') });
		}
		const { decision, reason = '' } = parseHookAnswer(hook, stdout);
		return decision === 'continue' ? { kind: decision, asked } : createBlock(reason);
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
			const end = await this.#run(hook, told, limit.signal);
			if (end.exitCode !== 0) {
				throw new ProwessError('INVALID_STATE', describeHookFailure(hook, end), {
					exitCode: end.exitCode,
					said: text('The hook {program} failed (exit code {code}).', {
						program: hook.run[0],
						code: end.exitCode ?? '?',
					}),
				});
			}
		} catch (error) {
			const why = this.#deps.redactor.redact(String(error));
			this.#deps.ports.log.warn('a hook after an op failed', { op: call.op, error: why });
		} finally {
			limit.dispose();
		}
	}

	async #run(hook: Hook, told: object, signal: AbortSignal): Promise<HookRun> {
		const { environment, ports, redactor, resolve = systemResolve } = this.#deps;
		const sandbox = await openHookSandbox(hook, { ...this.#deps, resolve });
		const surroundings = { cwd: ports.places.home, environment, guard: this.#guard, sandbox };
		try {
			const end = await runHook(hook, redactor.redactDeep(told), surroundings, signal);
			const hasFailed = end.exitCode !== 0 && end.exitCode !== REFUSES;
			const failure = hasFailed && sandbox !== undefined ? end.stderr : undefined;
			const kept = keptFromHook((await sandbox?.close(failure)) ?? [], failure, ports);
			return { ...end, isSandboxed: sandbox !== undefined, kept };
		} finally {
			await sandbox?.close(undefined);
		}
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
}

/** Reads the answer of a hook; empty output means `continue`. */
function parseHookAnswer({ run }: Hook, stdout: string): z.infer<typeof UserHookAnswer> {
	if (stdout.trim() === '') {
		return { decision: 'continue' };
	}
	try {
		return UserHookAnswer.parse(JSON.parse(stdout));
	} catch (error) {
		const message = `${run[0]} answered ${cutHookText(stdout, '')}; expected nothing, or {"decision":"block","reason":"…"}. Remarks belong on standard error`;
		throw new ProwessError(
			'DATA_MALFORMED',
			message,
			{ said: text('The hook {program} answered what is not understood.', { program: run[0] }) },
			error,
		);
	}
}

function describeHookFailure({ run }: Hook, { exitCode, stderr, kept }: HookRun): string {
	const how = exitCode === null ? 'was ended by a signal' : `ended with exit code ${exitCode}`;
	const why = kept.length === 0 ? '' : `. ${kept.join(' ')} It said`;
	return `${run.join(' ')} ${how}${why}${stderr.trim() === '' ? '' : `: ${cutHookText(stderr, '')}`}`;
}

function cutHookText(text: string, otherwise: string): string {
	return text.trim() === '' ? otherwise : cutText(text.trim(), HOOK_TEXT_CHARS);
}
