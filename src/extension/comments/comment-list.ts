/** Comments on lines as a workspace keeps them: what was said at which place, by whom, and whether the agent was sent it. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { CommentSeverity } from '../../protocol/ops/definitions/agent/comments.ts';
import { CommentName, MAX_COMMENT_CHARS } from '../../protocol/ops/comment-name.ts';
import { type ContextRef, MAX_COMMENTED_CHARS } from '../../protocol/thread/context.ts';
import { text } from '../../protocol/text/text.ts';
import * as z from '../../protocol/text/zod.ts';

/** Comments of a workspace at a time, and texts of each, beyond which the agent adds none. */
const MAX_COMMENTS = 300;
const MAX_TEXTS = 100;

const SaidInComment = z.object({
	by: z.enum(['user', 'agent']),
	text: z.string().max(MAX_COMMENT_CHARS),
	/** The agent knows it. */
	isSent: z.boolean(),
	severity: CommentSeverity.optional(),
});

const Comment = z.object({
	name: CommentName,
	absolutePath: z.string(),
	/** Name by which the agent knows the file. */
	path: z.string(),
	/** From 1. */
	startLine: z.int().positive(),
	endLine: z.int().positive(),
	/** The lines when they were commented on. */
	code: z.string().max(MAX_COMMENTED_CHARS),
	said: z.array(SaidInComment).min(1),
	isResolved: z.boolean(),
});
const Kept = z.object({ last: z.int().nonnegative(), comments: z.array(z.unknown()).readonly() });
/** A comment on lines with its answers. */
export type Comment = z.output<typeof Comment>;
export type SaidInComment = z.output<typeof SaidInComment>;
export type CommentedPlace = Pick<Comment, 'absolutePath' | 'path' | 'startLine' | 'endLine' | 'code'>;
type CommentRef = Extract<ContextRef, { kind: 'comment' }>;

export class CommentList {
	readonly #comments = new Map<string, Comment>();
	/** Number of the last comment. A name is never used again: threads remember it. */
	#last: number;

	/** `kept`: what another window left; comments that cannot be read are left out. */
	constructor(kept: unknown) {
		const { data: { last, comments } = { last: 0, comments: [] } } = Kept.safeParse(kept);
		for (const each of comments) {
			const { data } = Comment.safeParse(each);
			if (data !== undefined) this.#comments.set(data.name, data);
		}
		this.#last = Math.max(last, ...this.all.map(({ name }) => Number(name.slice(1))));
	}

	/** All of it, for the next window. */
	get kept(): z.output<typeof Kept> {
		return { last: this.#last, comments: this.all };
	}

	get all(): readonly Comment[] {
		return [...this.#comments.values()];
	}

	get(name: string): Comment | undefined {
		return this.#comments.get(name);
	}

	/** Begins a comment. The agent's throws INVALID_STATE where there are too many, and none of them is resolved. */
	begin(place: CommentedPlace, first: SaidInComment): Comment {
		if (first.by === 'agent' && this.#comments.size >= MAX_COMMENTS) this.#makeRoom();
		this.#last += 1;
		const code = place.code.slice(0, MAX_COMMENTED_CHARS);
		return this.#set({ ...place, code, name: `c${this.#last}`, said: [first], isResolved: false });
	}

	/** Adds to a comment, which is open again after the user's words. Throws NOT_FOUND, or INVALID_STATE where it is full. */
	add(name: string, said: SaidInComment, isResolved = false): Comment {
		const comment = this.#comments.get(name);
		if (comment === undefined) {
			const names = this.all.map((each) => each.name).join(', ') || 'none';
			throw new ProwessError('NOT_FOUND', `there is no comment ${name}; there are: ${names}`, {
				said: text('The comment {name} is no longer there.', { name }),
			});
		}
		if (said.by === 'agent' && comment.said.length >= MAX_TEXTS) {
			throw new ProwessError(
				'INVALID_STATE',
				`the comment ${name} has ${MAX_TEXTS} answers already; begin another one`,
				{
					said: text('This comment has {count} answers already. Begin another one.', { count: MAX_TEXTS }),
				},
			);
		}
		return this.#set({ ...comment, said: [...comment.said, said], isResolved });
	}

	remove(name: string): void {
		this.#comments.delete(name);
	}

	/** Moves the comments of a file with its text: `lines` fewer or more of them after this line (from 1). */
	shift(absolutePath: string, afterLine: number, lines: number): readonly Comment[] {
		const moved = this.all.filter((each) => each.absolutePath === absolutePath && each.startLine > afterLine);
		return moved.map((each) => {
			const startLine = Math.max(1, each.startLine + lines);
			return this.#set({ ...each, startLine, endLine: startLine + each.endLine - each.startLine });
		});
	}

	/** Returns what the user has said and not sent, a reference for each comment, and counts it as sent. */
	takeUnsent(most: number): readonly CommentRef[] {
		const unsent = this.all.filter(({ said }) => said.some(isUnsent)).slice(0, most);
		return unsent.map((comment) => {
			const words = comment.said.filter(isUnsent).map((each) => each.text);
			this.#set({ ...comment, said: comment.said.map((each) => ({ ...each, isSent: true })) });
			return createCommentRef(comment, words.join('\n\n'));
		});
	}

	/** A reference to the last thing said in a comment, with the user's words that the agent does not know. */
	refTo(name: string): CommentRef | undefined {
		const comment = this.#comments.get(name);
		return comment && createCommentRef(comment, comment.said.at(-1)?.text ?? '');
	}

	#set(comment: Comment): Comment {
		this.#comments.set(comment.name, comment);
		return comment;
	}

	#makeRoom(): void {
		const done = this.all.find(({ isResolved }) => isResolved);
		if (done === undefined) {
			throw new ProwessError('INVALID_STATE', `there are ${MAX_COMMENTS} open comments; resolve some first`, {
				said: text('There are {count} open comments. Remove some first.', { count: MAX_COMMENTS }),
			});
		}
		this.remove(done.name);
	}
}

/** The user has said it, and the agent was not sent it. */
export function isUnsent({ by, isSent }: SaidInComment): boolean {
	return by === 'user' && !isSent;
}

function createCommentRef({ name, path, startLine, endLine, code }: Comment, said: string): CommentRef {
	return { kind: 'comment', name, path, startLine, endLine, code, text: said.slice(0, MAX_COMMENT_CHARS) };
}
