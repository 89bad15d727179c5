/** Cryptography that is easy to get wrong by hand. Without effects; keys and values are never part of a title or a summary. */
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

const base64 = z.base64().max(14_000_000);
export const Bytes = z.union([z.strictObject({ text: z.string().max(10_000_000) }), z.strictObject({ base64 })]);
export type Bytes = z.infer<typeof Bytes>;

const digest = z.enum(['sha256', 'sha384', 'sha512']);
const keyLength = z.int().positive().max(1024);
const common = { risk: 'SAFE', permission: 'crypto', effect: 'read', timeoutMs: 30_000 } as const;
const Digest = z.object({ hex: z.string(), base64: z.string() });
const Key = z.object({ base64: z.string() });

export const cryptoHash = defineOp({
	...common,
	/** `sha1` and `md5` for formats that want them; they protect nothing. */
	params: z.strictObject({ algorithm: z.enum([...digest.options, 'sha1', 'md5']).default('sha256'), data: Bytes }),
	result: Digest,
	title: ({ algorithm }) => text('Hash with {algorithm}', { algorithm }),
	present: () => 'Hashed.',
});

export const cryptoHmac = defineOp({
	...common,
	params: z.strictObject({ algorithm: z.enum([...digest.options, 'sha1']).default('sha256'), key: Bytes, data: Bytes }),
	result: Digest,
	title: ({ algorithm }) => text('Sign with HMAC {algorithm}', { algorithm }),
	present: () => 'Signed.',
});

export const cryptoPbkdf2 = defineOp({
	...common,
	params: z.strictObject({
		algorithm: digest.default('sha256'),
		password: Bytes,
		salt: Bytes,
		iterations: z.int().positive().max(5_000_000),
		keyLength,
	}),
	result: Key,
	title: ({ iterations }) => text('Derive a key with PBKDF2 in {iterations} rounds', { iterations }),
	present: () => 'Derived a key.',
});

export const cryptoHkdf = defineOp({
	...common,
	params: z.strictObject({
		algorithm: digest.default('sha256'),
		key: Bytes,
		salt: Bytes.default({ text: '' }),
		info: Bytes.default({ text: '' }),
		keyLength,
	}),
	result: Key,
	title: () => text('Derive a key with HKDF'),
	present: () => 'Derived a key.',
});

export const cryptoAesGcmEncrypt = defineOp({
	...common,
	params: z.strictObject({ key: base64, data: Bytes, additional: Bytes.optional() }),
	/** `iv` is made anew each time: used twice with one key, it would give both away. */
	result: z.object({ iv: z.string(), data: z.string(), tag: z.string() }),
	title: () => text('Encrypt with AES-GCM'),
	present: () => 'Encrypted.',
});

export const cryptoAesGcmDecrypt = defineOp({
	...common,
	params: z.strictObject({ key: base64, iv: base64, data: base64, tag: base64, additional: Bytes.optional() }),
	result: Key,
	title: () => text('Decrypt with AES-GCM'),
	present: () => 'Decrypted.',
});

export const cryptoRandomBytes = defineOp({
	...common,
	params: z.strictObject({ length: z.int().positive().max(65_536) }),
	result: Key,
	title: ({ length }) => text('Make {length} random bytes', { length }),
	present: () => 'Made random bytes.',
});
