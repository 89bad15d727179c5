/** A text for people, on its way to where it is translated. */
import type { Text } from './text.ts';
import * as z from './zod.ts';

export const SaidText: z.ZodType<Text> = z.object({
	template: z.string(),
	args: z.record(z.string(), z.union([z.string(), z.number(), z.lazy(() => SaidText)])),
});
