/** Everything between the wish for an op and its effect: what exactly would be done, and whether it may be. */
import type { AllowedBy } from '../../../protocol/approvals/approvals.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import { inEnglish } from '../../../protocol/text/text.ts';
import type { Caller } from '../../../contract/ops/caller.ts';
import type { Lineage } from '../../../contract/lineage.ts';
import { addDecisionNote, createDecision } from '../../../contract/decision.ts';
import type { OpHooks, Prepared } from '../../../contract/ops/op-implementation.ts';
import type { OpWork } from '../../../contract/ops/perform-op.ts';
import type { HostPorts, SimulationPort } from '../../../contract/ports/ports.ts';
import type { Access } from '../../gate/access/access.ts';
import type { ApprovalOrigins } from '../../gate/approvals/approval-origins.ts';
import type { PersonDesk } from '../../gate/approvals/desk.ts';
import { Rate } from '../../gate/policy/executions/rate.ts';
import type { GateDecision } from '../../gate/policy/gate-decision.ts';
import { ThreadGrants } from '../../gate/policy/levels/thread-grants.ts';
import type { ThreadLevels } from '../../gate/policy/levels/thread-levels.ts';
import type { LoadedSkills } from '../../gate/policy/executions/loaded-skills.ts';
import type { ThreadModes } from '../../gate/policy/levels/thread-modes.ts';
import type { ThreadTools } from '../../gate/policy/levels/thread-tools.ts';
import { findLabelId, type ThreadLabels } from '../../gate/labels/thread-labels.ts';
import type { ProjectRules } from '../../gate/policy/rules/project-rules.ts';
import { mergeStrictRules, NO_STRICT_RULES, type StrictRules } from '../../gate/policy/rules/strict-rule.ts';
import type { LedgerPort } from '../../record/ledger/ledger.ts';
import type { Redactor } from '../../record/redaction/redactor.ts';
import { type PersonQuestionDeps, askPerson, applyEditedText } from '../person/ask-person.ts';
import type { EarlyQuestion } from '../asked-before/asked-ahead.ts';
import type { BrokerCall, StepVerdict } from '../call.ts';
import { checkAccess } from './check-access.ts';
import { checkAgent } from './check-agent.ts';
import type { PersonWaits } from '../person/person-waits.ts';
import { recordTrial } from '../record-trial.ts';
import {
	askHooks,
	assessRisk,
	checkAllowList,
	checkPermissions,
	checkPoll,
	checkRate,
	checkThread,
	checkTrust,
	judgeCall,
	parseCall,
	prepareCall,
	refusedByGate,
	type Rulings,
	sealPrepared,
	simulateCall,
} from '../steps.ts';

export interface JudgingDeps {
	readonly ports: Pick<HostPorts, 'workspace' | 'settings' | 'approvalMode' | 'log'>;
	readonly ledger: LedgerPort;
	readonly redactor: Redactor;
	readonly desk: PersonDesk;
	/** Rules of the workspace itself. */
	readonly policies?: WorkspaceRules;
	/** Rules for ops that the user always allows in this project; absent: no project rules are kept. */
	readonly projectRules?: Pick<ProjectRules, 'hasProject' | 'current' | 'refresh' | 'add'>;
	/** Remembers from which question a rule is; absent: nobody does. */
	readonly origins?: Pick<ApprovalOrigins, 'note'>;
	/** Permission levels of threads; absent: every thread has that of the settings. */
	readonly levels?: Pick<ThreadLevels, 'of' | 'strict' | 'refresh'>;
	/** Threads in which the user has said something through this host; absent: every thread's agent may ask. */
	readonly begun?: ReadonlySet<ThreadId>;
	/** Modes of threads; absent: every thread is at Agent. */
	readonly modes?: Pick<ThreadModes, 'of' | 'refresh'>;
	/** Sub-agents; absent: there are none. */
	readonly agents?: Lineage;
	/** Rights of those in whose name threads work; absent: all have all. */
	readonly access?: Pick<Access, 'of' | 'causesOf'>;
	/** Skills that agents have loaded; absent: none. */
	readonly skills?: Pick<LoadedSkills, 'allowedTo'>;
	/** Tools that skills leave to threads; absent: all. */
	readonly threadTools?: Pick<ThreadTools, 'of' | 'ready'>;
	/** Texts from outside that models have read; absent: nobody keeps them. */
	readonly labels?: Pick<
		ThreadLabels,
		'of' | 'ready' | 'add' | 'copy' | 'made' | 'noteConnection' | 'connections' | 'load' | 'tighten'
	>;
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

/** Op to judge, with its parsed params and its prepared effect. */
interface ToJudge {
	readonly work: OpWork;
	readonly params: unknown;
	readonly prepared: Prepared<unknown>;
}

interface JudgedOp {
	readonly work: OpWork;
	readonly prepared: Prepared<unknown>;
	/** Rule or grant that allowed the op in the person's place. */
	readonly allowedBy: AllowedBy | undefined;
}

export class Judging {
	readonly #deps: JudgingDeps;
	readonly #rate: Rate;
	/** Grants that the person gave for threads. */
	readonly grants = new ThreadGrants();

