/**
 * Every effect goes through here, once: judged, recorded, done, recorded. Each request gets exactly one terminal outcome,
 * whatever happens, and repeating an `opId` never repeats an effect. No ledger, no effect.
 */
import { type DerivedSignal, deriveSignal } from '../../base/time/derived-signal.ts';
import type { AllowedBy } from '../../protocol/approvals/approvals.ts';
import type { OpKnowledge, OpOutcome } from '../../protocol/broker.ts';
import { ProwessError } from '../../protocol/errors.ts';
import type { OpId, ThreadId } from '../../protocol/ids.ts';
import { canonicalOp } from '../../protocol/ops.ts';
import { opLimitMs, ownLimitMs } from '../../protocol/ops/commands/time-limits.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import type { ApprovalOrigins } from '../gate/approvals/approval-origins.ts';
import type { PersonDesk } from '../gate/approvals/desk.ts';
import type { LedgerPort } from '../record/ledger/ledger.ts';
import type { GateDecision } from '../gate/policy/gate-decision.ts';
import { LEVELS } from '../gate/policy/levels/levels.ts';
import type { ProjectRules } from '../gate/policy/rules/project-rules.ts';
import { Rate } from '../gate/policy/executions/rate.ts';
import { mergeStrictRules, NO_STRICT_RULES, type StrictRules } from '../gate/policy/rules/strict-rule.ts';
import { ThreadGrants } from '../gate/policy/levels/thread-grants.ts';
import type { ThreadLevels } from '../gate/policy/levels/thread-levels.ts';
import type { ThreadModes } from '../gate/policy/levels/thread-modes.ts';
import type { HostPorts } from '../contract/ports.ts';
import type { Redactor } from '../record/redaction/redactor.ts';
import { AskedOps } from './asked-ops.ts';
import { type Asking, askPerson, edited } from './ask-person.ts';
import { aheadDraft, type AheadSteps } from './ahead-draft.ts';
import { AskedAhead, type EarlyQuestion } from './asked-ahead.ts';
import type { Asked, Origin, Work } from '../contract/perform-op.ts';
import { type Call, callOf, type Verdict } from './call.ts';
import { triggerOf, type Caller } from '../contract/caller.ts';
import { knowledgeOf, outcomeOfEarlierHost } from './earlier-ops.ts';
import type { Prepared } from '../contract/op-implementation.ts';
import type { Target } from '../contract/target.ts';
import { recordDone, recordIntent, recordNotDone } from './record.ts';
import { PersonWaits } from './person-waits.ts';
import { type EffectEnd, runEffect, stoppedEnd } from './run-effect.ts';
import type { OpHooks } from '../contract/op-hooks.ts';
import type { SimulationPort } from '../contract/simulation-port.ts';
import { noted, refusedByCheck, ruled } from '../contract/decision.ts';
import { asProwessError } from '../contract/as-prowess-error.ts';
import {
	askHooks,
	assessRisk,
	checkAllowList,
	checkPermissions,
	checkRate,
	checkThread,
	checkTrust,
	isAllowedToo,
	judge,
	parse,
	prepare,
	refusedByGate,
	type Rulings,
	sealed,
	simulate,
} from './steps.ts';

export interface BrokerDeps {
	/** The op of that name; undefined when there is none. */
	workOf(op: string): Work | undefined;
	readonly ports: Pick<HostPorts, 'workspace' | 'settings' | 'approvalMode' | 'log'>;
	readonly ledger: LedgerPort;
	readonly redactor: Redactor;
	readonly desk: PersonDesk;
	/** Rules of the workspace itself. */
	readonly policies?: WorkspaceRules;
	/** What the user always allows in this project; absent: nothing is kept for one. */
	readonly projectRules?: Pick<ProjectRules, 'hasProject' | 'current' | 'refresh' | 'add'>;
	/** Remembers from which question a rule is; absent: nobody does. */
	readonly origins?: Pick<ApprovalOrigins, 'note'>;
	/** Permission levels of threads; absent: every thread has that of the settings. */
	readonly levels?: Pick<ThreadLevels, 'of' | 'strict' | 'refresh'>;
	/** Threads in which the user has said something through this host; absent: every thread's agent may ask. */
	readonly begun?: ReadonlySet<ThreadId>;
	/** Modes of threads; absent: every thread is at Agent. */
	readonly modes?: Pick<ThreadModes, 'of' | 'refresh'>;
	readonly hooks?: OpHooks;
	readonly simulation?: SimulationPort;
	/** Ops a caller may name at all; undefined: every one. */
	allowedOps?(caller: Caller): ReadonlySet<string> | undefined;
}

