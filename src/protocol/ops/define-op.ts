import * as z from '../text/zod.ts';
import type { Permission, RiskLevel } from './risk.ts';
import type { DrawnResult } from '../text/output-view.ts';
import type { Text } from '../text/text.ts';

/** Step of the agent's plan, as the user sees it. */
export const TodoItem = z.object({
	text: z.string().min(1).max(500),
	status: z.enum(['pending', 'active', 'done']),
});
export type TodoItem = z.infer<typeof TodoItem>;

/** Kind of effect. Reads repeat safely, the others do not. */
type OpEffect = 'read' | 'write' | 'execute' | 'interact';

/** Caller of an effect: the model's server, a running capability, or the user. */
type CallerKind = 'agent' | 'execution' | 'user';

/**
 * Definition of an op, a brokered effect. After a new one in `ops.ts`, the broker does not compile without an
 * implementation.
 */
export interface OpDef<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
	readonly params: P;
	readonly result: R;
	readonly risk: RiskLevel;
	readonly permission: Permission;
	/** True: a capability may do it whatever its manifest says, since it tells of its own run and does nothing else. */
	readonly needsNoPermission?: true;
	readonly effect: OpEffect;
	/** Milliseconds the effect may take; 0 = the caller's own limit only. Waiting for the user does not count. */
	readonly timeoutMs: number;
	/** Longest time in all where each piece of output gives the whole limit once more; absent: output gives none. */
	readonly longestMs?: number;
	/**
	 * Limit in milliseconds of an effect that ends itself and says so in its result, from its params and the user's setting
	 * (0 = none). Replaces `timeoutMs`; the limits around it are longer, so that the result arrives.
	 */
	limitMs?(params: z.output<P>, settingMs: number): number;
	/** Limited by the setting on the answers of agents, and not by that on tools. */
	readonly waitsFor?: 'agent';
	/**
	 * Description for the model; absent = not offered to the model. Short, because all of them are in the first request
	 * (G7).
	 */
	readonly tool?: string;
	/** Needed rarely: the first request names the tool only, and its schema comes once the model has looked for it. */
	readonly isRare?: true;
	/**
	 * To a model this op is a part of the tool of the op `of`: a call of that tool with the parameter `by` means this op. For ops
	 * that are one concept, because every tool by itself takes some 40 tokens of each request (G7). Where `by` is no parameter of
	 * the op, it is a flag.
	 */
	readonly sharedTool?: { readonly of: string; readonly by: string };
	/** Calls of one answer whose ops have the same word here run side by side, whatever they do; absent: only reads do. */
	readonly runsBeside?: string;
	/** Names by which capabilities written for other hosts call it. In rules, rates and the ledger it has its own name only. */
	readonly aliases?: readonly string[];
	/** Params are a command: so a pattern of a rule on it names commands, and a person may type its params as a line. */
	readonly isCommand?: true;
	/** Only these may ask for it; absent = everybody. */
	readonly callers?: readonly CallerKind[];
	/** Name of the param whose text is a secret: the op alone sees it, not hooks, predictions or records. Absent: none. */
	readonly secretParam?: string;
	/** For a result that is a secret: what everybody but its caller sees. The caller gets it once as it is. */
	withoutSecret?(result: z.output<R>): z.output<R>;
	/** Line for cards, approvals and, in English, the ledger: verb and target, such as `Read src/a.ts`. */
	title(params: z.output<P>): Text;
	/** The result as the model reads it, which its card shows as the output unless it is `drawn`. */
	present(result: z.output<R>): string;
	/**
	 * The user's no as the model reads it, where that is an answer to work with, not the end of the matter: the call may then be made
	 * again, changed. Absent = it is an error like others.
	 */
	refused?(reason: string | undefined): string;
	/**
	 * Pictures and sounds in the result, for a model: their bytes in base64, which no redaction can clean and no record holds. They
	 * are in the result's fields `image` and `media`.
	 */
	media?(result: z.output<R>): readonly { readonly data: string; readonly name: string }[];
	/** The result as its card draws it for people; absent, or undefined: as the model reads it. */
	drawn?(result: z.output<R>): DrawnResult | undefined;
	/** The result as the ledger keeps it, where a cut must not take away how it ended; absent = as `present` gives it. */
	record?(result: z.output<R>): string;
	/** Bookkeeping of the agent, without an effect on anything of the user's: the ledger shows it on demand only. */
	readonly isHousekeeping?: true;
	/** Instructions in the result, which the agent follows from now on: the user agreed to them. Absent = a result is data. */
	instructions?(result: z.output<R>): { readonly name: string; readonly text: string } | undefined;
	/** Steps of the agent's plan, of an op that states it; the thread then shows them. */
	todos?(result: z.output<R>): readonly TodoItem[];
}

/** Keeps in the type whether models are told of the op: then it needs a card, too (`cards.ts`). */
export function defineOp<P extends z.ZodType, R extends z.ZodType>(
	def: OpDef<P, R> & { readonly tool: string },
): OpDef<P, R> & { readonly tool: string };
export function defineOp<P extends z.ZodType, R extends z.ZodType>(def: OpDef<P, R>): OpDef<P, R>;
export function defineOp(def: OpDef): OpDef {
	return def;
}

/** Marks a parameter that models are not told of: it is for capabilities, and every word in the first request counts (G7). */
export const notForModels = { notForModels: true } as const;
