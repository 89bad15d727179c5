/**
 * Host ↔ view (or terminal): what waits for a person. The host renders it from the exact bytes that will run;
 * ids are minted by the host for one question, an answer to any other id changes nothing.
 */
import * as z from '../text/zod.ts';
import { ClientPrincipal } from './access.ts';
import { ConsentDetail } from './consent.ts';
import { ApprovalId, OpId, QuestionId, ThreadId } from '../rpc/ids.ts';
import { FileDiff } from '../ops/definitions/files/files.ts';
import { ActKind } from '../ops/act-kind.ts';
import { McpServerName } from '../ops/mcp-server-entry.ts';
import { OverTime } from '../ops/commands/over-time.ts';
import { CommandNeeds } from '../ops/commands/command-needs.ts';
import { RiskLevel } from '../ops/risk.ts';
import { SaidText } from '../text/said-text.ts';
import { defineNotification, defineRequest } from '../rpc/message.ts';

/** Files beside the standard streams; their paths may be redacted, so their form is not checked. */
const ShownRedirects = z.array(
	z.union([
		z.object({
			stream: z.enum(['stdin', 'stdout', 'stderr']),
			mode: z.enum(['read', 'write', 'append']),
			path: z.string(),
		}),
		z.object({ stream: z.enum(['stdout', 'stderr']), to: z.enum(['stdout', 'stderr']) }),
	]),
);

/** Detail of an op: exactly and completely what will happen, with invisible characters as `\u{…}`. */
const OpDetail = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('command'),
		argv: z.array(z.string()),
		redirects: ShownRedirects.optional(),
		cwd: z.string(),
		/** Quotes of the user's shell; absent: those of `sh`. */
		notation: z.enum(['sh', 'powershell']).optional(),
		/** Commands after the first one, each with the operator that joins it. */
		chain: z
			.array(
				z.object({
					join: z.enum(['|', '&&', '||', ';']),
					argv: z.array(z.string()),
					redirects: ShownRedirects.optional(),
				}),
			)
			.optional(),
		/** True when it would run in a sandbox. */
		sandboxed: z.boolean().optional(),
		/** Rights it needs beyond its sandbox, each by name; an answer covers all of them. */
		needs: CommandNeeds.optional(),
	}),
	z.object({ kind: z.literal('diff'), diff: FileDiff }),
	/** Changes of several files, all or none. */
	z.object({ kind: z.literal('diffs'), diffs: z.array(FileDiff).min(2) }),
	/** In Markdown. */
	z.object({ kind: z.literal('plan'), text: z.string() }),
	z.object({ kind: z.literal('path'), path: z.string() }),
	z.object({
		kind: z.literal('text'),
		text: z.string(),
		/** Facts about it, shown before it; a time is shown as the reader's clock and language have it. */
		facts: z
			.array(
				z.object({
					label: SaidText,
					value: z.union([SaidText, z.strictObject({ at: z.iso.datetime() })]),
				}),
			)
			.optional(),
	}),
]);
export type OpDetail = z.infer<typeof OpDetail>;

/** Detail of an approval: of an op, or of a capability that is to run. */
const ApprovalDetail = z.discriminatedUnion('kind', [...OpDetail.options, ConsentDetail]);
export type ApprovalDetail = z.infer<typeof ApprovalDetail>;

/** Warning about a risk, from the exact target. */
export const RiskWarning = z.object({
	/** True where what is lost stays lost, or more happens than anybody sees: then only a yes to this once is offered. */
	isDangerous: z.boolean(),
	/** The worst first; none where all are contained. */
	reasons: z.array(SaidText),
	/** Risks from which the sandbox of the command keeps this machine; absent: there is none. */
	contained: z.array(SaidText).optional(),
	/** Risky parts of a command as half-open ranges of characters in the arguments of `detail`; `command`: 0, or 1 + its place in the chain. */
	marks: z.array(
		z.object({ command: z.int().min(0), argument: z.int().min(0), start: z.int().min(0), end: z.int().min(0) }),
	),
});
export type RiskWarning = z.infer<typeof RiskWarning>;

/** End of a run of the command on a copy of the workspace. */
const EndedTrial = z.object({
	state: z.literal('ended'),
	exitCode: z.int().nullable(),
	signal: z.string().nullable(),
	timedOut: z.boolean(),
	overTime: OverTime.optional(),
	/** The end of it. */
	output: z.string(),
	/** The first of the files that it changed. */
	changed: z.array(z.object({ path: z.string(), kind: z.enum(['created', 'modified', 'deleted']) })),
	/** Number of files that it changed beside these. */
	changedBeyond: z.int().nonnegative(),
	/** Why what it changed cannot be kept; absent: it can. */
	lost: SaidText.optional(),
});
export type EndedTrial = z.infer<typeof EndedTrial>;

