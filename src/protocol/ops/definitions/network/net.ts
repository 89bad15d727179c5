/** Connections of sandboxed commands. No caller names this op by itself: the proxy of the sandbox asks for what a command tries. */
import { cutText } from '../../../../base/text/one-line.ts';
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

/** Characters of the command that a title shows. */
const SHOWN_COMMAND_CHARS = 80;

const Connections = z.object({
	connections: z.int().nonnegative(),
	/** Bytes, both ways. */
	sent: z.int().nonnegative(),
	received: z.int().nonnegative(),
});

/** All connections of a command to one host: the op ends with its command, and its outcome says how much went. */
export const netConnect = defineOp({
	params: z.strictObject({
		/** Host as rules write it: with the port when that is neither 443 nor 80. */
		host: z.string().min(1).max(300),
		/** The command, as people read it. */
		for: z.string().max(100_000).default(''),
	}),
	result: Connections,
	risk: 'CONTROLLED',
	permission: 'http',
	effect: 'write',
	timeoutMs: 0,
	// The limit is that of its command.
	limitMs: () => 0,
	title: ({ host, for: command }) =>
		command === ''
			? text('Connect to {host}', { host })
			: text('Connect to {host} (for {command})', { host, command: cutText(command, SHOWN_COMMAND_CHARS) }),
	present: ({ connections, sent, received }) =>
		`${connections} connection${connections === 1 ? '' : 's'}, ${sent} bytes sent, ${received} received`,
});
