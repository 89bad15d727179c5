/** Secrets that the user keeps for capabilities. Requests name them (`auth` of http.request); only rarely is a value needed. */
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { SecretName } from '../network/http.ts';
import { text } from '../../../text/text.ts';

export const secretsList = defineOp({
	params: z.strictObject({}),
	result: z.object({ names: z.array(z.string()) }),
	risk: 'MONITORED',
	permission: 'secrets',
	effect: 'read',
	timeoutMs: 30_000,
	title: () => text('List the names of secrets'),
	present: (r) => r.names.join('\n') || 'There are none.',
});

export const secretsRead = defineOp({
	params: z.strictObject({ name: SecretName }),
	result: z.object({ name: z.string(), value: z.string() }),
	risk: 'PRIVILEGED',
	permission: 'secrets',
	effect: 'read',
	timeoutMs: 30_000,
	aliases: ['secrets.get'],
	callers: ['execution'],
	withoutSecret: (r) => ({ ...r, value: '<redacted:secret>' }),
	title: ({ name }) => text('Hand out the secret {name}', { name }),
	present: (r) => `The value of ${r.name} was handed out.`,
});
