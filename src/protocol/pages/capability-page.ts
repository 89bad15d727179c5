/**
 * A page about a capability, its run to come, a package, an execution, the overrides, what a model is told of, the approvals, a question, *Automation* or a browser ↔ extension, over postMessage. The extension sends the
 * content as data. The page draws it and can request only the actions it was offered. A page may be destroyed at any moment:
 * it keeps only its address and asks for the rest with `page/start`.
 */
import * as z from '../text/zod.ts';
import { DrawnResult } from '../text/output-view.ts';
import { defineNotification, defineRequest } from '../rpc/message.ts';

/** Which page: its kind, and what of that kind, as the one who makes it understands it. */
export const PageAddress = z.object({
	kind: z.enum([
		'capability',
		'run',
		'package',
		'execution',
		'overrides',
		'offer',
		'approvals',
		'question',
		'automation',
		'browser',
	]),
	of: z.string().max(8_192),
	/** In the tab. */
	title: z.string().max(500),
});
export type PageAddress = z.infer<typeof PageAddress>;

/** Tabs of the page *Automation*, in their order. */
export const AutomationTab = z.enum([
	'agents',
	'goals',
	'schedules',
	'watches',
	'scripts',
	'jobs',
	'memory',
	'browsers',
]);
export type AutomationTab = z.infer<typeof AutomationTab>;

/** Actions of a page. Each page offers some of them. */
export const PageAction = z.enum([
	'run',
	'stop',
	/** Actions of a run that has ended. */
	'again',
	'changeInputs',
	'keepAsScript',
	'showChanges',
	'undoChanges',
	'install',
	'update',
	'enable',
	'disable',
	'trust',
	'untrust',
	'override',
	'openManifest',
	'rollBack',
	'uninstall',
	/** Removes what made the run fail. */
	'remedy',
	'testRule',
	'manageApprovals',
	/** Revokes every approval. */
	'reset',
	/** Actions of one row: an approval, a stored secret. */
	'revoke',
	'forget',
	/** Shows another tab of the page. */
	'showTab',
	'addGoal',
	'addJob',
	'addSchedule',
	'addMemory',
	/** Shows a code that pairs one more browser. */
	'pairBrowser',
	'runScript',
	'keepAsSkill',
	'open',
	/** Tells how work goes on while no window is open. */
	'showBackground',
	/** Actions of memories that wait for a review. */
	'accept',
	'acceptAll',
	'reject',
	/** Actions of one goal, or of one step of it. */
	'start',
	'resume',
	'pause',
	'cancel',
	'retry',
	'markDone',
	'showInLedger',
	'showThread',
	'archive',
	'delete',
]);
export type PageAction = z.infer<typeof PageAction>;

/** Where in the folder of what the page is about. */
const PagePlace = z.object({ path: z.string(), line: z.int().positive().optional() });

/** A value in a table or a list: words, or code as it is. */
const PageValue = z.object({ text: z.string(), isCode: z.boolean() });
export type PageValue = z.infer<typeof PageValue>;

const PageFact = z.object({ label: z.string(), value: PageValue, canCopy: z.boolean() });
export type PageFact = z.infer<typeof PageFact>;

const PageApprovalRow = z.object({
	id: z.string(),
	what: z.string(),
	/** Approval as it is kept; absent where `what` says it all. */
	exact: z.string().optional(),
	notes: z.array(z.string()),
	action: PageAction,
	label: z.string(),
});

const RowAction = z.object({
	action: PageAction,
	label: z.string(),
	/** Id of the row that the action is for. */
	on: z.string(),
});
export type RowAction = z.infer<typeof RowAction>;

const GoalStepRow = z.object({
	/** From 1. */
	number: z.int().positive(),
	text: z.string(),
	state: z.enum(['waiting', 'running', 'done', 'failed', 'needsYou']),
	stateText: z.string(),
	/** Numbers of the steps that it waits for. */
	after: z.array(z.int().positive()),
	/** The same, and which attempt it is, in words. */
	notes: z.array(z.string()),
	/** Why it is not done, or what is still missing; absent: nothing was said. */
	reason: z.string().optional(),
	actions: z.array(RowAction),
});

