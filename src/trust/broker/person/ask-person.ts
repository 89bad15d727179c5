/** The approval of an op. The three ways of not getting one have three texts, each with what to do. */
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import type { ActedThrough } from '../../../protocol/approvals/access.ts';
import { toActKind } from '../../../protocol/ops/act-kind.ts';
import { inEnglish, joinTexts, type Text, text, withArgs } from '../../../protocol/text/text.ts';
import { type ApprovedScope, addDecisionNote, createDecision } from '../../../contract/decision.ts';
import type { ApprovalOrigin, GivenAnswer } from '../../../contract/approvals.ts';
import type { OpId } from '../../../protocol/rpc/ids.ts';
import { escapeInArgument, escapeInvisible } from '../../../base/text/escape-invisible.ts';
import { approvalId, type ApprovalOrigins } from '../../gate/approvals/approval-origins.ts';
import type { PersonDesk } from '../../gate/approvals/desk.ts';
import { shownDetail } from '../../gate/approvals/shown-detail.ts';
import { shownTrial, shownWarning } from '../../gate/approvals/shown-question.ts';
import { pickAnswerableTargets } from '../../gate/policy/answered.ts';
import type { GateDecision } from '../../gate/policy/gate-decision.ts';
import { whyNotRule } from '../../gate/policy/rules/offered-rules.ts';
import type { ProjectRules } from '../../gate/policy/rules/project-rules.ts';
import type { Assessment } from '../../gate/policy/commands/risk-assessor.ts';
import type { ThreadGrants } from '../../gate/policy/levels/thread-grants.ts';
import { TURN_SCOPE } from '../../gate/policy/levels/thread-scope.ts';
import type { SettingsPort } from '../../../contract/ports/ports.ts';
import { type BrokerCall, denyCall, continueWith, type StepVerdict } from '../call.ts';
import { refusedByGate } from '../steps.ts';
import type { OpWork } from '../../../contract/ops/perform-op.ts';
import type { Prepared, TrialRun, FinishedTrial } from '../../../contract/ops/op-implementation.ts';

export interface PersonQuestionDeps {
	readonly desk: PersonDesk;
	readonly grants: ThreadGrants;
	readonly settings: Pick<SettingsPort, 'allowAlways'>;
	readonly projectRules: Pick<ProjectRules, 'hasProject' | 'add'> | undefined;
	readonly origins: Pick<ApprovalOrigins, 'note'> | undefined;
	redact(text: string): string;
	/** Records that the person has a command tried, before it is, and how that ended. */
	recordTrial(call: BrokerCall, run: () => Promise<FinishedTrial>): Promise<FinishedTrial>;
	/** Judged again when the question is about to be asked: an earlier answer may have settled it. */
	judgeAgain(): GateDecision;
	onAllowAlwaysFailed(error: unknown): void;
}

/** Warnings from the assessor, and what a model predicts where one does. */
interface Warned {
	readonly assessment: Assessment;
	readonly advice: string | undefined;
}

/** A yes to what was asked, to what the person has made of it, or to what came of a trial of it. */
export interface Approved {
	readonly text: string | undefined;
	readonly keep?: Prepared<unknown> | undefined;
}

const AS_ASKED: Approved = { text: undefined };

function describePrediction(advice: string): Text {
	return text('A model predicts: {prediction}', { prediction: advice });
}

