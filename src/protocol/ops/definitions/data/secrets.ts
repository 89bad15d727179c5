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

/** Redaction knows no shorter value, and a longer one is no secret. */
const SecretValue = z
	.string()
	.min(8, 'expected at least 8 characters: a shorter value cannot be kept out of texts')
	.max(65_536);

/** Kept under a name that is the capability's alone, so that no capability replaces what the user or another one stored. */
export const secretsWrite = defineOp({
	params: z.strictObject({ name: SecretName, value: SecretValue }),
	/** `name`: the whole name under which it is kept, which the user sees. */
	result: z.object({ name: z.string(), isReplaced: z.boolean() }),
	risk: 'PRIVILEGED',
	permission: 'secrets',
	effect: 'write',
	timeoutMs: 30_000,
	callers: ['execution'],
	secretParam: 'value',
	title: ({ name }) => text('Store the secret {name}', { name }),
	present: (r) => `${r.isReplaced ? 'Replaced' : 'Stored'} the secret ${r.name}.`,
});
