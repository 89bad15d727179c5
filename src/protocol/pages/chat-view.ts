/**
 * Webview ↔ extension, over postMessage. The view also speaks `threadRequests`, `modelRequests`, `deskRequests` and
 * `changeRequests` and `levelRequests`, which the extension answers or forwards by table; this file adds what only an editor can do.
 * The view may be destroyed at any moment: it rebuilds from `view/start`, and hands over what is being typed.
 */
import * as z from '../text/zod.ts';
import { AllowingRule } from '../approvals/approvals.ts';
import { ActiveFile, ContextRef } from '../thread/context.ts';
import { ApprovalId, ImageId, OpId, ThreadId, TurnId } from '../rpc/ids.ts';
import { defineNotification, defineRequest } from '../rpc/message.ts';
import { NoticeAction } from '../thread/items.ts';
import { Mode } from '../thread/thread.ts';
import { TypedInput } from './typed-input.ts';

export const ServerState = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('idle') }),
	z.object({ kind: z.literal('starting') }),
	z.object({ kind: z.literal('running') }),
	/** Restarted too often; the reason and a button are shown. */
	z.object({ kind: z.literal('degraded'), reason: z.string() }),
]);
export type ServerState = z.infer<typeof ServerState>;

export const WorkspaceState = z.object({
	trusted: z.boolean(),
	/** Absolute paths. */
	folders: z.array(z.string()),
	/** The tour offers its own first prompt here. */
	isSample: z.boolean(),
});
export type WorkspaceState = z.infer<typeof WorkspaceState>;

/** `mode` is that of a new thread; `tellsActiveFile`: the model is told what the user looks at. */
export const ViewSettings = z.object({
	sendWith: z.enum(['enter', 'ctrlEnter']),
	mode: Mode.optional(),
	tellsActiveFile: z.boolean(),
});
export type ViewSettings = z.infer<typeof ViewSettings>;

/** Things the view asks the editor to do; a closed list, none takes a path or a command from model text. */
export const ViewCommand = z.enum([
	...NoticeAction.options.filter(
		(action) =>
			action !== 'retry' &&
			action !== 'continue' &&
			action !== 'answerDirectly' &&
			action !== 'runOnSchedule' &&
			action !== 'askModel' &&
			action !== 'workAsGoal' &&
			action !== 'confirmClaim' &&
			action !== 'switchOn',
	),
	'openSettings',
	'showLedger',
	'restartServer',
	'openFolder',
	'takeTour',
	'manageApprovals',
	'showCapabilities',
	'showMcpServers',
	'reviewHooks',
	'showGoals',
	'showSchedules',
	'showScripts',
	'showMemory',
	'showWorktrees',
	'showAgents',
	'showTrace',
	'doctor',
	'addTerminal',
]);
export type ViewCommand = z.infer<typeof ViewCommand>;

/** Number of recorded ops among those that were asked about; `isIntact`: all chains of the ledger are intact. */
export const RecordedOps = z.object({ recorded: z.int().nonnegative(), isIntact: z.boolean() });
export type RecordedOps = z.infer<typeof RecordedOps>;

/** Ops that can be asked about at once. */
export const RECORDED_OPS = 5_000;

/** Task that an empty thread offers to do in this project. */
export const SuggestedTask = z.object({
	/** Name of a codicon. */
	icon: z.string(),
	/** Message that the task is, in the user's language. */
	text: z.string().max(1_000),
	/** True for the offer to turn on the code index, which is no message. */
	turnsOnCodeIndex: z.boolean().optional(),
});
export type SuggestedTask = z.infer<typeof SuggestedTask>;