export async function askPerson(
	asking: PersonQuestionDeps,
	work: OpWork,
	prepared: Prepared<unknown>,
	call: BrokerCall,
	{ assessment, advice }: Warned,
	signal: AbortSignal,
): Promise<StepVerdict<Approved>> {
	let latest = asking.judgeAgain();
	let tried: FinishedTrial | undefined;
	const { trial } = prepared;
	const tryFirst = async (life: AbortSignal) => {
		const done = await asking.recordTrial(call, () => (trial as TrialRun).run(life));
		if (life.aborted) {
			await done.discard();
			life.throwIfAborted();
		}
		tried = done;
		return shownTrial(done.ended, asking.redact);
	};
	const draftQuestion = () => {
		latest = asking.judgeAgain();
		if (latest.kind !== 'ask') {
			return undefined;
		}
		const { reason, threadScope, isTurnOffered } = latest;
		const cleanLine = (words: string) => escapeInvisible(asking.redact(words), 'line');
		const warning = shownWarning(assessment, prepared.targets, cleanLine, (words) =>
			escapeInArgument(asking.redact(words)),
		);
		// A dangerous op is answered once each time: no rule and no grant is offered for it.
		const isDangerous = warning?.isDangerous === true;
		const pattern = isDangerous ? null : pickVisiblePattern(latest.pattern, asking);
		const wider = latest.wider.filter((rule) => pattern !== null && pickVisiblePattern(rule, asking) === rule);
		latest = { ...latest, pattern, wider };
		return {
			opId: call.asked.opId,
			threadId: call.threadId,
			op: work.op,
			title: cleanLine(inEnglish(call.title)),
			said: withArgs(call.title, cleanLine),
			risk: work.def.risk,
			act: toActKind(work.def),
			warning,
			reason: withArgs(advice === undefined ? reason : joinTexts(reason, describePrediction(advice)), (arg) =>
				escapeInvisible(asking.redact(arg), 'lines'),
			),
			isReasonUsual: latest.isReasonUsual && advice === undefined,
			...((latest.flow?.shown.length ?? 0) === 0
				? {}
				: {
						textsRead: latest.flow?.shown.map(({ said, opId }) => ({
							said: withArgs(said, cleanLine),
							opId: opId as OpId,
						})),
					}),
			detail: shownDetail(prepared.detail, asking.redact),
			isOnceOffered: true,
			isPartOfAll: latest.isPartOfAll && !isDangerous,
			threadScope: call.threadId === null || isDangerous ? null : threadScope,
			...(isTurnOffered ? { turnScope: TURN_SCOPE } : {}),
			pattern,
			...(wider.length === 0 ? {} : { wider }),
			whyNotRule: (rule: string) =>
				whyNotRule(rule, work.op, pickAnswerableTargets(prepared.targets, call.origin.caller)),
			isProjectOffered: pattern !== null && asking.projectRules?.hasProject === true,
			proposal: prepared.proposal,
			...(trial === undefined ? {} : { tryFirst }),
			isSettled: () => {
				const now = asking.judgeAgain();
				latest = now.kind === 'ask' ? latest : now;
				return now.kind !== 'ask';
			},
		};
	};
	let answer: GivenAnswer | undefined;
	prepared.onAsked?.();
	try {
		answer = await asking.desk.ask(call.threadId, draftQuestion, signal, findQuestionListId(call));
	} catch (error) {
		await tried?.discard();
		signal.throwIfAborted();
		if (isProwessError(error) && error.code === 'APPROVAL_EXPIRED') {
			call.decision = { ...call.decision, by: { kind: 'nobody' } };
			return denyCall('APPROVAL_EXPIRED', `${work.op}: ${error.message}`, error.facts);
		}
		throw error;
	}
	if (answer?.kind === 'tried' && tried !== undefined) {
		call.decision = addDecisionNote(call.decision, 'tried on a copy of the workspace; the user keeps what it changed');
		const kept = await applyAnswer(asking, answer, latest, work, prepared, call, signal);
		return kept.kind === 'go' ? continueWith({ ...kept.value, keep: tried.keep }) : kept;
	}
	await tried?.discard();
	if (answer === undefined) {
		// An earlier answer, or a rule that is new, has settled it.
		call.decision = createDecision(latest, call.decision.notes);
		return latest.kind === 'deny' ? refusedByGate(work, latest) : continueWith(AS_ASKED);
	}
	return await applyAnswer(asking, answer, latest, work, prepared, call, signal);
}

