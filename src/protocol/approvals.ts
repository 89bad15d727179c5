/**
 * Host ↔ view (or terminal): what waits for a person. The host renders it from the exact bytes that will run;
 * ids are minted by the host for one question, an answer to any other id changes nothing.
 */
import * as z from './zod.ts';
import { ApprovalId, OpId, QuestionId, ThreadId } from './ids.ts';
import { FileDiff } from './ops/files.ts';
import { CommandNeeds } from './ops/shell.ts';
import { RiskLevel } from './risk.ts';
import type { Text } from './text.ts';
import { notification, request } from './rpc/message.ts';

/** A text for people, on its way to where it is translated. */
const SaidText: z.ZodType<Text> = z.object({
	template: z.string(),
	args: z.record(z.string(), z.union([z.string(), z.number(), z.lazy(() => SaidText)])),
});

/** Detail of an approval: exactly and completely what will happen, with invisible characters as `\u{…}`. */
export const ApprovalDetail = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('command'),
		argv: z.array(z.string()),
		cwd: z.string(),
		/** Commands after the first one, each with the operator that joins it. */
		chain: z.array(z.object({ join: z.enum(['|', '&&']), argv: z.array(z.string()) })).optional(),
		/** Whether it would run in a sandbox. */
		sandboxed: z.boolean().optional(),
		/** Rights it needs beyond its sandbox, each by name; an answer covers all of them. */
		needs: CommandNeeds.optional(),
	}),
	z.object({ kind: z.literal('diff'), diff: FileDiff }),
	z.object({ kind: z.literal('path'), path: z.string() }),
	z.object({ kind: z.literal('text'), text: z.string() }),
]);
export type ApprovalDetail = z.infer<typeof ApprovalDetail>;

export const Approval = z.object({
	id: ApprovalId,
	opId: OpId,
	threadId: ThreadId.nullable(),
	op: z.string(),
	title: z.string(),
	risk: RiskLevel,
	/** Why it asks: the rule or the property that made it a question. */
	reason: SaidText,
	detail: ApprovalDetail,
	/** False where somebody agrees to what comes later, so that a yes to this once would mean nothing. */
	isOnceOffered: z.boolean(),
	/** Scope of "for this thread", as the end of a sentence: `all file changes in this workspace`. Null: not offered. */
	threadScope: SaidText.nullable(),
	/** Rule that "always" would save. Null: not offered. */
	pattern: z.string().nullable(),
	/** True where "always" can be kept to the folders that are open, so that "in all projects" is a choice of its own. */
	isProjectOffered: z.boolean(),
	askedAt: z.iso.datetime(),
	expiresAt: z.iso.datetime(),
});
export type Approval = z.infer<typeof Approval>;

export const ApprovalAnswer = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('once') }),
	/** Allows everything in `threadScope` until the thread or its host ends. */
	z.object({ kind: z.literal('thread') }),
	/** Allows `pattern` wherever these folders are open. */
	z.object({ kind: z.literal('project') }),
	/** Allows `pattern` everywhere. */
	z.object({ kind: z.literal('always') }),
	/** The model reads the reason. */
	z.object({ kind: z.literal('deny'), reason: z.string().max(4000).optional() }),
]);
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>;

/** Whether the question offered this answer. Any other one changes nothing, so that no answer reaches further than what was shown. */
export function isOffered(
	{
		isOnceOffered,
		threadScope,
		pattern,
		isProjectOffered,
	}: Pick<Approval, 'isOnceOffered' | 'threadScope' | 'pattern' | 'isProjectOffered'>,
	answer: ApprovalAnswer,
): boolean {
	switch (answer.kind) {
		case 'once':
			return isOnceOffered;
		case 'thread':
			return threadScope !== null;
		case 'project':
			return pattern !== null && isProjectOffered;
		case 'always':
			return pattern !== null;
		case 'deny':
			return true;
	}
}

/** Rule or mode that answered in the person's place, where an op would have been asked about otherwise. */
export const AllowedBy = z.discriminatedUnion('kind', [
	/** Rules of the person, together: one for each target. `thread`: saved in this thread a moment ago. */
	z.object({
		kind: z.literal('rules'),
		rules: z.array(z.object({ rule: z.string(), scope: z.enum(['project', 'everywhere', 'thread']) })),
	}),
	/** An answer for this thread. */
	z.object({ kind: z.literal('thread') }),
	/** The autonomy of the settings; without a level, as older versions recorded it: "full". */
	z.object({ kind: z.literal('autonomy'), level: z.enum(['auto', 'full']).optional() }),
	/** A host that was started to approve by itself. */
	z.object({ kind: z.literal('host') }),
]);
export type AllowedBy = z.infer<typeof AllowedBy>;

export const Question = z.object({
	id: QuestionId,
	opId: OpId,
	threadId: ThreadId.nullable(),
	question: z.string(),
	options: z.array(z.string()),
	askedAt: z.iso.datetime(),
	expiresAt: z.iso.datetime(),
});
export type Question = z.infer<typeof Question>;

export const Desk = z.object({ approvals: z.array(Approval), questions: z.array(Question) });
export type Desk = z.infer<typeof Desk>;

export const deskRequests = {
	list: request('desk/list', z.object({}), Desk),
	/** `taken` is false when the approval was already decided, expired or never existed, or did not offer this answer. */
	approve: request(
		'desk/approve',
		z.object({ id: ApprovalId, answer: ApprovalAnswer }),
		z.object({ taken: z.boolean() }),
	),
	reply: request(
		'desk/reply',
		z.object({ id: QuestionId, answer: z.string().min(1).max(20_000) }),
		z.object({ taken: z.boolean() }),
	),
} as const;

export const deskNotifications = {
	/** Always the whole desk: a snapshot, so a missed one does no harm. */
	changed: notification('desk/changed', Desk),
} as const;
