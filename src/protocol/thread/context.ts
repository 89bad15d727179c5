/**
 * Context that the user adds to a message with `@`: references, read by the server through the broker when the turn starts.
 */
import { ThreadId } from '../rpc/ids.ts';
import { ImageRef } from '../ops/images.ts';
import { CommitHash } from '../ops/definitions/agent/git.ts';
import { CommentName, MAX_COMMENT_CHARS } from '../ops/comment-name.ts';
import { PromptArguments, ResourceUri } from '../ops/definitions/agent/mcp-offers.ts';
import { McpServerName } from '../ops/mcp-server-entry.ts';
import * as z from '../text/zod.ts';

const contextPath = z.string().min(1).max(4096);
const lineNumber = z.int().positive();

const place = { path: contextPath, startLine: lineNumber.optional(), endLine: lineNumber.optional() };

/** File in the active editor, and the selected lines in it. */
export const ActiveFile = z.object(place);
export type ActiveFile = z.infer<typeof ActiveFile>;

export const MAX_PASTED_CHARS = 200_000;
/** Characters of the lines that a comment is about. */
export const MAX_COMMENTED_CHARS = 20_000;
/** Characters of the file and the event of a hook. */
export const MAX_HOOK_NAME = 300;

export const ContextRef = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('file'), path: contextPath }),
	z.object({ kind: z.literal('folder'), path: contextPath }),
	/** Lines as they were when the user added them. */
	z.object({
		kind: z.literal('selection'),
		path: contextPath,
		startLine: lineNumber,
		endLine: lineNumber,
		text: z.string().max(200_000),
	}),
	z.object({ kind: z.literal('problems'), path: contextPath.optional() }),
	/** Uncommitted changes, as Git shows them when the turn starts. */
	z.object({ kind: z.literal('changes') }),
	/** Places in the code that fit the message, as the code index finds them when the turn starts. */
	z.object({ kind: z.literal('codebase') }),
	/** Commit of the repository in the workspace: its message and its changes. */
	z.object({ kind: z.literal('commit'), hash: CommitHash, subject: z.string().max(200) }),
	/** Declaration that the editor found by its name; the lines are those of that moment. */
	z.object({
		kind: z.literal('symbol'),
		name: z.string().min(1).max(300),
		path: contextPath,
		startLine: lineNumber,
		endLine: lineNumber,
	}),
	/** Another thread: what was said in it until the turn starts. */
	z.object({ kind: z.literal('thread'), threadId: ThreadId, title: z.string().max(200) }),
	/** Capability that is to be used. */
	z.object({ kind: z.literal('capability'), type: z.string().min(1).max(64), name: z.string().min(1).max(64) }),
	/** Resource of an MCP server, read when the turn starts. */
	z.object({ kind: z.literal('resource'), server: McpServerName, uri: ResourceUri, name: z.string().max(200) }),
	/** Prompt of an MCP server, which the user wants done; its server is asked for it when the turn starts. */
	z.object({
		kind: z.literal('prompt'),
		server: McpServerName,
		name: z.string().min(1).max(200),
		/** Values that the user gave with it; for each other argument they are asked. */
		arguments: PromptArguments.optional(),
	}),
	/** Web page, read as the agent reads one when the turn starts. */
	z.object({ kind: z.literal('page'), url: z.url({ protocol: /^https?$/, hostname: /./ }).max(2_000) }),
	/** Text that the user pasted, too long for the input, or that of a file that the user picked in a browser. */
	z.object({
		kind: z.literal('pasted'),
		text: z.string().max(MAX_PASTED_CHARS),
		/** Name of the file; absent: the text was pasted. */
		name: z.string().max(200).optional(),
	}),
	/** Text that a hook of the user, the project or a plugin adds to a message. */
	z.object({
		kind: z.literal('hook'),
		by: z.string().max(MAX_HOOK_NAME),
		text: z.string().max(MAX_PASTED_CHARS),
	}),
	/** Output of a terminal of the editor, as the user saw it. */
	z.object({ kind: z.literal('terminal'), name: z.string().max(200), text: z.string().max(MAX_PASTED_CHARS) }),
	/** Failure of a test, as the editor's test results show it. */
	z.object({ kind: z.literal('test'), name: z.string().max(200), text: z.string().max(MAX_PASTED_CHARS) }),
	/** Comment on lines, of the user or of a review, with the lines as they were then. */
	z.object({
		kind: z.literal('comment'),
		/** Name by which the agent answers it. */
		name: CommentName,
		path: contextPath,
		startLine: lineNumber,
		endLine: lineNumber,
		code: z.string().max(MAX_COMMENTED_CHARS),
		text: z.string().max(MAX_COMMENT_CHARS),
	}),
	/** Place that the user looks at in the editor; what is there goes along only when the agent reads it. */
	z.object({ kind: z.literal('active'), ...place }),
	/** Picture that the user gave; the store of threads has its bytes. */
	ImageRef.extend({ kind: z.literal('image') }),
]);
export type ContextRef = z.infer<typeof ContextRef>;

/** Returns the label of a reference, for a chip or a line of an export. */
export function contextLabel(ref: ContextRef): string {
	switch (ref.kind) {
		case 'file':
			return ref.path;
		case 'folder':
			return `${ref.path}/`;
		case 'selection':
		case 'active':
			return `${ref.path}${ref.startLine === undefined ? '' : `:${formatLineRange(ref.startLine, ref.endLine)}`}`;
		case 'image':
			return ref.name ?? `${ref.type.replace('image/', '').toUpperCase()} ${ref.width} × ${ref.height}`;
		case 'changes':
			return 'changes';
		case 'codebase':
			return 'codebase';
		case 'commit':
			return `commit ${ref.hash.slice(0, 8)}`;
		case 'symbol':
			return ref.name;
		case 'thread':
			return `thread ${ref.title}`;
		case 'capability':
			return `${ref.type} ${ref.name}`;
		case 'resource':
			return `${ref.server} ${ref.name || ref.uri}`;
		case 'prompt':
			return `${ref.server}/${ref.name}`;
		case 'page':
			return ref.url;
		case 'pasted':
			return ref.name ?? `pasted text (${formatLineCount(ref.text.split('\n').length)})`;
		case 'hook':
			return `hook ${ref.by}`;
		case 'terminal':
			return `terminal ${ref.name}`;
		case 'test':
			return `failed test ${ref.name}`;
		case 'comment':
			return `${ref.path}:${formatLineRange(ref.startLine, ref.endLine)} ${cutComment(ref.text)}`;
		case 'problems':
			return ref.path === undefined ? 'problems' : `problems of ${ref.path}`;
	}
}

/** Pictures among what was added. */
export function listContextImages(refs: readonly ContextRef[]): ImageRef[] {
	return refs.flatMap((ref) => {
		if (ref.kind !== 'image') {
			return [];
		}
		const { kind: _, ...image } = ref;
		return [image];
	});
}

const SHOWN_OF_COMMENT = 60;

/** The first line of a comment, as far as it has room. */
function cutComment(said: string): string {
	const [line = ''] = said.trim().split('\n', 1);
	return line.length <= SHOWN_OF_COMMENT && line === said.trim() ? line : `${line.slice(0, SHOWN_OF_COMMENT)}…`;
}

function formatLineRange(startLine: number, endLine = startLine): string {
	return endLine === startLine ? String(startLine) : `${startLine}-${endLine}`;
}

function formatLineCount(lines: number): string {
	return lines === 1 ? '1 line' : `${lines} lines`;
}
