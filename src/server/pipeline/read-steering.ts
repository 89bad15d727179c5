/**
 * Reads messages that the user sends to a running turn, in the form that the model reads: with attachments and the
 * rules for those.
 */
import { joinUserMessages, userMessage } from '../history/kept/user-message.ts';
import type { LoopSteering } from '../loop/loop.ts';
import type { ThreadInstructions } from '../prompt/instructions.ts';
import { listRefPaths, readContext } from '../prompt/user-message.ts';
import { attachedImages } from './attached-images.ts';
import type { SteeringMessage } from '../turn/steering.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';

export function readSteering(turn: Turn, { host, threads }: TurnDeps, instructions: ThreadInstructions): LoopSteering {
	const asker = { host, threadId: turn.threadId, turnId: turn.turnId };
	const readSteeringMessage = async ({ text, context }: SteeringMessage, signal: AbortSignal) => {
		const attached = await readContext(context, { ...asker, threads, said: text }, signal);
		const rules = await instructions.followedBy(listRefPaths(context), signal);
		return userMessage(text, attached.text, rules, attachedImages(context, attached, turn.journal));
	};
	return {
		open: () => turn.steering.open(),
		close: () => turn.steering.close(),
		get isWaiting() {
			return turn.steering.isWaiting;
		},
		async read(signal) {
			const [first, ...others] = turn.steering.take();
			if (first === undefined) {
				return undefined;
			}
			let message = await readSteeringMessage(first, signal);
			for (const other of others) {
				message = joinUserMessages(message, await readSteeringMessage(other, signal));
			}
			return { message, items: [first, ...others].map(({ id }) => id) };
		},
	};
}
