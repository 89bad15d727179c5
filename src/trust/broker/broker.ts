/**
 * Every effect goes through here, once: judged, recorded, done, recorded. Each request gets exactly one terminal outcome,
 * whatever happens, and repeating an `opId` never repeats an effect. No ledger, no effect.
 */
import { type DerivedSignal, deriveSignal } from '../../base/time/derived-signal.ts';
import { asProwessError, type OpHooks } from '../../contract/ops/op-implementation.ts';
import type { AllowedBy } from '../../protocol/approvals/approvals.ts';
import type { HookWords, OpKnowledge, OpOutcome } from '../../protocol/turn/broker.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { OpId, ThreadId } from '../../protocol/rpc/ids.ts';
import { canonicalOp } from '../../protocol/op-table/ops.ts';
import { longestLimit, opLimitMs, ownLimitMs, settingLimitMs } from '../../protocol/op-table/time-limits.ts';
import { RISK_LEVEL_RULES } from '../gate/policy/levels/levels.ts';
import type { ThreadGrants } from '../gate/policy/levels/thread-grants.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import { AskedOps } from './asked-before/asked-ops.ts';
import { aheadDraft, type AheadSteps } from './asked-before/ahead-draft.ts';
import { EarlyQuestions } from './asked-before/asked-ahead.ts';
import type { NoteStep, RequestedOp, OpOrigin, OpWork } from '../../contract/ops/perform-op.ts';
import { type BrokerCall, createCall } from './call.ts';
import { formatOpTrigger, type Caller } from '../../contract/ops/caller.ts';
import { toOpKnowledge, outcomeOfEarlierHost } from './asked-before/earlier-ops.ts';
import type { OpTarget } from '../../contract/ops/target.ts';
import { labelAfter, labelBefore } from './label-texts.ts';
import { recordDone, recordIntent, recordNotDone } from './record.ts';
import { PersonWaits } from './person/person-waits.ts';
import { type EffectEnd, runEffect, stoppedEnd } from './run-effect.ts';
import { refusedByCheck } from '../../contract/decision.ts';
import { isAllowedToo } from './steps.ts';
import { followOp } from './told-progress.ts';
import { Judging, type JudgingDeps } from './checks/judging.ts';

export interface BrokerDeps extends JudgingDeps {
	/** The op of that name; undefined when there is none. */
	workOf(op: string): OpWork | undefined;
	/** Notes the ops of executions, for those who follow these; absent: nobody does. */
	readonly noteStep?: NoteStep;
}

type CallEnd = EffectEnd | { readonly status: 'denied'; readonly error: ProwessError };

export class Broker {
	readonly #deps: BrokerDeps;
	readonly #judging: Judging;
	readonly #asked = new AskedOps();
	readonly #ahead = new EarlyQuestions();
	#closedBy: ProwessError | undefined;

	constructor(deps: BrokerDeps) {
		this.#deps = deps;
		this.#judging = new Judging(deps);
	}

	/** Grants that the person gave for threads. */
	get grants(): ThreadGrants {
		return this.#judging.grants;
	}

	/** Always resolves. `signal` stops the op; its outcome still comes. */
	perform({ op: name, ...rest }: RequestedOp, origin: OpOrigin, signal: AbortSignal): Promise<OpOutcome> {
		const op = canonicalOp(name);
		return this.#once({ ...rest, op }, origin, () => this.#deps.workOf(op), signal);
	}

	/** An op of the host itself, for the user: the same way, but nobody else can name it. */
	performForUser(
		work: OpWork,
		asked: Omit<RequestedOp, 'op'>,
		threadId: BrokerCall['threadId'],
		signal: AbortSignal,
	): Promise<OpOutcome> {
		const origin: OpOrigin = { caller: { kind: 'user', threadId }, onProgress: () => {} };
		return this.#once({ ...asked, op: work.op }, origin, () => work, signal);
	}

	async knowledge(opId: OpId): Promise<OpKnowledge> {
		return this.#asked.knowledge(opId) ?? toOpKnowledge(await this.#deps.ledger.rowsOf(opId));
	}