export const viewRequests = {
	/** First message of a (re)built view. */
	start: defineRequest(
		'view/start',
		z.object({}),
		z.object({
			threadId: ThreadId.nullable(),
			server: ServerState,
			workspace: WorkspaceState,
			settings: ViewSettings,
			/** Null: no file of the workspace is in the active editor. */
			activeFile: ActiveFile.nullable(),
			/** Translations of the view's English strings; empty in English. */
			strings: z.record(z.string(), z.string()),
			/** Input as the page before kept it. */
			typed: TypedInput,
		}),
	),
	/** The thread now shown; remembered for this workspace, and what palette commands act on. */
	show: defineRequest('view/show', z.object({ threadId: ThreadId.nullable() }), z.object({})),
	/** Opens the page of approvals at the one that let a call through. Null: the answer for the thread on the screen. */
	showAllowed: defineRequest('view/showAllowed', z.object({ rule: AllowingRule.nullable() }), z.object({})),
	/** Opens the page that says why an open approval asks. */
	showWhy: defineRequest('view/showWhy', z.object({ id: ApprovalId }), z.object({})),
	command: defineRequest('view/command', z.object({ command: ViewCommand }), z.object({})),
	/** Tasks that fit the project as it is now, the most pressing first; none in a folder that is not trusted. */
	suggestTasks: defineRequest('view/suggestTasks', z.object({}), z.object({ tasks: z.array(SuggestedTask).max(4) })),
	/** Suggestions after `@`; with a `/` before the query, prompts of MCP servers. */
	complete: defineRequest(
		'view/complete',
		z.object({ query: z.string().max(500) }),
		z.object({
			items: z
				.array(
					z.object({
						ref: ContextRef,
						label: z.string(),
						detail: z.string(),
						/** Choosing it turns on the code index, which is off. */
						isOff: z.literal(true).optional(),
					}),
				)
				.max(50),
			/** More fit than are listed. */
			isCut: z.boolean(),
		}),
	),
	/** Turns on the code index of this machine, for a suggestion that needs it. */
	turnOnCodeIndex: defineRequest('view/turnOnCodeIndex', z.object({}), z.object({})),
	/** Capabilities that can be used, for the list after `/`; `source` is in the user's words. */
	capabilities: defineRequest(
		'view/capabilities',
		z.object({}),
		z.object({
			items: z.array(
				z.object({
					type: z.string(),
					name: z.string(),
					description: z.string(),
					source: z.string(),
					/** Words to type after its name. */
					hint: z.string().optional(),
				}),
			),
		}),
	),
	/** Files dropped on the view, as URIs; those inside the workspace become references. */
	resolveDrop: defineRequest(
		'view/resolveDrop',
		z.object({ uris: z.array(z.string().max(8192)).max(100) }),
		z.object({ refs: z.array(ContextRef) }),
	),
	/** Has the user pick files and pictures to attach; none when they cancel. */
	pickFiles: defineRequest('view/pickFiles', z.object({}), z.object({ refs: z.array(ContextRef) })),
	/** Sets `prowess.chat.tellActiveFile`. */
	tellActiveFile: defineRequest('view/tellActiveFile', z.object({ tells: z.boolean() }), z.object({})),
	openFile: defineRequest(
		'view/openFile',
		z.object({ path: z.string().max(4096), line: z.int().positive().optional() }),
		z.object({}),
	),
	/** Http(s) only; the person is asked before it opens, and the editor's own address never does. */
	openLink: defineRequest('view/openLink', z.object({ url: z.string().max(8192) }), z.object({})),
	copy: defineRequest('view/copy', z.object({ text: z.string().max(5_000_000) }), z.object({})),
	insertAtCursor: defineRequest('view/insertAtCursor', z.object({ text: z.string().max(5_000_000) }), z.object({})),
	/** Asks the model something beside the shown thread; neither becomes part of it. */
	aside: defineRequest(
		'view/aside',
		z.object({ question: z.string().min(1).max(20_000) }),
		z.object({ answer: z.string() }),
	),
	/** Shows code of an answer as a change to review. False: nothing says where it belongs. */
	applyCode: defineRequest(
		'view/applyCode',
		z.object({ code: z.string().max(200_000) }),
		z.object({ isShown: z.boolean() }),
	),
	/** Ends one command of the thread on the screen; its turn goes on. */
	stopCommand: defineRequest('view/stopCommand', z.object({ opId: OpId }), z.object({})),
	/** Ends the capability that a call of the thread on the screen runs; its turn goes on. */
	stopRun: defineRequest('view/stopRun', z.object({ opId: OpId }), z.object({})),
	/** Acts on the run of a call for the user: shows its page, runs it again, asks for other inputs, opens it as a script; or shows the browser of the thread. */
	runAct: defineRequest(
		'view/runAct',
		z.object({ opId: OpId, act: z.enum(['open', 'again', 'ask', 'script', 'watch']) }),
		z.object({}),
	),
	/** The turn waits for this command no longer. */
	continueInBackground: defineRequest('view/continueInBackground', z.object({ opId: OpId }), z.object({})),
	/** Follows a command in a terminal that takes no input. */
	showInTerminal: defineRequest(
		'view/showInTerminal',
		z.object({ opId: OpId, title: z.string().max(2_000) }),
		z.object({}),
	),
	/** Has the user decide whether an MCP server may change a folder, or with `.` the workspace, that the host found it to lack. */
	letServerWrite: defineRequest(
		'view/letServerWrite',
		z.object({ server: z.string().max(100), path: z.string().max(4096) }),
		z.object({}),
	),
	/** Saves a picture or sound of a result as a file that the user chooses. */
	saveMedia: defineRequest(
		'view/saveMedia',
		z.object({ id: ImageId, name: z.string().max(4096).optional() }),
		z.object({}),
	),
	/** Opens the whole output of a call in an editor. */
	showOutput: defineRequest('view/showOutput', z.object({ opId: OpId }), z.object({})),
	/** Shows in the ledger what is recorded of an op. */
	showRecorded: defineRequest('view/showRecorded', z.object({ opId: OpId }), z.object({})),
	/** Opens the page that says how a turn of the thread on the screen went. */
	showTrace: defineRequest('view/showTrace', z.object({ turnId: TurnId }), z.object({})),
	/** Reads the use of a turn. */
	turnUse: defineRequest(
		'view/turnUse',
		z.object({ turnId: TurnId }),
		z.object({
			/** From its begin to its end; null while it runs. */
			tookMs: z.number().nonnegative().nullable(),
			tokens: z.int().nonnegative(),
			/** US dollars; null: the model has no known price. */
			cost: z.number().nonnegative().nullable(),
		}),
	),
	/** Checks that these ops are recorded, and that no row of the ledger was changed or removed. */
	verifyRecorded: defineRequest(
		'view/verifyRecorded',
		z.object({ opIds: z.array(OpId).max(RECORDED_OPS) }),
		RecordedOps,
	),
	/** Exports a thread into an untitled editor. */
	exportThread: defineRequest(
		'view/exportThread',
		z.object({ threadId: ThreadId, format: z.enum(['markdown', 'json']) }),
		z.object({}),
	),
} as const;

