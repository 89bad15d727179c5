/** Cryptography that is easy to get wrong by hand. Without effects; keys and values are never part of a title or a summary. */
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

const base64 = z.base64().max(14_000_000);
export const Bytes = z.union([z.strictObject({ text: z.string().max(10_000_000) }), z.strictObject({ base64 })]);
export type Bytes = z.infer<typeof Bytes>;

const digestAlgorithm = z.enum(['sha256', 'sha384', 'sha512']);
const keyLength = z.int().positive().max(1024);
const cryptoOpTraits = { risk: 'SAFE', permission: 'crypto', effect: 'read', timeoutMs: 30_000 } as const;
const Digest = z.object({ hex: z.string(), base64: z.string() });
const Base64Bytes = z.object({ base64: z.string() });

export const cryptoHash = defineOp({
	...cryptoOpTraits,
	/** `sha1` and `md5` for formats that want them; they protect nothing. */
	params: z.strictObject({
		algorithm: z.enum([...digestAlgorithm.options, 'sha1', 'md5']).default('sha256'),
		data: Bytes,
	}),
	result: Digest,
	title: ({ algorithm }) => text('Hash with {algorithm}', { algorithm }),
	present: () => 'Hashed.',
});

export const cryptoHmac = defineOp({
	...cryptoOpTraits,
	params: z.strictObject({
		algorithm: z.enum([...digestAlgorithm.options, 'sha1']).default('sha256'),
		key: Bytes,
		data: Bytes,
	}),
	result: Digest,
	title: ({ algorithm }) => text('Sign with HMAC {algorithm}', { algorithm }),
	present: () => 'Signed.',
});

export const cryptoPbkdf2 = defineOp({
	...cryptoOpTraits,
	params: z.strictObject({
		algorithm: digestAlgorithm.default('sha256'),
		password: Bytes,
		salt: Bytes,
		iterations: z.int().positive().max(5_000_000),
		keyLength,
	}),
	result: Base64Bytes,
	title: ({ iterations }) => text('Derive a key with PBKDF2 in {iterations} rounds', { iterations }),
	present: () => 'Derived a key.',
});

export const cryptoHkdf = defineOp({
	...cryptoOpTraits,
	params: z.strictObject({
		algorithm: digestAlgorithm.default('sha256'),
		key: Bytes,
		salt: Bytes.default({ text: '' }),
		info: Bytes.default({ text: '' }),
		keyLength,
	}),
	result: Base64Bytes,
	title: () => text('Derive a key with HKDF'),
	present: () => 'Derived a key.',
});

export const cryptoAesGcmEncrypt = defineOp({
	...cryptoOpTraits,
	params: z.strictObject({ key: base64, data: Bytes, additional: Bytes.optional() }),
	/** `iv` is made anew each time: used twice with one key, it would give both away. */
	result: z.object({ iv: z.string(), data: z.string(), tag: z.string() }),
	title: () => text('Encrypt with AES-GCM'),
	present: () => 'Encrypted.',
});

export const cryptoAesGcmDecrypt = defineOp({
	...cryptoOpTraits,
	params: z.strictObject({ key: base64, iv: base64, data: base64, tag: base64, additional: Bytes.optional() }),
	result: Base64Bytes,
	title: () => text('Decrypt with AES-GCM'),
	present: () => 'Decrypted.',
});

export const cryptoRandomBytes = defineOp({
	...cryptoOpTraits,
	params: z.strictObject({ length: z.int().positive().max(65_536) }),
	result: Base64Bytes,
	title: ({ length }) => text('Make {length} random bytes', { length }),
	present: () => 'Made random bytes.',
});