	constructor(deps: JudgingDeps) {
		this.#deps = deps;
		this.#rate = new Rate(deps.ledger);
	}

	/** Prepares the exact effect, for a caller that may ask for it. */
	async prepared(
		call: BrokerCall,
		workOf: () => OpWork | undefined,
		signal: AbortSignal,
	): Promise<StepVerdict<ToJudge>> {
		const { ports, hooks, access } = this.#deps;
		signal.throwIfAborted();
		if (access !== undefined && call.threadId !== null && call.origin.caller.kind !== 'user') {
			for (const cause of access.causesOf(call.threadId)) call.decision = addDecisionNote(call.decision, cause);
		}
		const placed = checkThread(this.#deps.begun, call);
		if (placed.kind === 'refused') return placed;
		const hooked = await askHooks(hooks, call, signal);
		if (hooked.kind === 'refused') return hooked;
		const parsed = parseCall(workOf(), call);
		if (parsed.kind === 'refused') return parsed;
		const { work, params } = parsed.value;
		const listed = checkAllowList(this.#deps.allowedOps?.(call.origin.caller), call);
		if (listed.kind === 'refused') return listed;
		const trusted = checkTrust(ports, work);
		if (trusted.kind === 'refused') return trusted;
		const prepared = await prepareCall(work, params, call, signal);
		return prepared.kind === 'refused' ? prepared : { kind: 'go', value: { work, params, prepared: prepared.value } };
	}

	/** Decides on the op: by rules, rights and rates first, then by the person when the decision is a question. */
	async judged(
		call: BrokerCall,
		{ work, params, prepared }: ToJudge,
		waits: PersonWaits,
		early: EarlyQuestion | undefined,
		signal: AbortSignal,
	): Promise<StepVerdict<JudgedOp>> {
		const { ports, simulation, redactor } = this.#deps;
		await this.refreshRules(signal);
		await this.#deps.threadTools?.ready(call.threadId, signal);
		await this.#deps.labels?.ready(findLabelId(call.origin.caller), signal);
		const left = checkAgent(this.#deps.agents, work, call);
		if (left.kind === 'refused') return left;
		const accessible = checkAccess(this.#deps.access, call);
		if (accessible.kind === 'refused') return accessible;
		const judgeAgain = () => judgeCall(ports, this.rulings, work, prepared, call);
		const judged = judgeAgain();
		if (judged.kind === 'ask') await this.#deps.labels?.load();
		call.decision = createDecision(judged, call.decision.notes);
		const polled = checkPoll(work, judged, call);
		if (polled.kind === 'refused') return polled;
		// A rule for texts that were read would not help where the caller has no right to the op at all.
		if (judged.kind === 'deny' && judged.rule !== 'outside-text') return refusedByGate(work, judged);
		const permitted = checkPermissions(work, call);
		if (permitted.kind === 'refused') return permitted;
		if (judged.kind === 'deny') return refusedByGate(work, judged);
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
		const weighed = { targets: prepared.targets, assessment, isAsked: judged.kind === 'ask' };
		const advice = await simulateCall(simulation, work, call, weighed, signal);
		const { approvedWith } = call.origin;
		let toRun = prepared;
		if (judged.kind === 'ask' && approvedWith !== undefined) {
			call.decision = addDecisionNote(call.decision, `approved together with ${approvedWith}`);
		} else if (judged.kind === 'ask') {
			const reason = redactor.redact(inEnglish(judged.reason));
			const approved = await waits.during(reason, async () => {
				const given = await early?.answerTo(toRun, signal);
				if (given !== undefined) {
					call.decision = { ...call.decision, by: given.call.decision.by };
					return given.verdict;
				}
				const asking = this.asking(judgeAgain);
				return await askPerson(asking, work, toRun, call, { assessment, advice }, signal);
			});
			if (approved.kind === 'refused') return approved;
			const { text, keep } = approved.value;
			// The approved text is the one that runs: the ledger gets the hash of the person's own text.
			const other = keep ?? (text === undefined ? undefined : applyEditedText(text, toRun, call));
			toRun = other === undefined ? toRun : sealPrepared(work, params, other, call);
			// Trust may have been withdrawn while the question was open.
			const stillTrusted = checkTrust(ports, work);
			if (stillTrusted.kind === 'refused') return stillTrusted;
			// And a rule may refuse by now what was asked then.
			await this.refreshRules(signal);
			const stillLeft = checkAgent(this.#deps.agents, work, call);
			if (stillLeft.kind === 'refused') return stillLeft;
			const stillJudged = judgeAgain();
			if (stillJudged.kind === 'deny') {
				call.decision = createDecision(stillJudged, call.decision.notes);
				return refusedByGate(work, stillJudged);
			}
		}
		const allowedBy = judged.kind === 'allow' ? judged.allowedBy : undefined;
		return { kind: 'go', value: { work, prepared: toRun, allowedBy } };
	}

	/** Returns everything that a question to the person needs and that its answer may change. */
	asking(judgeAgain: () => GateDecision): PersonQuestionDeps {
		const { ports, ledger, redactor, desk, projectRules, origins } = this.#deps;
		return {
			desk,
			grants: this.grants,
			settings: ports.settings,
			projectRules,
			origins,
			judgeAgain,
			redact: (text) => redactor.redact(text),
			recordTrial: (call, run) => recordTrial(ledger, call, run),
			onAllowAlwaysFailed: (error) => ports.log.warn('the rule could not be saved', { error: String(error) }),
		};
	}

	/** Rereads rules, levels and modes that somebody may have changed in a file of the workspace or of our home. */
	async refreshRules(signal: AbortSignal): Promise<void> {
		const { policies, projectRules, levels, modes, agents } = this.#deps;
		const others = [levels?.refresh(signal), modes?.refresh(signal), agents?.refresh(signal)];
		await Promise.all([policies?.refresh(signal), projectRules?.refresh(signal), ...others]);
	}

	/** Rules, grants and levels as they stand at this moment. */
	get rulings(): Rulings {
		const { policies, projectRules, levels, modes, skills, threadTools, labels } = this.#deps;
		return {
			grants: this.grants,
			policies: mergeStrictRules([policies?.current ?? NO_STRICT_RULES, levels?.strict ?? NO_STRICT_RULES]),
			projectRules: projectRules?.current ?? [],
			...(levels === undefined ? {} : { levelOf: (threadId) => levels.of(threadId) }),
			...(modes === undefined ? {} : { modeOf: (threadId) => modes.of(threadId) }),
			...(threadTools === undefined ? {} : { skillToolsOf: (threadId) => threadTools.of(threadId) }),
			...(skills === undefined ? {} : { loadedBy: (caller) => skills.allowedTo(caller) }),
			...(labels === undefined
				? {}
				: {
						textsReadBy: (caller) => labels.of(findLabelId(caller)),
						tighten: (input, decided) => labels.tighten(input, decided),
					}),
		};
	}
}
