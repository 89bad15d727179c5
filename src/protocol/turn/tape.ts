/**
 * Models of a turn that is recorded or replayed. Recording, the server tells the host what it resolves, asks and hears;
 * replaying, it asks the host for just that, and reaches no endpoint. The server starts each exchange.
 */
import * as z from '../text/zod.ts';
import { defineNotification, defineRequest } from '../rpc/message.ts';

/** A model as a turn sees it, apart from its answers; opaque to the host. */
const ModelFacts = z.record(z.string(), z.unknown());

const TapedLine = z.object({
	current: ModelFacts,
	/** Models that may take over, in their order. */
	next: z.array(z.object({ id: z.string(), baseUrl: z.string().optional() })),
	steps: z.array(z.string()),
	passedOver: z.unknown().optional(),
});

/** An error of ours as it was thrown. */
const Fault = z.object({
	fault: z.object({ code: z.string(), message: z.string(), facts: z.record(z.string(), z.unknown()) }),
});
export type TapedFault = z.infer<typeof Fault>['fault'];

/** `part`: as the model's port gives it; opaque to the host. `ended`: facts of the model after the answer. */
const TapedAnswer = z.union([z.object({ part: z.unknown() }), z.object({ ended: ModelFacts }), Fault]);

const TapedWish = z.object({ wanted: z.unknown() });
const Asked = z.object({ model: z.string(), request: z.unknown() });
const Candidate = z.object({ id: z.string() });
const LineOrFault = z.union([z.object({ line: TapedLine }), Fault]);
const OpenedOrFault = z.union([z.object({ model: ModelFacts }), Fault]);
const Listed = z.object({ list: z.unknown() });

/** Server → host, recording. `answer` numbers the answers of one server. */
export const tapeNotifications = {
	line: defineNotification('tape/line', z.object({ asked: TapedWish, result: LineOrFault })),
	opened: defineNotification('tape/opened', z.object({ asked: Candidate, result: OpenedOrFault })),
	listed: defineNotification('tape/listed', z.object({ asked: z.object({}), result: Listed })),
	asked: defineNotification('tape/asked', z.object({ asked: Asked, result: z.object({ answer: z.int() }) })),
	heard: defineNotification('tape/heard', z.object({ answer: z.int(), heard: TapedAnswer })),
} as const;

/** Server → host, replaying: what was told with the same name, as a question. */
export const tapeRequests = {
	line: defineRequest('tape/line', TapedWish, LineOrFault),
	opened: defineRequest('tape/opened', Candidate, OpenedOrFault),
	listed: defineRequest('tape/listed', z.object({}), Listed),
	asked: defineRequest('tape/asked', Asked, z.object({ answer: z.int() })),
	heard: defineRequest('tape/heard', z.object({ answer: z.int() }), TapedAnswer),
} as const;

/** Host → server, replaying: the time of what follows. */
export const tapeClock = {
	clock: defineNotification('tape/clock', z.object({ at: z.number() })),
} as const;
