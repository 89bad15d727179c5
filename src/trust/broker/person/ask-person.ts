/** The approval of an op. The three ways of not getting one have three texts, each with what to do. */
import { isProwessError, ProwessError } from '../../../protocol/errors.ts';
import { actKindOf } from '../../../protocol/ops/act-kind.ts';
import { inEnglish, inTurn, type Text, text, withArgs } from '../../../protocol/text/text.ts';
import { type ApprovedScope, noted, ruled } from '../../../contract/decision.ts';
import type { ApprovalOrigin } from '../../../contract/kept-approvals.ts';
import { escapeInArgument, escapeInvisible } from '../../../base/text/escape-invisible.ts';
import { approvalId, type ApprovalOrigins } from '../../gate/approvals/approval-origins.ts';
import type { PersonDesk } from '../../gate/approvals/desk.ts';
import { shownDetail } from '../../gate/approvals/shown-detail.ts';
import { shownTrial } from '../../gate/approvals/shown-trial.ts';
import { shownWarning } from '../../gate/approvals/shown-warning.ts';
import { answerable } from '../../gate/policy/answered.ts';
import type { GateDecision } from '../../gate/policy/gate-decision.ts';
import { whyNotRule } from '../../gate/policy/rules/offered-rules.ts';
import type { ProjectRules } from '../../gate/policy/rules/project-rules.ts';
import type { Assessment } from '../../gate/policy/commands/risk-assessor.ts';
import type { ThreadGrants } from '../../gate/policy/levels/thread-grants.ts';
import { TURN_SCOPE } from '../../gate/policy/levels/thread-scope.ts';
import type { GivenAnswer } from '../../../contract/desk.ts';
import type { SettingsPort } from '../../../contract/ports/ports.ts';
import { type Call, denied, go, type Verdict } from '../call.ts';
import { refusedByGate } from '../steps.ts';
import type { Work } from '../../../contract/ops/perform-op.ts';
import type { Prepared, Trial, Tried } from '../../../contract/ops/op-implementation.ts';

