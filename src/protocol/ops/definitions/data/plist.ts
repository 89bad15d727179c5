/** Property lists of Apple's systems, in XML or binary. */
import * as z from '../../../text/zod.ts';
import { Bytes } from './crypto.ts';
import { defineOp } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

export const plistParse = defineOp({
	params: z
		.strictObject({ path: z.string().min(1).max(4096).optional(), data: Bytes.optional() })
		.refine(({ path, data }) => (path === undefined) !== (data === undefined), 'give either a path or data'),
	/**
	 * Value as JSON. Types that JSON does not know are `{ $date }`, `{ $data }` in base64 and `{ $uid }`; a large
	 * integer is `{ $integer }`, as text.
	 */
	result: z.object({ value: z.unknown() }),
	risk: 'MONITORED',
	permission: 'workspace.read',
	effect: 'read',
	timeoutMs: 30_000,
	tool: 'Read an Apple property list, XML or binary, as JSON.',
	isRare: true,
	title: ({ path }) =>
		path === undefined
			? text('Read the property list that was given')
			: text('Read the property list {path}', { path }),
	present: (r) => JSON.stringify(r.value, undefined, 1),
});
