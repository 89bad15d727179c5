/** Tools that skills leave to a thread, as the host tells a server of it. */
import * as z from '../text/zod.ts';

export const SkillTools = z.object({
	/** Skills that are followed, as `skill/pdf`; empty: nobody knows which. */
	skills: z.array(z.string()),
	/** Ops that all of them together leave. */
	ops: z.array(z.string()),
});
export type SkillTools = z.infer<typeof SkillTools>;
