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

/** Words that a message takes along. */
interface TakenComments {
	/** References, one for each comment, or several where more was said than one can hold. */
	readonly refs: readonly CommentRef[];
	/** Counts all of it as not sent: the message did not go. */
	giveBack(): void;
}

/** Change of a text in lines and characters from 0, as the editor tells it. */
interface LineChange {
	readonly start: { readonly line: number };
	readonly end: { readonly line: number; readonly character: number };
	readonly text: string;
}

const BETWEEN_WORDS = '\n\n';

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
		return this.#set({ ...place, code, name: `c${this.#last}`, said: splitSaid(first), isResolved: false });
	}

	/**
	 * Adds to a comment, which is open again after the user's words, and stays open while the agent does not know them. Throws
	 * NOT_FOUND, or INVALID_STATE where it is full.
	 */
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
		const all = [...comment.said, ...splitSaid(said)];
		return this.#set({ ...comment, said: all, isResolved: isResolved && !all.some(isUnsent) });
	}

	remove(name: string): void {
		this.#comments.delete(name);
	}

	/** Moves the comments of a file with its text. Returns those that have moved. */
	shift(absolutePath: string, change: LineChange): readonly Comment[] {
		return this.all.flatMap((each) => {
			if (each.absolutePath !== absolutePath) return [];
			const startLine = followLine(each.startLine, change);
			const endLine = Math.max(startLine, followLine(each.endLine, change));
			const hasMoved = startLine !== each.startLine || endLine !== each.endLine;
			return hasMoved ? [this.#set({ ...each, startLine, endLine })] : [];
		});
	}

	/** Takes what the user has said and not sent, and counts it as sent. */
	takeUnsent(most: number): TakenComments {
		const taken = this.all
			.flatMap((comment) => groupUnsent(comment).map((group) => ({ comment, group })))
			.slice(0, most);
		const markAsSent = (isSent: boolean) => {
			for (const { comment, group } of taken) {
				const now = this.#comments.get(comment.name);
				// Words are never taken out, so each has its place.
				const said = now?.said.map((each, at) => (group.includes(at) ? { ...each, isSent } : each));
				if (now !== undefined && said !== undefined) {
					this.#set({ ...now, said, isResolved: now.isResolved && !said.some(isUnsent) });
				}
			}
		};
		markAsSent(true);
		const refs = taken.map(({ comment, group }) =>
			createCommentRef(comment, group.map((at) => comment.said[at]?.text ?? '').join(BETWEEN_WORDS)),
		);
		return { refs, giveBack: () => markAsSent(false) };
	}

	/** A reference to the last thing said in a comment; undefined: it is gone. */
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

/** Words that do not fit into one text are several. */
function splitSaid(said: SaidInComment): SaidInComment[] {
	const count = Math.max(1, Math.ceil(said.text.length / MAX_COMMENT_CHARS));
	return Array.from({ length: count }, (_, at) => ({
		...said,
		text: said.text.slice(at * MAX_COMMENT_CHARS, (at + 1) * MAX_COMMENT_CHARS),
	}));
}

/** Places of what was not sent, in groups that one reference can hold each. */
function groupUnsent({ said }: Comment): readonly (readonly number[])[] {
	const groups: number[][] = [];
	let chars = 0;
	for (const [at, each] of said.entries()) {
		if (!isUnsent(each)) continue;
		chars += BETWEEN_WORDS.length + each.text.length;
		const group = groups.at(-1);
		if (group === undefined || chars > MAX_COMMENT_CHARS) {
			groups.push([at]);
			chars = each.text.length;
		} else {
			group.push(at);
		}
	}
	return groups;
}

/** The line, from 1, to which its text has moved; where that is gone, the nearest one. */
function followLine(line: number, { start, end, text: inserted }: LineChange): number {
	const at = line - 1;
	const lines = inserted.split('\n').length - 1;
	if (at > end.line || (at === end.line && end.character === 0)) return line + lines - (end.line - start.line);
	return at <= start.line ? line : Math.min(at, start.line + lines) + 1;
}

function createCommentRef({ name, path, startLine, endLine, code }: Comment, said: string): CommentRef {
	return { kind: 'comment', name, path, startLine, endLine, code, text: said.slice(0, MAX_COMMENT_CHARS) };
}