/** `refresh` reads again what has changed; it never rejects, because what cannot be read tightens. */
interface WorkspaceRules {
	readonly current: StrictRules;
	refresh(signal: AbortSignal): Promise<void>;
}

/** What exactly would be done. */
interface ToJudge {
	readonly work: Work;
	readonly params: unknown;
	readonly prepared: Prepared<unknown>;
}

interface Judged {
	readonly work: Work;
	readonly prepared: Prepared<unknown>;
	/** What answered in the person's place. */
	readonly allowedBy: AllowedBy | undefined;
}

type End = EffectEnd | { readonly status: 'denied'; readonly error: ProwessError };

export class Broker {
	readonly #deps: BrokerDeps;
	readonly #rate: Rate;
	/** What the person allowed for threads. */
	readonly grants = new ThreadGrants();
	readonly #asked = new AskedOps();
	readonly #ahead = new AskedAhead();
	#closedBy: ProwessError | undefined;

	constructor(deps: BrokerDeps) {
		this.#deps = deps;
		this.#rate = new Rate(deps.ledger);
	}

	/** Always resolves. `signal` stops the op; its outcome still comes. */
	perform({ op: name, ...rest }: Asked, origin: Origin, signal: AbortSignal): Promise<OpOutcome> {
		const op = canonicalOp(name);
		return this.#once({ ...rest, op }, origin, () => this.#deps.workOf(op), signal);
	}

	/** An op of the host itself, for the user: the same way, but nobody else can name it. */
	performForUser(
		work: Work,
		asked: Omit<Asked, 'op'>,
		threadId: Call['threadId'],
		signal: AbortSignal,
	): Promise<OpOutcome> {
		const origin: Origin = { caller: { kind: 'user', threadId }, onProgress: () => {} };
		return this.#once({ ...asked, op: work.op }, origin, () => work, signal);
	}

	async knowledge(opId: OpId): Promise<OpKnowledge> {
		return this.#asked.knowledge(opId) ?? knowledgeOf(await this.#deps.ledger.rowsOf(opId));
	}

