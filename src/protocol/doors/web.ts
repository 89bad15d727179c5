/**
 * Browser ↔ host: `prowess web`. A browser is paired once by a code, over HTTP. Then pages speak over a socket what the
 * view of the editor speaks over its messages, after a greeting.
 */
import { ClientRight } from '../approvals/access.ts';
import { ThreadId } from '../rpc/ids.ts';
import * as z from '../text/zod.ts';

/** Names of devices stand in the ledger and in the terminal: they hold nothing that could hide or break a line. */
export const DeviceName = z
	.string()
	.trim()
	.regex(/^[\p{L}\p{N}][\p{L}\p{N} ._'-]{0,39}$/u, "expected 1 to 40 letters, digits, spaces and . _ - '");

export const PairingRequest = z.strictObject({ code: z.string().max(40), name: DeviceName });

/** The key stays with pages of this origin; the other half of the proof is a cookie that no script reads. */
export const PairedDevice = z.object({ key: z.string(), name: z.string(), rights: z.array(ClientRight) });
export type PairedDevice = z.infer<typeof PairedDevice>;

/** A browser asks to be forgotten. The cookie comes with it. */
export const ForgetRequest = z.strictObject({ key: z.string().max(200) });

/** First message of a page. `folder`: which it shows; absent: it has not chosen yet. `threadId`: which it showed before. */
export const WebGreeting = z.strictObject({
	key: z.string().max(200),
	folder: z.string().max(100).optional(),
	threadId: ThreadId.nullish(),
});

/** Answer to the greeting. `folder`: the one that follows; null: the page has to choose. */
export const WebWelcome = z.object({
	folder: z.string().nullable(),
	folders: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type WebWelcome = z.infer<typeof WebWelcome>;