	/**
	 * Asks the person about ops that the caller is going to ask for, as one list. Each is judged anew in its turn. Resolves
	 * when all have had theirs; `signal` takes back what is left. Never rejects.
	 */
	async askAhead(
		list: readonly RequestedOp[],
		origin: Omit<OpOrigin, 'onProgress'>,
		signal: AbortSignal,
	): Promise<void> {
		const named = list.map((asked) => ({ ...asked, op: canonicalOp(asked.op) }));
		const fresh = named.filter(({ opId }) => this.#asked.find(opId) === undefined);
		const { ports, hooks, simulation } = this.#deps;
		const steps: AheadSteps = {
			ports,
			hooks,
			simulation,
			workOf: (op) => this.#deps.workOf(op),
			begun: this.#deps.begun,
			allowedOps: (caller) => this.#deps.allowedOps?.(caller),
			refreshRules: (life) => this.#judging.refreshRules(life),
			rulings: () => this.#judging.rulings,
			asking: (judgeAgain) => this.#judging.asking(judgeAgain),
		};
		const draftAhead = async (asked: RequestedOp, life: AbortSignal) => {
			await hooks?.ready?.();
			return await aheadDraft(steps, asked, origin, life);
		};
		if (this.#closedBy === undefined) {
			await this.#ahead.ask(fresh, origin.caller, draftAhead, signal);
		}
	}

	/** An op under way, or asked about ahead, as it was asked for, and by whom; undefined for any other id. */
	underWay(opId: OpId): { readonly asked: RequestedOp; readonly caller: Caller } | undefined {
		return this.#asked.running(opId) ?? this.#ahead.find(opId);
	}

	/** Takes nothing new, stops what runs, and waits for it for a bounded time. */
	async close(): Promise<void> {
		this.#closedBy ??= new ProwessError('CANCELLED', 'the host is closing');
		this.#ahead.stop(() => true);
		await this.#asked.stop(() => true, this.#closedBy);
	}

	/** Stops what the thread's agent has under way, its open questions with it, and forgets what was allowed for the thread. */
	async endThread(threadId: ThreadId): Promise<void> {
		const isOfThread = (caller: Caller) => caller.kind === 'agent' && caller.threadId === threadId;
		this.#ahead.stop(isOfThread);
		await this.#asked.stop(isOfThread, new ProwessError('CANCELLED', 'the thread was deleted'));
		this.#judging.grants.forget(threadId);
	}

	#once(
		asked: RequestedOp,
		origin: OpOrigin,
		workOf: () => OpWork | undefined,
		signal: AbortSignal,
	): Promise<OpOutcome> {
		const trigger = formatOpTrigger(origin.caller, asked.op);
		const known = this.#asked.find(asked.opId);
		if (known !== undefined) {
			return known.trigger === trigger ? Promise.resolve(known.outcome) : Promise.resolve(notYours(asked.opId));
		}
		const work = workOf();
		const { ownMs, opMs } = this.#limits(asked, work);
		const longest = work === undefined ? {} : longestLimit(work.def, opMs);
		const limit = deriveSignal(signal, { what: asked.op, timeoutMs: opMs, ...longest });
		const followed = followOp(asked, origin, () => call.title, this.#deps.noteStep);
		const heard = guardProgress(followed.origin, this.#deps.ports.log, () => limit.renew());
		const call = createCall(asked, heard, ownMs);
		if (this.#closedBy !== undefined) {
			limit.abort(this.#closedBy);
		}
		const hearing = new AbortController();
		const outcome = this.#perform(call, workOf, limit).then(async (ended) => {
			const words = this.#tellHooks(call, ended, AbortSignal.any([signal, hearing.signal]));
			const end = words === undefined ? ended : await withWordsOfHooks(call, ended, words);
			this.#asked.settle(trigger, end);
			followed.ended(end);
			return releaseOutcome(call, end);
		});
		const stop = (reason: ProwessError) => {
			limit.abort(reason);
			hearing.abort(reason);
		};
		const shown = { ...asked, params: call.shownParams };
		this.#asked.begin(asked.opId, { trigger, caller: origin.caller, asked: shown, stop, outcome });
		return outcome;
	}

	async #perform(call: BrokerCall, workOf: () => OpWork | undefined, limit: DerivedSignal): Promise<OpOutcome> {
		const startedAt = performance.now();
		const waits = new PersonWaits(call, limit);
		const measureDuration = () => Math.max(0, performance.now() - startedAt - waits.ms);
		const { ledger, redactor } = this.#deps;
		const early = this.#ahead.take(call.asked.opId, call.origin.caller);
		try {
			const isKnown = call.origin.isNewId === true ? Promise.resolve(undefined) : this.#earlier(call);
			// No hook is asked again about what was done before. Everything else that follows has no effect, and need not wait.
			const isHooked = this.#deps.hooks?.concerns(call.asked.op) === true;
			const preparing = isHooked ? undefined : this.#judging.prepared(call, workOf, limit.signal);
			preparing?.catch(() => {});
			const earlier = await isKnown;
			if (earlier !== undefined) {
				return earlier;
			}
			const whatToDo = await (preparing ?? this.#judging.prepared(call, workOf, limit.signal));
			const ready =
				whatToDo.kind === 'refused'
					? whatToDo
					: await this.#judging.judged(call, whatToDo.value, waits, early, limit.signal);
			if (ready.kind === 'refused') {
				if (ready.status === 'denied') call.decision = refusedByCheck(call.decision, ready.error.message);
				return await recordNotDone(ledger, redactor, call, ready, measureDuration());
			}
			const { work, prepared, allowedBy } = ready.value;
			limit.signal.throwIfAborted();
			await labelBefore(this.#deps, call, prepared.targets, limit.signal);
			await recordIntent(ledger, call, RISK_LEVEL_RULES[work.def.risk].durableIntent);
			call.place?.begin();
			call.origin.onProgress({
				opId: call.asked.opId,
				kind: 'running',
				...(allowedBy === undefined ? {} : { allowedBy: redactor.redactDeep(allowedBy) as AllowedBy }),
			});
			const isAllowed = (target: OpTarget) => isAllowedToo(this.#deps.ports, this.#judging.rulings, work, target, call);
			const end = await runEffect(prepared, call, redactor, isAllowed, waits, limit.signal);
			if (end.status === 'done') await labelAfter(this.#deps, call, prepared.targets, end.result);
			if (end.status === 'done' && work.def.withoutSecret !== undefined) {
				call.released = { result: end.result };
			}
			return end.status === 'done'
				? await recordDone(ledger, redactor, call, work, end.result, measureDuration())
				: await recordNotDone(ledger, redactor, call, end, measureDuration());
		} catch (error) {
			const end: CallEnd = limit.signal.aborted
				? stoppedEnd(call.asked.op, limit.signal)
				: { status: 'failed', error: asProwessError(error, call.asked.op) };
			return await recordNotDone(ledger, redactor, call, end, measureDuration());
		} finally {
			early?.withdraw();
			call.place?.leave();
			limit.dispose();
		}
	}

	async #earlier(call: BrokerCall): Promise<OpOutcome | undefined> {
		const { opId } = call.asked;
		const rows = await this.#deps.ledger.rowsOf(opId);
		const [first] = rows;
		if (first !== undefined && first.trigger !== call.trigger) {
			return notYours(opId);
		}
		return outcomeOfEarlierHost(opId, toOpKnowledge(rows));
	}

	/** From one look at the setting: the op's limit must be the longer one. Params that do not parse run nothing. */
	#limits({ params }: RequestedOp, work: OpWork | undefined): { readonly ownMs: number; readonly opMs: number } {
		const parsed = work?.def.params.safeParse(params);
		if (work === undefined || parsed?.success !== true) {
			return { ownMs: 0, opMs: 0 };
		}
		const settingMs = settingLimitMs(work.def, this.#deps.ports.settings.current);
		return { ownMs: ownLimitMs(work.def, parsed.data, settingMs), opMs: opLimitMs(work.def, parsed.data, settingMs) };
	}

	#tellHooks(call: BrokerCall, outcome: OpOutcome, signal: AbortSignal): ReturnType<OpHooks['after']> {
		const { opId, op } = call.asked;
		const params = call.shownParams;
		try {
			return this.#deps.hooks?.after({ opId, op, params, caller: call.origin.caller }, outcome, signal);
		} catch (error) {
			this.#deps.ports.log.warn('a hook after an op failed', { op, error: String(error) });
			return undefined;
		}
	}
}

/** The limits of those who wait for the op pause: its effect has ended, and its time with it. */
async function withWordsOfHooks(
	{ asked: { opId }, origin }: BrokerCall,
	end: OpOutcome,
	words: Promise<readonly HookWords[]>,
): Promise<OpOutcome> {
	origin.onProgress({ opId, kind: 'hooks' });
	const hooks = [...(await words)];
	return hooks.length === 0 ? end : { ...end, hooks };
}

/** A secret goes to the one who asked, once; what is kept for a repetition is without it. */
function releaseOutcome(call: BrokerCall, end: OpOutcome): OpOutcome {
	return end.status === 'done' && call.released !== undefined ? { ...end, result: call.released.result } : end;
}

/** An op is its caller's alone: another one learns nothing of it. */
function notYours(opId: OpId): OpOutcome {
	const error = { code: 'INVALID_STATE' as const, message: `op ${opId} was asked by another caller`, facts: {} };
	return { status: 'failed', opId, error, durationMs: 0 };
}

/** Nobody listening is no reason for an effect to fail. */
function guardProgress(origin: OpOrigin, log: HostPorts['log'], onOutput: () => void): OpOrigin {
	return {
		...origin,
		onProgress(progress) {
			if (progress.kind === 'output') onOutput();
			try {
				origin.onProgress(progress);
			} catch (error) {
				log.debug('progress of an op was not taken', { error: String(error) });
			}
		},
	};
}