	/**
	 * Asks the person about ops that the caller is going to ask for, as one list. Each is judged anew in its turn. Resolves
	 * when all have had theirs; `signal` takes back what is left. Never rejects.
	 */
	async askAhead(list: readonly Asked[], origin: Omit<Origin, 'onProgress'>, signal: AbortSignal): Promise<void> {
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
			refreshRules: (life) => this.#refreshRules(life),
			rulings: () => this.#rulings,
			asking: (judgeAgain) => this.#asking(judgeAgain),
		};
		const draft = (asked: Asked, life: AbortSignal) => aheadDraft(steps, asked, origin, life);
		if (this.#closedBy === undefined) {
			await this.#ahead.ask(fresh, origin.caller, draft, signal);
		}
	}

	/** An op under way, or asked about ahead, as it was asked for, and by whom; undefined for any other id. */
	underWay(opId: OpId): { readonly asked: Asked; readonly caller: Caller } | undefined {
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
		this.grants.forget(threadId);
	}

	#once(asked: Asked, origin: Origin, workOf: () => Work | undefined, signal: AbortSignal): Promise<OpOutcome> {
		const trigger = triggerOf(origin.caller, asked.op);
		const known = this.#asked.find(asked.opId);
		if (known !== undefined) {
			return known.trigger === trigger ? Promise.resolve(known.outcome) : Promise.resolve(notYours(asked.opId));
		}
		const { ownMs, opMs } = this.#limits(asked, workOf());
		const limit = deriveSignal(signal, { what: asked.op, timeoutMs: opMs });
		const call = callOf(asked, quiet(origin, this.#deps.ports.log), ownMs);
		if (this.#closedBy !== undefined) {
			limit.abort(this.#closedBy);
		}
		const outcome = this.#perform(call, workOf, limit).then((end) => {
			this.#asked.settle(trigger, end);
			this.#tellHooks(call, end);
			return released(call, end);
		});
		this.#asked.begin(asked.opId, { trigger, caller: origin.caller, asked, stop: limit.abort, outcome });
		return outcome;
	}

	async #perform(call: Call, workOf: () => Work | undefined, limit: DerivedSignal): Promise<OpOutcome> {
		const startedAt = performance.now();
		const waits = new PersonWaits(call, limit);
		const duration = () => Math.max(0, performance.now() - startedAt - waits.ms);
		const { ledger, redactor } = this.#deps;
		const early = this.#ahead.take(call.asked.opId, call.origin.caller);
		try {
			const isKnown = call.origin.isNewId === true ? Promise.resolve(undefined) : this.#earlier(call);
			// No hook is asked again about what was done before. Everything else that follows has no effect, and need not wait.
			const isHooked = this.#deps.hooks?.concerns(call.asked.op) === true;
			const preparing = isHooked ? undefined : this.#prepared(call, workOf, limit.signal);
			preparing?.catch(() => {});
			const earlier = await isKnown;
			if (earlier !== undefined) {
				return earlier;
			}
			const whatToDo = await (preparing ?? this.#prepared(call, workOf, limit.signal));
			const ready =
				whatToDo.kind === 'refused' ? whatToDo : await this.#judged(call, whatToDo.value, waits, early, limit.signal);
			if (ready.kind === 'refused') {
				if (ready.status === 'denied') call.decision = refusedByCheck(call.decision, ready.error.message);
				return await recordNotDone(ledger, redactor, call, ready, duration());
			}
			const { work, prepared, allowedBy } = ready.value;
			limit.signal.throwIfAborted();
			await recordIntent(ledger, call, LEVELS[work.def.risk].durableIntent);
			call.place?.begin();
			call.origin.onProgress({
				opId: call.asked.opId,
				kind: 'running',
				...(allowedBy === undefined ? {} : { allowedBy: redactor.redactDeep(allowedBy) as AllowedBy }),
			});
			const isAllowed = (target: Target) => isAllowedToo(this.#deps.ports, this.#rulings, work, target, call);
			const end = await runEffect(prepared, call, redactor, isAllowed, waits, limit.signal);
			if (end.status === 'done' && work.def.withoutSecret !== undefined) {
				call.released = { result: end.result };
			}
			return end.status === 'done'
				? await recordDone(ledger, redactor, call, work, end.result, duration())
				: await recordNotDone(ledger, redactor, call, end, duration());
		} catch (error) {
			const end: End = limit.signal.aborted
				? stoppedEnd(call.asked.op, limit.signal)
				: { status: 'failed', error: asProwessError(error, call.asked.op) };
			return await recordNotDone(ledger, redactor, call, end, duration());
		} finally {
			early?.withdraw();
			call.place?.leave();
			limit.dispose();
		}
	}

	/** What exactly would be done, for a caller that may ask for it. */
	async #prepared(call: Call, workOf: () => Work | undefined, signal: AbortSignal): Promise<Verdict<ToJudge>> {
		const { ports, hooks } = this.#deps;
		signal.throwIfAborted();
		const placed = checkThread(this.#deps.begun, call);
		if (placed.kind === 'refused') return placed;
		const hooked = await askHooks(hooks, call, signal);
		if (hooked.kind === 'refused') return hooked;
		const parsed = parse(workOf(), call);
		if (parsed.kind === 'refused') return parsed;
		const { work, params } = parsed.value;
		const listed = checkAllowList(this.#deps.allowedOps?.(call.origin.caller), call);
		if (listed.kind === 'refused') return listed;
		const trusted = checkTrust(ports, work);
		if (trusted.kind === 'refused') return trusted;
		const prepared = await prepare(work, params, call, signal);
		return prepared.kind === 'refused' ? prepared : { kind: 'go', value: { work, params, prepared: prepared.value } };
	}

	/** Everything else before the effect. */
	async #judged(
		call: Call,
		{ work, params, prepared }: ToJudge,
		waits: PersonWaits,
		early: EarlyQuestion | undefined,
		signal: AbortSignal,
	): Promise<Verdict<Judged>> {
		const { ports, simulation, redactor } = this.#deps;
		await this.#refreshRules(signal);
		const judgeAgain = () => judge(ports, this.#rulings, work, prepared, call);
		const judged = judgeAgain();
		call.decision = ruled(judged, call.decision.notes);
		if (judged.kind === 'deny') return refusedByGate(work, judged);
		const permitted = checkPermissions(work, call);
		if (permitted.kind === 'refused') return permitted;
		const refusal = early?.refusal;
		if (refusal?.verdict.kind === 'refused') {
			// Whatever lets it pass since: the person said no to this one.
			call.decision = { ...call.decision, by: refusal.call.decision.by };
			return refusal.verdict;
		}
		const rated = await checkRate(ports, this.#rate, work, call);
		if (rated.kind === 'refused') return rated;
		call.place = rated.value;
		const assessment = assessRisk(work, prepared, call);
		const advice = await simulate(simulation, work, call, signal);
		const { approvedWith } = call.origin;
		let toRun = prepared;
		if (judged.kind === 'ask' && approvedWith !== undefined) {
			call.decision = noted(call.decision, `approved together with ${approvedWith}`);
		} else if (judged.kind === 'ask') {
			const reason = redactor.redact(inEnglish(judged.reason));
			const approved = await waits.during(reason, async () => {
				const given = await early?.answerTo(toRun, signal);
				if (given !== undefined) {
					call.decision = { ...call.decision, by: given.call.decision.by };
					return given.verdict;
				}
				const asking = this.#asking(judgeAgain);
				return await askPerson(asking, work, toRun, call, { assessment, advice }, signal);
			});
			if (approved.kind === 'refused') return approved;
			const { text } = approved.value;
			// What was approved is what runs: the ledger gets the hash of the person's own text.
			toRun = text === undefined ? toRun : sealed(work, params, edited(text, toRun, call), call);
			// Trust may have been withdrawn while the question was open.
			const stillTrusted = checkTrust(ports, work);
			if (stillTrusted.kind === 'refused') return stillTrusted;
			// And a rule may refuse by now what was asked then.
			await this.#refreshRules(signal);
			const stillJudged = judgeAgain();
			if (stillJudged.kind === 'deny') {
				call.decision = ruled(stillJudged, call.decision.notes);
				return refusedByGate(work, stillJudged);
			}
		}
		const allowedBy = judged.kind === 'allow' ? judged.allowedBy : undefined;
		return { kind: 'go', value: { work, prepared: toRun, allowedBy } };
	}

	#asking(judgeAgain: () => GateDecision): Asking {
		const { ports, redactor, desk, projectRules, origins } = this.#deps;
		return {
			desk,
			grants: this.grants,
			settings: ports.settings,
			projectRules,
			origins,
			judgeAgain,
			redact: (text) => redactor.redact(text),
			onAllowAlwaysFailed: (error) => ports.log.warn('the rule could not be saved', { error: String(error) }),
		};
	}

	/** What somebody has changed since, in a file of the workspace or of our home. */
	async #refreshRules(signal: AbortSignal): Promise<void> {
		const { policies, projectRules, levels, modes } = this.#deps;
		const others = [levels?.refresh(signal), modes?.refresh(signal)];
		await Promise.all([policies?.refresh(signal), projectRules?.refresh(signal), ...others]);
	}

	get #rulings(): Rulings {
		const { policies, projectRules, levels, modes } = this.#deps;
		return {
			grants: this.grants,
			policies: mergeStrictRules([policies?.current ?? NO_STRICT_RULES, levels?.strict ?? NO_STRICT_RULES]),
			projectRules: projectRules?.current ?? [],
			...(levels === undefined ? {} : { levelOf: (threadId) => levels.of(threadId) }),
			...(modes === undefined ? {} : { modeOf: (threadId) => modes.of(threadId) }),
		};
	}

	async #earlier(call: Call): Promise<OpOutcome | undefined> {
		const { opId } = call.asked;
		const rows = await this.#deps.ledger.rowsOf(opId);
		const [first] = rows;
		if (first !== undefined && first.trigger !== call.trigger) {
			return notYours(opId);
		}
		return outcomeOfEarlierHost(opId, knowledgeOf(rows));
	}

	/** From one look at the setting: the op's limit must be the longer one. Params that do not parse run nothing. */
	#limits({ params }: Asked, work: Work | undefined): { readonly ownMs: number; readonly opMs: number } {
		const settingMs = this.#deps.ports.settings.current['prowess.agent.toolTimeoutSeconds'] * 1_000;
		const parsed = work?.def.params.safeParse(params);
		return work === undefined || parsed?.success !== true
			? { ownMs: 0, opMs: 0 }
			: { ownMs: ownLimitMs(work.def, parsed.data, settingMs), opMs: opLimitMs(work.def, parsed.data, settingMs) };
	}

	#tellHooks(call: Call, outcome: OpOutcome): void {
		const { opId, op, params } = call.asked;
		try {
			this.#deps.hooks?.after({ opId, op, params, caller: call.origin.caller }, outcome);
		} catch (error) {
			this.#deps.ports.log.warn('a hook after an op failed', { op, error: String(error) });
		}
	}
}

/** A secret goes to the one who asked, once; what is kept for a repetition is without it. */
function released(call: Call, end: OpOutcome): OpOutcome {
	return end.status === 'done' && call.released !== undefined ? { ...end, result: call.released.result } : end;
}

/** An op is its caller's alone: another one learns nothing of it. */
function notYours(opId: OpId): OpOutcome {
	const error = { code: 'INVALID_STATE' as const, message: `op ${opId} was asked by another caller`, facts: {} };
	return { status: 'failed', opId, error, durationMs: 0 };
}

/** Nobody listening is no reason for an effect to fail. */
function quiet(origin: Origin, log: HostPorts['log']): Origin {
	return {
		...origin,
		onProgress(progress) {
			try {
				origin.onProgress(progress);
			} catch (error) {
				log.debug('progress of an op was not taken', { error: String(error) });
			}
		},
	};
}
