/** Comments on lines of files, which the editor shows beside them. Without an editor the op answers NOT_AVAILABLE_HERE. */
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { CommentName, MAX_COMMENT_CHARS } from '../../comment-name.ts';
import { text } from '../../../text/text.ts';

export const CommentSeverity = z.enum(['error', 'warning', 'note']);
export type CommentSeverity = z.infer<typeof CommentSeverity>;

export const editorComment = defineOp({
	params: z
		.strictObject({
			/** Comment that is answered; absent: a new one, at the path and line. */
			comment: CommentName.optional(),
			path: z.string().min(1).max(4096).optional(),
			line: z.int().positive().optional(),
			text: z.string().trim().min(1).max(MAX_COMMENT_CHARS),
			severity: CommentSeverity.optional(),
			/** True: there is nothing left to do about it. */
			resolved: z.boolean().optional(),
		})
		.refine(
			({ comment, path, line }) => (comment === undefined) === (path !== undefined && line !== undefined),
			'give a path and a line, or the comment that is answered',
		),
	result: z.object({ comment: CommentName, path: z.string(), line: z.int().positive() }),
	risk: 'SAFE',
	permission: 'editor',
	effect: 'interact',
	callers: ['agent'],
	timeoutMs: 30_000,
	isRare: true,
	tool: 'Comment on a line for the user, or answer a comment.',
	title: ({ comment, path, line }) =>
		comment === undefined
			? text('Comment on {path}:{line}', { path: path ?? '', line: line ?? 1 })
			: text('Answer the comment {comment}', { comment }),
	present: ({ comment, path, line }) => `Shown as comment ${comment} at ${path}:${line}.`,
});