async function applyAnswer(
	asking: PersonQuestionDeps,
	answer: GivenAnswer,
	judged: GateDecision,
	work: OpWork,
	prepared: Prepared<unknown>,
	call: BrokerCall,
	signal: AbortSignal,
): Promise<StepVerdict<Approved>> {
	if (answer.kind === 'deny') {
		const words = answer.reason?.trim() ?? '';
		call.decision = { ...call.decision, by: { kind: 'person', said: 'no', words, ...takeClient(answer) } };
		return denyCall('DENIED_BY_USER', `the user said no to this ${work.op}`, words === '' ? {} : { reason: words });
	}
	const asked = judged.kind === 'ask' ? judged : undefined;
	let scope: ApprovedScope = { kind: 'once' };
	const origin: ApprovalOrigin = {
		at: new Date().toISOString(),
		title: escapeInvisible(asking.redact(inEnglish(call.title)), 'line'),
		opId: call.asked.opId,
		threadId: call.threadId,
	};
	if (answer.kind === 'thread' && asked !== undefined && asked.threadScope !== null && call.threadId !== null) {
		const { flow } = asked;
		if (flow?.isOnly !== true) asking.grants.add(call.threadId, work.op, work.def, prepared.targets, origin);
		if (flow !== undefined) asking.grants.addFlow(call.threadId, flow, origin);
		scope = { kind: 'thread', covers: inEnglish(asked.threadScope) };
	}
	const { caller } = call.origin;
	if (answer.kind === 'turn' && asked?.isTurnOffered === true && caller.kind === 'agent') {
		asking.grants.addTurn(caller.threadId, caller.turnId, origin);
		scope = { kind: 'turn', covers: inEnglish(TURN_SCOPE) };
	}
	if ((answer.kind === 'project' || answer.kind === 'always') && asked !== undefined && asked.pattern !== null) {
		const pattern = answer.rule?.trim() ?? asked.pattern;
		scope = { kind: answer.kind === 'project' ? 'project' : 'all projects', pattern };
		const keepForThread = () => call.threadId !== null && asking.grants.addRule(call.threadId, pattern, origin);
		try {
			if (answer.kind === 'project') {
				const id = await asking.projectRules?.add(pattern, signal);
				if (id !== undefined) {
					await asking.origins?.note(id, origin);
				}
			} else {
				// The settings are read again a moment later.
				keepForThread();
				await asking.settings.allowAlways(pattern);
				await asking.origins?.note(approvalId('everywhere', pattern), origin);
			}
		} catch (error) {
			keepForThread();
			asking.onAllowAlwaysFailed(error);
			scope = { kind: 'unsaved rule', pattern };
		}
	}
	call.decision = { ...call.decision, by: { kind: 'person', said: 'yes', scope, ...takeClient(answer) } };
	if (scope.kind !== 'once') {
		asking.desk.reconsider();
	}
	return continueWith({ text: answer.text });
}

/** Client that an answer came through. */
function takeClient({ through, device }: ActedThrough): ActedThrough {
	return { through, device };
}

/** Questions of one turn of the agent are one list; a capability asks one thing at a time. */
function findQuestionListId({ origin: { caller } }: BrokerCall): string | undefined {
	return caller.kind === 'agent' ? caller.turnId : undefined;
}

/** Returns the preparation that runs after the person edited the proposed text. */
export function applyEditedText(text: string, { proposal }: Prepared<unknown>, call: BrokerCall): Prepared<unknown> {
	if (proposal === undefined) {
		throw new ProwessError('INVALID_STATE', `${call.asked.op} has no text that can be edited`);
	}
	const { prepared, added, removed } = proposal.withText(text);
	call.decision = addDecisionNote(
		call.decision,
		`the user edited the text before the yes (+${added} -${removed} lines)`,
	);
	return prepared;
}

/** Nobody can agree to a rule of which a part is struck out or cannot be seen. */
function pickVisiblePattern(pattern: string | null, { redact }: Pick<PersonQuestionDeps, 'redact'>): string | null {
	return pattern !== null && escapeInvisible(redact(pattern), 'line') === pattern ? pattern : null;
}