const GoalRow = z.object({
	id: z.string(),
	title: z.string(),
	state: z.enum(['open', 'paused', 'cancelled', 'done', 'failed', 'needsYou']),
	stateText: z.string(),
	done: z.int().nonnegative(),
	steps: z.array(GoalStepRow),
	notes: z.array(z.string()),
	actions: z.array(RowAction),
});
export type GoalRow = z.infer<typeof GoalRow>;

const PageRow = z.object({
	id: z.string(),
	/** Codicon. */
	icon: z.string(),
	what: z.string(),
	/** State in words. */
	state: z.string(),
	/** True when it needs the user, or did not end well. */
	isBad: z.boolean(),
	notes: z.array(z.string()),
	actions: z.array(RowAction),
});
export type PageRow = z.infer<typeof PageRow>;

/** Field of a form, for one input. The text that is typed into it is read by the extension. */
const FormField = z.object({
	name: z.string(),
	/** Words on its purpose; empty without any. */
	description: z.string(),
	/**
	 * `lines`: one entry a line. `yesNo` takes `true`, `false` and, where it may be left out, nothing; so do `choice` and
	 * `secret`, which takes the name of one. `file` is a path of the workspace.
	 */
	type: z.enum(['text', 'number', 'lines', 'code', 'yesNo', 'choice', 'file', 'secret']),
	/** Type of the entries of `lines`. */
	entries: z.enum(['string', 'number']).optional(),
	/** Texts that can be chosen, of a `choice` or a `secret`. */
	choices: z.array(z.string()).optional(),
	isRequired: z.boolean(),
	/** Notation of the value, where the type does not say; empty elsewhere. */
	hint: z.string(),
	/** In it at first, as it is typed. */
	value: z.string(),
});
export type FormField = z.infer<typeof FormField>;

/** A piece of a page, top to bottom. Every text in it is shown as the text it is, the Markdown of `readme` aside. */
export const PageBlock = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('note'), text: z.string() }),
	/** Problem, with its line. */
	z.object({
		kind: z.literal('problem'),
		severity: z.enum(['error', 'warning']),
		text: z.string(),
		place: PagePlace.optional(),
	}),
	z.object({
		kind: z.literal('facts'),
		title: z.string().optional(),
		rows: z.array(PageFact),
	}),
	/** Words that need their meaning beside them. */
	z.object({
		kind: z.literal('terms'),
		title: z.string(),
		rows: z.array(z.object({ term: z.string(), meaning: z.string(), isRefused: z.boolean() })),
		/** Said when there are none. */
		none: z.string(),
	}),
	z.object({
		kind: z.literal('table'),
		title: z.string(),
		head: z.array(z.string()),
		rows: z.array(z.array(PageValue)),
	}),
	z.object({
		kind: z.literal('files'),
		title: z.string(),
		/** `canOpen`: on a click, in the editor. */
		rows: z.array(z.object({ path: z.string(), size: z.string(), canOpen: z.boolean() })),
		/** Words that say more files exist than are shown. */
		more: z.string().optional(),
	}),
	/** Approvals in groups, each with its own action. */
	z.object({
		kind: z.literal('approvals'),
		groups: z.array(z.object({ title: z.string(), rows: z.array(PageApprovalRow) })),
		/** Said when there are none. */
		none: z.string(),
		/** Id of the row that the page was opened for. */
		marked: z.string().optional(),
	}),
	/** Goals, each with its steps and what they wait for. */
	z.object({
		kind: z.literal('goals'),
		goals: z.array(GoalRow),
		/** Said when there are none. */
		none: z.string(),
	}),
	/** Things in groups, each with what it is and what can be done with it now. */
	z.object({
		kind: z.literal('rows'),
		/** A title is empty where the page says what they are. */
		groups: z.array(z.object({ title: z.string(), rows: z.array(PageRow) })),
		/** Said when there are none. */
		none: z.string(),
		/** Name of the field that finds some of them; absent: none is needed. */
		search: z.string().optional(),
	}),
	/** Inputs, and the button that sends them. A page has at most one. */
	z.object({ kind: z.literal('form'), title: z.string(), fields: z.array(FormField), button: z.string() }),
	/** Result of a run. */
	z.object({ kind: z.literal('drawn'), title: z.string(), drawn: DrawnResult }),
	/** QR code, row by row: `1` for each dark module, `0` for each light one. `label`: what it leads to. */
	z.object({ kind: z.literal('qr'), label: z.string(), rows: z.array(z.string()) }),
	z.object({ kind: z.literal('picture'), label: z.string(), jpeg: z.base64() }),
	z.object({ kind: z.literal('code'), title: z.string(), text: z.string(), language: z.string() }),
	/** Markdown of others. */
	z.object({ kind: z.literal('readme'), title: z.string(), markdown: z.string(), more: z.string().optional() }),
]);
export type PageBlock = z.infer<typeof PageBlock>;

