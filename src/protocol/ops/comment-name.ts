/** Comments on lines of files, as messages and ops name them. */
import * as z from '../text/zod.ts';

/** Name of a comment with its answers, such as `c3`; one of a workspace. */
export const CommentName = z.string().regex(/^c[1-9]\d{0,5}$/);

export const MAX_COMMENT_CHARS = 4_000;