/** Run of the command on a copy of the workspace, without the network, before anybody has said yes. */
const ShownTrial = z.discriminatedUnion('state', [
	z.object({ state: z.literal('offered') }),
	z.object({ state: z.literal('running') }),
	z.object({ state: z.literal('failed'), why: SaidText }),
	EndedTrial,
]);
export type ShownTrial = z.infer<typeof ShownTrial>;

export const Approval = z.object({
	id: ApprovalId,
	opId: OpId,
	threadId: ThreadId.nullable(),
	op: z.string(),
	title: z.string(),
	/** Title for the reader's language; absent: `title`, which says the same in English. */
	said: SaidText.optional(),
	risk: RiskLevel,
	act: ActKind,
	/** Null: nothing is known to be risky about it. */
	warning: RiskWarning.nullable(),
	/** Why it asks: the rule or the property that made it a question. */
	reason: SaidText,
	/** True where the reason says no more than `act` does; absent: it says more. */
	isReasonUsual: z.boolean().optional(),
	/** Texts from outside, or with secrets, that it asks because of, each with the op that read it; absent: none. */
	textsRead: z.array(z.object({ said: SaidText, opId: OpId })).optional(),
	detail: ApprovalDetail,
	/** False where somebody agrees to what comes later, so that a yes to this once would mean nothing. */
	isOnceOffered: z.boolean(),
	/**
	 * True when a yes to several acts at once may cover it; absent, as in records of older versions: it needs a yes of
	 * its own.
	 */
	isPartOfAll: z.boolean().optional(),
	/** Scope of "for this thread", as the end of a sentence: `all file changes in this workspace`. Null: not offered. */
	threadScope: SaidText.nullable(),
	/** Scope of "for this turn", as the end of a sentence; absent: not offered. */
	turnScope: SaidText.optional(),
	/** True when the turn has asked before; absent: it is its first question. */
	hasTurnAsked: z.boolean().optional(),
	/** Rule that "always" would save. Null: not offered. */
	pattern: z.string().nullable(),
	/** Further rules that "always" would save instead, from the narrowest on; absent: there is none. */
	wider: z.array(z.string()).optional(),
	/** True where "always" can be kept to the folders that are open, so that "in all projects" is a choice of its own. */
	isProjectOffered: z.boolean(),
	/** Absent: nothing can be tried. */
	trial: ShownTrial.optional(),
	/** Sentence that says who asks, for a question of another host; absent: this host asks. */
	askedBy: SaidText.optional(),
	askedAt: z.iso.datetime(),
	expiresAt: z.iso.datetime(),
});
export type Approval = z.infer<typeof Approval>;

export const ApprovalAnswer = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('once') }),
	/** Does to the workspace what the trial did to its copy, in place of running the command. */
	z.object({ kind: z.literal('tried') }),
	/** Allows everything in `threadScope` until the thread or its host ends. */
	z.object({ kind: z.literal('thread') }),
	/** Allows everything in `turnScope` until the turn ends. */
	z.object({ kind: z.literal('turn') }),
	/** Allows `rule` wherever these folders are open; absent: `pattern`. */
	z.object({ kind: z.literal('project'), rule: z.string().max(1000).optional() }),
	/** Allows `rule` everywhere; absent: `pattern`. */
	z.object({ kind: z.literal('always'), rule: z.string().max(1000).optional() }),
	/** The model reads the reason. */
	z.object({ kind: z.literal('deny'), reason: z.string().max(4000).optional() }),
]);
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>;

/**
 * Returns true when the question offered this answer. Any other answer changes nothing, so that none reaches further
 * than what was shown.
 */
export function isOffered(
	{
		isOnceOffered,
		threadScope,
		turnScope,
		pattern,
		wider = [],
		isProjectOffered,
		trial,
	}: Pick<Approval, 'isOnceOffered' | 'threadScope' | 'turnScope' | 'pattern' | 'wider' | 'isProjectOffered' | 'trial'>,
	answer: ApprovalAnswer,
): boolean {
	const isRule = (rule = pattern) => pattern !== null && rule !== null && [pattern, ...wider].includes(rule);
	switch (answer.kind) {
		case 'once':
			return isOnceOffered;
		case 'tried':
			return trial?.state === 'ended' && trial.lost === undefined;
		case 'thread':
			return threadScope !== null;
		case 'turn':
			return turnScope !== undefined;
		case 'project':
			return isProjectOffered && isRule(answer.rule);
		case 'always':
			return isRule(answer.rule);
		case 'deny':
			return true;
	}
}