export const PageContent = z.object({
	title: z.string(),
	/** Above the title, what it is: `skill 1.2.0`. */
	kicker: z.string(),
	/** Below the title. */
	summary: z.string(),
	/** The first is what one usually wants. */
	actions: z.array(
		z.object({
			action: PageAction,
			label: z.string(),
			/** Only of a switch: its state, which `label` names. Pressing it asks for the other one. */
			isOn: z.boolean().optional(),
		}),
	),
	/** Parts of the page, of which one is shown. */
	tabs: z
		.object({
			shown: z.string(),
			list: z.array(
				z.object({
					id: z.string(),
					label: z.string(),
					/** Number of what is under way or waits for the user; null: none. */
					count: z.int().positive().nullable(),
				}),
			),
		})
		.optional(),
	/** Files of the workspace that it names can be opened. */
	opensWorkspaceFiles: z.literal(true).optional(),
	blocks: z.array(PageBlock),
});
export type PageContent = z.infer<typeof PageContent>;

/** Null: it is being made. */
const ShownPage = z.object({ address: PageAddress, content: PageContent.nullable() });

export const pageRequests = {
	/** First message of a (re)built page. */
	start: defineRequest(
		'page/start',
		z.object({}),
		ShownPage.extend({
			/** Translations of the page's own English strings; empty in English. */
			strings: z.record(z.string(), z.string()),
		}),
	),
	/** Performs an offered action; any other is refused. */
	act: defineRequest(
		'page/act',
		z.object({
			action: PageAction,
			/** Id of the row it is for; absent: for the page. */
			on: z.string().max(1_000).optional(),
		}),
		z.object({}),
	),
	/** Sends the texts of the form, by the names of its fields. Problems are told the same way, and then nothing is done. */
	submit: defineRequest(
		'page/submit',
		z.object({ values: z.record(z.string().max(100), z.string().max(1_000_000)) }),
		z.object({ problems: z.record(z.string(), z.string()) }),
	),
	/** Has the user pick a file for a field, or store a secret for it. Value null: the user did not. */
	pick: defineRequest(
		'page/pick',
		z.object({ field: z.string().max(100) }),
		z.object({ value: z.string().nullable(), choices: z.array(z.string()) }),
	),
	/** Closes the page and forgets what was typed into its form. */
	leave: defineRequest('page/leave', z.object({}), z.object({})),
	/** Opens a file that the page shows. */
	openFile: defineRequest(
		'page/openFile',
		z.object({ path: z.string().max(4_096), line: z.int().positive().optional() }),
		z.object({}),
	),
	/** Http(s) only; the editor asks before it opens. */
	openLink: defineRequest('page/openLink', z.object({ url: z.string().max(8_192) }), z.object({})),
	copy: defineRequest('page/copy', z.object({ text: z.string().max(5_000_000) }), z.object({})),
} as const;

/** The longest text of a field that is kept for the next page. */
export const MAX_KEPT_TEXT = 100_000;

/** Page → extension. */
export const formNotifications = {
	/** Texts that were typed into the form of the page at `of` and not sent, for the next page. */
	keep: defineNotification(
		'page/keep',
		z.object({ of: PageAddress.shape.of, values: z.record(z.string().max(100), z.string().max(MAX_KEPT_TEXT)) }),
	),
} as const;

/** Extension → page. */
export const pageNotifications = {
	/** Sent when the page shows something else, or its content has changed. */
	changed: defineNotification('page/changed', ShownPage),
} as const;
