/**
 * Program ↔ host: `prowess rpc`, as JSON-RPC 2.0, one message on a line. All but the greeting is what views and terminals
 * use, too: threads, the desk with its questions, permission levels, changed files.
 */
import * as z from '../text/zod.ts';
import { ClientPrincipal, ClientRight } from '../approvals/access.ts';
import { closingNotifications, deskNotifications, deskRequests } from '../approvals/approvals.ts';
import { changeRequests } from '../approvals/changes.ts';
import { PermissionLevel } from '../ops/permission-level.ts';
import { threadParams } from '../rpc/ids.ts';
import { defineNotification, defineRequest, type RequestTable } from '../rpc/message.ts';
import { levelRequests } from '../thread/thread-level.ts';
import { threadNotifications, threadRequests } from '../thread/thread-requests.ts';

/** Raised when a message changes its meaning; added messages and fields do not raise it. */
export const RPC_VERSION = 1;

export const greetingOfProgram = {
	/** First message of all; nothing else is answered before it. Rejects with VERSION_MISMATCH. */
	hello: defineRequest(
		'rpc/hello',
		z.object({
			version: z.int(),
			client: z.object({ name: z.string().min(1).max(200), version: z.string().max(100).optional() }),
		}),
		z.object({
			version: z.int(),
			/** Version of Prowess. */
			prowess: z.string(),
			/** Real path of the folder that threads work in. */
			folder: z.string(),
			principal: ClientPrincipal,
			rights: z.array(ClientRight),
			/** Widest permission level that may be chosen. */
			widest: PermissionLevel,
		}),
	),
} as const;

const {
	create: createThread,
	list,
	open,
	earlier,
	messages,
	prompt,
	steer,
	stop,
	attach,
	words,
	output,
	image,
	update,
	delete: deleteThread,
} = threadRequests;
const create = defineRequest(
	createThread.method,
	// Instructions of agents come from the host alone.
	createThread.params.omit({ agent: true }),
	createThread.result,
);
const { showDiff: _showDiff, ...desk } = deskRequests;
const { show: _show, ...changes } = changeRequests;

/** Requests that only look, by the name that a client calls them. */
export const lookingRequests = { list, open, earlier, messages, words, output, image } as const;
/** Requests that change a thread or say something in it. */
export const promptingRequests = { create, prompt, steer, stop, attach, update, deleteThread } as const;
export const deskOfProgram = desk;
export const changesOfProgram = changes;
export const levelsOfProgram = levelRequests;

/** Tables of all that a program asks for after the greeting. */
export const requestsOfProgram: readonly RequestTable[] = [
	lookingRequests,
	promptingRequests,
	deskOfProgram,
	levelsOfProgram,
	changesOfProgram,
];

/** Told without being asked. */
export const toldToPrograms = { ...threadNotifications, ...deskNotifications, ...closingNotifications } as const;

export const missedNotifications = {
	/** The program reads too slowly, and updates of this thread were left out: it opens the thread again. */
	missed: defineNotification('rpc/missed', threadParams),
} as const;
