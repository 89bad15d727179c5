/** The op that finds places in code by what they are about, where the user has switched the code index on. */
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

const FoundCode = z.object({
	/** Best first. */
	places: z.array(
		z.object({
			path: z.string(),
			startLine: z.int().positive(),
			endLine: z.int().positive(),
			/** Name of what is declared there; empty for nothing. */
			symbol: z.string(),
			/** First lines of the place. */
			text: z.string(),
		}),
	),
	files: z.int().nonnegative(),
	/** Number of these files that the index holds by now. */
	indexed: z.int().nonnegative(),
	/** True: the index may take no more of the disk. */
	isFull: z.boolean(),
	/** The embedding model that the user has chosen did not answer: they were compared on this machine. */
	isLocal: z.boolean().optional(),
});

const LOCAL = '[the embedding model did not answer; compared on this machine]';

export const searchCode = defineOp({
	params: z.strictObject({
		query: z.string().trim().min(1).max(4000),
		path: z.string().min(1).max(4096).default('.'),
		limit: z.int().min(1).max(30).default(8),
	}),
	result: FoundCode,
	risk: 'MONITORED',
	permission: 'workspace.read',
	effect: 'read',
	timeoutMs: 60_000,
	tool: 'Find places in the code by what they are about, described in words.',
	title: ({ query }) => text('Find code about {query}', { query: JSON.stringify(query) }),
	present({ places, files, indexed, isFull, isLocal }) {
		const lines = places.map(({ path, startLine, endLine, symbol, text }) =>
			[`${path}:${startLine}-${endLine}${symbol === '' ? '' : ` ${symbol}`}`, text].join('\n'),
		);
		const part = `[the index holds ${indexed} of ${files} files`;
		const state =
			indexed === files
				? []
				: [isFull ? `${part}; its room on the disk is used up]` : `${part} so far; more are found later]`];
		return [
			...(lines.length === 0 ? ['Nothing was found.'] : lines),
			...state,
			...(isLocal === true ? [LOCAL] : []),
		].join('\n\n');
	},
});
