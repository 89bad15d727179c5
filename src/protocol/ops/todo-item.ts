/** Step of the agent's plan, as the user sees it. */
import * as z from '../text/zod.ts';

export const TodoItem = z.object({
	text: z.string().min(1).max(500),
	status: z.enum(['pending', 'active', 'done']),
});
export type TodoItem = z.infer<typeof TodoItem>;
