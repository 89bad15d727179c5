/** Rights of those in whose name threads work. All have all of them, but for what the user denies in `prowess.access.deny`. */
import * as z from '../text/zod.ts';
import { type Text, text } from '../text/text.ts';

/** Clients of a host: what somebody speaks and answers through. `editor` and `cli` are the host's own view and terminal. */
export const ClientPrincipal = z.enum(['editor', 'cli', 'acp', 'mcp', 'rpc', 'web']);
export type ClientPrincipal = z.infer<typeof ClientPrincipal>;

/** Client that an act came through, with the name of its device where it has one. */
export interface ActedThrough {
	readonly through?: ClientPrincipal | undefined;
	readonly device?: string | undefined;
}

/** Words of the ledger: `web (phone)`; undefined: through the host's own view or terminal. */
export function describeThrough({ through, device }: ActedThrough): string | undefined {
	return through === undefined || device === undefined ? through : `${through} (${device})`;
}

/** Where a thread's work comes from. */
export const Principal = z.enum([...ClientPrincipal.options, 'schedule', 'agent']);
export type Principal = z.infer<typeof Principal>;

/**
 * `send`: ask a model. `history`: have earlier messages read. `details`: have more of them read than the words of user and
 * agent (S1-06). `tools`: ask for ops.
 */
export const Right = z.enum(['send', 'history', 'details', 'tools']);
export type Right = z.infer<typeof Right>;

/** Right of a client itself. `look`: see threads and questions. `answer`: answer questions. `prompt`: send messages. */
export const ClientRight = z.enum(['look', 'answer', 'prompt']);
export type ClientRight = z.infer<typeof ClientRight>;

export const PRINCIPAL_NAMES: { readonly [P in Principal]: Text } = {
	editor: text('the editor'),
	cli: text('the command line'),
	schedule: text('schedules'),
	agent: text('sub-agents'),
	acp: text('ACP clients'),
	mcp: text('MCP clients'),
	rpc: text('programs (prowess rpc)'),
	web: text('browsers (prowess web)'),
};

export const RIGHT_NAMES: { readonly [R in Right | ClientRight]: Text } = {
	look: text('see threads'),
	answer: text('answer questions'),
	prompt: text('send messages'),
	send: text('ask models'),
	history: text('read earlier messages'),
	details: text('read results, files and thoughts in earlier messages'),
	tools: text('use tools'),
};

const rights = z.array(Right).max(10).optional();
const rightsOfClient = z
	.array(z.enum([...Right.options, ...ClientRight.options]))
	.max(10)
	.optional();

/** Rights that are denied, by principal. */
export const DeniedRights = z.strictObject({
	editor: rights,
	cli: rights,
	schedule: rights,
	agent: rights,
	acp: rightsOfClient,
	mcp: rightsOfClient,
	rpc: rightsOfClient,
	web: rightsOfClient,
});

/** Access to one thread, as the host tells a server. */
export const AccessOfThread = z.object({ principal: Principal, denied: z.array(Right) });
export type AccessOfThread = z.infer<typeof AccessOfThread>;