/** Extension → view. */
export const viewNotifications = {
	server: defineNotification('view/server', ServerState),
	workspace: defineNotification('view/workspace', WorkspaceState),
	settings: defineNotification('view/settings', ViewSettings),
	activeFile: defineNotification('view/activeFile', ActiveFile.nullable()),
	/** Shows a thread; null begins a new one. */
	showThread: defineNotification('view/showThread', z.object({ threadId: ThreadId.nullable() })),
	/** Puts references and text into the input; `send` sends at once (palette: Explain, Fix). */
	insert: defineNotification(
		'view/insert',
		z.object({ refs: z.array(ContextRef), text: z.string(), send: z.boolean() }),
	),
	/** Begins the tour in a new thread; the sample project is open. */
	takeTour: defineNotification('view/takeTour', z.object({})),
	focus: defineNotification('view/focus', z.object({})),
	/** Input that was typed in another page; an empty draft or queue is gone. */
	typed: defineNotification('view/typed', TypedInput),
} as const;

/** View → extension: what nobody answers. */
export const chatNotifications = {
	/**
	 * True when the page has the keyboard. VS Code sets no context for a page, so shortcuts of the chat depend on this.
	 */
	keyboard: defineNotification('view/keyboard', z.object({ isHere: z.boolean() })),
	/** Drafts and queues that changed, for the next page; an empty one is gone. */
	keep: defineNotification('view/keep', TypedInput),
	/** Title of the thread that the page shows; empty: it has none yet. */
	title: defineNotification('view/title', z.object({ title: z.string().max(1_000) })),
} as const;
