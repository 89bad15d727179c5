/** The approval of an op. The three ways of not getting one have three texts, each with what to do. */
import type { ApprovalAnswer } from '../../protocol/approvals.ts';
import { isProwessError } from '../../protocol/errors.ts';
import { inEnglish, inTurn, type Text, withArgs } from '../../protocol/text.ts';
import { type ApprovedScope, ruled } from '../contract/decision.ts';
import { escapeInvisible } from '../../base/escape-invisible.ts';
import type { PersonDesk } from '../gate/approvals/desk.ts';
import { shownDetail } from '../gate/approvals/shown-detail.ts';
import type { GateDecision } from '../gate/policy/gate.ts';
import type { ProjectRules } from '../gate/policy/project-rules.ts';
import type { ThreadGrants } from '../gate/policy/thread-grants.ts';
import type { SettingsPort } from '../contract/ports.ts';
import { type Call, denied, go, type Verdict } from './call.ts';
import { refusedByGate } from './steps.ts';
import type { Work } from '../contract/perform-op.ts';
import type { Prepared } from '../contract/op-implementation.ts';

interface Asking {
	readonly desk: PersonDesk;
	readonly grants: ThreadGrants;
	readonly settings: Pick<SettingsPort, 'allowAlways'>;
	readonly projectRules: Pick<ProjectRules, 'hasProject' | 'add'> | undefined;
	redact(text: string): string;
	/** Judged again when the question is about to be asked: an earlier answer may have settled it. */
	judgeAgain(): GateDecision;
	onAllowAlwaysFailed(error: unknown): void;
}

/** `warnings`: what the assessor and the simulation say, shown with the reason. */
export async function askPerson(
	asking: Asking,
	work: Work,
	prepared: Prepared<unknown>,
	call: Call,
	warnings: readonly (Text | string)[],
	signal: AbortSignal,
): Promise<Verdict<null>> {
	let latest = asking.judgeAgain();
	const draft = () => {
		latest = asking.judgeAgain();
		if (latest.kind !== 'ask') {
			return undefined;
		}
		const { reason, threadScope } = latest;
		const pattern = offeredPattern(latest.pattern, asking);
		latest = { ...latest, pattern };
		return {
			opId: call.asked.opId,
			threadId: call.threadId,
			op: work.op,
			title: escapeInvisible(asking.redact(call.input), 'line'),
			risk: work.def.risk,
			reason: withArgs(inTurn(reason, ...warnings), (arg) => escapeInvisible(asking.redact(arg), 'lines')),
			detail: shownDetail(prepared.detail, asking.redact),
			isOnceOffered: true,
			threadScope: call.threadId === null ? null : threadScope,
			pattern,
			isProjectOffered: pattern !== null && asking.projectRules?.hasProject === true,
		};
	};
	let answer: ApprovalAnswer | undefined;
	try {
		answer = await asking.desk.ask(call.threadId, draft, signal);
	} catch (error) {
		signal.throwIfAborted();
		if (isProwessError(error) && error.code === 'APPROVAL_EXPIRED') {
			call.decision = { ...call.decision, by: { kind: 'nobody' } };
			return denied('APPROVAL_EXPIRED', `${work.op}: ${error.message}`, error.facts);
		}
		throw error;
	}
	if (answer === undefined) {
		// An earlier answer, or a rule that is new, has settled it.
		call.decision = ruled(latest, call.decision.notes);
		return latest.kind === 'deny' ? refusedByGate(work, latest) : go(null);
	}
	return await taken(asking, answer, latest, work, prepared, call, signal);
}

async function taken(
	asking: Asking,
	answer: ApprovalAnswer,
	judged: GateDecision,
	work: Work,
	prepared: Prepared<unknown>,
	call: Call,
	signal: AbortSignal,
): Promise<Verdict<null>> {
	if (answer.kind === 'deny') {
		const words = answer.reason?.trim() ?? '';
		call.decision = { ...call.decision, by: { kind: 'person', said: 'no', words } };
		return denied('DENIED_BY_USER', `the user said no to this ${work.op}`, words === '' ? {} : { reason: words });
	}
	const asked = judged.kind === 'ask' ? judged : undefined;
	let scope: ApprovedScope = { kind: 'once' };
	if (answer.kind === 'thread' && asked !== undefined && asked.threadScope !== null && call.threadId !== null) {
		asking.grants.add(call.threadId, work.op, work.def, prepared.targets);
		scope = { kind: 'thread', covers: inEnglish(asked.threadScope) };
	}
	if ((answer.kind === 'project' || answer.kind === 'always') && asked !== undefined && asked.pattern !== null) {
		scope = { kind: answer.kind === 'project' ? 'project' : 'all projects', pattern: asked.pattern };
		const forThread = asked.pattern;
		const keepForThread = () => call.threadId !== null && asking.grants.addRule(call.threadId, forThread);
		try {
			if (answer.kind === 'project') {
				await asking.projectRules?.add(asked.pattern, signal);
			} else {
				// The settings are read again a moment later.
				keepForThread();
				await asking.settings.allowAlways(asked.pattern);
			}
		} catch (error) {
			keepForThread();
			asking.onAllowAlwaysFailed(error);
			scope = { kind: 'unsaved rule', pattern: asked.pattern };
		}
	}
	call.decision = { ...call.decision, by: { kind: 'person', said: 'yes', scope } };
	return go(null);
}

/** Nobody can agree to a rule of which a part is struck out or cannot be seen. */
function offeredPattern(pattern: string | null, { redact }: Pick<Asking, 'redact'>): string | null {
	return pattern !== null && escapeInvisible(redact(pattern), 'line') === pattern ? pattern : null;
}