/** Answer to several approvals at once: to those that were shown, and to no other. */
export const AnswerToAll = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('once') }),
	z.object({ kind: z.literal('deny'), reason: z.string().max(4000).optional() }),
]);
export type AnswerToAll = z.infer<typeof AnswerToAll>;

/** Returns true when the answer may be given with others. A yes may only where the host says so. */
export function isOfferedForAll(approval: Approval, answer: AnswerToAll): boolean {
	return isOffered(approval, answer) && (answer.kind === 'deny' || approval.isPartOfAll === true);
}

/** Rule that lets something through, with where it counts. `thread`: it was saved in this thread a moment ago. */
export const AllowingRule = z.object({ rule: z.string(), scope: z.enum(['project', 'everywhere', 'thread']) });
export type AllowingRule = z.infer<typeof AllowingRule>;

/** Rule or mode that answered in the person's place, where an op would have been asked about otherwise. */
export const AllowedBy = z.discriminatedUnion('kind', [
	/** Rules of the person, together: one for each target. */
	z.object({
		kind: z.literal('rules'),
		rules: z.array(AllowingRule),
	}),
	/** An answer for this thread. */
	z.object({ kind: z.literal('thread') }),
	/** An answer for this turn. */
	z.object({ kind: z.literal('turn') }),
	/** The table of commands that only read. */
	z.object({ kind: z.literal('reads') }),
	/** The permission level of the thread. */
	z.object({ kind: z.literal('level'), level: z.enum(['edit', 'auto', 'full']) }),
	/** The same as older versions recorded it; without a level: "full". */
	z.object({ kind: z.literal('autonomy'), level: z.enum(['auto', 'full']).optional() }),
	/** A host that was started to approve by itself. */
	z.object({ kind: z.literal('host') }),
]);
export type AllowedBy = z.infer<typeof AllowedBy>;

export const DeskQuestion = z.object({
	id: QuestionId,
	opId: OpId,
	threadId: ThreadId.nullable(),
	/** MCP server that asks; absent: the agent, or a capability. */
	server: McpServerName.optional(),
	/** Prowess asks, in its own words, and no model has written them. */
	isOurs: z.literal(true).optional(),
	question: z.string(),
	options: z.array(z.string()),
	askedAt: z.iso.datetime(),
	expiresAt: z.iso.datetime(),
});
export type DeskQuestion = z.infer<typeof DeskQuestion>;

export const Desk = z.object({ approvals: z.array(Approval), questions: z.array(DeskQuestion) });
export type Desk = z.infer<typeof Desk>;

/** End of a question. `answered` through `by`; `expired` without an answer in time; `void`: it needs none any more, or nobody is left to give one. */
export const ClosedQuestion = z.object({
	id: z.union([ApprovalId, QuestionId]),
	threadId: ThreadId.nullable(),
	how: z.enum(['answered', 'expired', 'void']),
	by: ClientPrincipal.optional(),
});
export type ClosedQuestion = z.infer<typeof ClosedQuestion>;

/** A page shows fewer. */
const MAX_ANSWERED_AT_ONCE = 200;

export const deskRequests = {
	list: defineRequest('desk/list', z.object({}), Desk),
	/** `taken` is false when the approval was already decided, expired or never existed, or did not offer this answer. */
	approve: defineRequest(
		'desk/approve',
		z.object({ id: ApprovalId, answer: ApprovalAnswer }),
		z.object({ taken: z.boolean() }),
	),
	/** Gives each of these the same answer. `taken`: those that were still open and offered it. */
	approveAll: defineRequest(
		'desk/approveAll',
		z.object({ ids: z.array(ApprovalId).min(1).max(MAX_ANSWERED_AT_ONCE), answer: AnswerToAll }),
		z.object({ taken: z.array(ApprovalId) }),
	),
	/** Runs the command on a copy of the workspace; what comes of it is shown with the approval. */
	tryFirst: defineRequest('desk/tryFirst', z.object({ id: ApprovalId }), z.object({})),
	/** Opens the change of a file that an approval is about in the editor's own diff. */
	showDiff: defineRequest('desk/showDiff', z.object({ id: ApprovalId }), z.object({})),
	reply: defineRequest(
		'desk/reply',
		z.object({ id: QuestionId, answer: z.string().min(1).max(20_000) }),
		z.object({ taken: z.boolean() }),
	),
} as const;

export const deskNotifications = {
	/** Always the whole desk: a snapshot, so a missed one does no harm. */
	changed: defineNotification('desk/changed', Desk),
} as const;

export const closingNotifications = {
	/** Told to every client that may answer, whichever of them has. */
	closed: defineNotification('desk/closed', ClosedQuestion),
} as const;