export interface Asking {
	readonly desk: PersonDesk;
	readonly grants: ThreadGrants;
	readonly settings: Pick<SettingsPort, 'allowAlways'>;
	readonly projectRules: Pick<ProjectRules, 'hasProject' | 'add'> | undefined;
	readonly origins: Pick<ApprovalOrigins, 'note'> | undefined;
	redact(text: string): string;
	/** Records that the person has a command tried, before it is, and how that ended. */
	recordTrial(call: Call, run: () => Promise<Tried>): Promise<Tried>;
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

function predicted(advice: string): Text {
	return text('A model predicts: {prediction}', { prediction: advice });
}

export async function askPerson(
	asking: Asking,
	work: Work,
	prepared: Prepared<unknown>,
	call: Call,
	{ assessment, advice }: Warned,
	signal: AbortSignal,
): Promise<Verdict<Approved>> {
	let latest = asking.judgeAgain();
	let tried: Tried | undefined;
	const { trial } = prepared;
	const tryFirst = async (life: AbortSignal) => {
		const done = await asking.recordTrial(call, () => (trial as Trial).run(life));
		if (life.aborted) {
			await done.discard();
			life.throwIfAborted();
		}
		tried = done;
		return shownTrial(done.ended, asking.redact);
	};
	const draft = () => {
		latest = asking.judgeAgain();
		if (latest.kind !== 'ask') {
			return undefined;
		}
		const { reason, threadScope, isTurnOffered } = latest;
		const clean = (words: string) => escapeInvisible(asking.redact(words), 'line');
		const warning = shownWarning(assessment, prepared.targets, clean, (words) =>
			escapeInArgument(asking.redact(words)),
		);
		// A dangerous op is answered once each time: no rule and no grant is offered for it.
		const isDangerous = warning?.isDangerous === true;
		const pattern = isDangerous ? null : offeredPattern(latest.pattern, asking);
		const wider = latest.wider.filter((rule) => pattern !== null && offeredPattern(rule, asking) === rule);
		latest = { ...latest, pattern, wider };
		return {
			opId: call.asked.opId,
			threadId: call.threadId,
			op: work.op,
			title: clean(inEnglish(call.title)),
			said: withArgs(call.title, clean),
			risk: work.def.risk,
			act: actKindOf(work.def),
			warning,
			reason: withArgs(advice === undefined ? reason : inTurn(reason, predicted(advice)), (arg) =>
				escapeInvisible(asking.redact(arg), 'lines'),
			),
			detail: shownDetail(prepared.detail, asking.redact),
			isOnceOffered: true,
			isPartOfAll: latest.isPartOfAll && !isDangerous,
			threadScope: call.threadId === null || isDangerous ? null : threadScope,
			...(isTurnOffered ? { turnScope: TURN_SCOPE } : {}),
			pattern,
			...(wider.length === 0 ? {} : { wider }),
			whyNotRule: (rule: string) => whyNotRule(rule, work.op, answerable(prepared.targets, call.origin.caller)),
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
		answer = await asking.desk.ask(call.threadId, draft, signal, listOf(call));
	} catch (error) {
		await tried?.discard();
		signal.throwIfAborted();
		if (isProwessError(error) && error.code === 'APPROVAL_EXPIRED') {
			call.decision = { ...call.decision, by: { kind: 'nobody' } };
			return denied('APPROVAL_EXPIRED', `${work.op}: ${error.message}`, error.facts);
		}
		throw error;
	}
	if (answer?.kind === 'tried' && tried !== undefined) {
		call.decision = noted(call.decision, 'tried on a copy of the workspace; the user keeps what it changed');
		const kept = await taken(asking, answer, latest, work, prepared, call, signal);
		return kept.kind === 'go' ? go({ ...kept.value, keep: tried.keep }) : kept;
	}
	await tried?.discard();
	if (answer === undefined) {
		// An earlier answer, or a rule that is new, has settled it.
		call.decision = ruled(latest, call.decision.notes);
		return latest.kind === 'deny' ? refusedByGate(work, latest) : go(AS_ASKED);
	}
	return await taken(asking, answer, latest, work, prepared, call, signal);
}

async function taken(
	asking: Asking,
	answer: GivenAnswer,
	judged: GateDecision,
	work: Work,
	prepared: Prepared<unknown>,
	call: Call,
	signal: AbortSignal,
): Promise<Verdict<Approved>> {
	if (answer.kind === 'deny') {
		const words = answer.reason?.trim() ?? '';
		call.decision = { ...call.decision, by: { kind: 'person', said: 'no', words } };
		return denied('DENIED_BY_USER', `the user said no to this ${work.op}`, words === '' ? {} : { reason: words });
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
		asking.grants.add(call.threadId, work.op, work.def, prepared.targets, origin);
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
	call.decision = { ...call.decision, by: { kind: 'person', said: 'yes', scope } };
	if (scope.kind !== 'once') {
		asking.desk.reconsider();
	}
	return go({ text: answer.text });
}

/** Questions of one turn of the agent are one list; a capability asks one thing at a time. */
function listOf({ origin: { caller } }: Call): string | undefined {
	return caller.kind === 'agent' ? caller.turnId : undefined;
}

/** Returns the preparation that runs after the person edited the proposed text. */
export function edited(text: string, { proposal }: Prepared<unknown>, call: Call): Prepared<unknown> {
	if (proposal === undefined) {
		throw new ProwessError('INVALID_STATE', `${call.asked.op} has no text that can be edited`);
	}
	const { prepared, added, removed } = proposal.withText(text);
	call.decision = noted(call.decision, `the user edited the text before the yes (+${added} -${removed} lines)`);
	return prepared;
}

/** Nobody can agree to a rule of which a part is struck out or cannot be seen. */
function offeredPattern(pattern: string | null, { redact }: Pick<Asking, 'redact'>): string | null {
	return pattern !== null && escapeInvisible(redact(pattern), 'line') === pattern ? pattern : null;
}
