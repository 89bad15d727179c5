/** crypto.*: Node's own primitives with parameters that hold. */
import {
	createCipheriv,
	createDecipheriv,
	createHash,
	createHmac,
	hkdf as hkdfWithCallback,
	pbkdf2 as pbkdf2WithCallback,
	randomBytes,
} from 'node:crypto';
import { promisify } from 'node:util';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { Bytes } from '../../protocol/ops/definitions/data/crypto.ts';
import type { OpName, OpParams, OpResult } from '../../protocol/op-table/ops.ts';
import type { OpImplementation, OpImplementations } from '../../contract/ops/op-implementation.ts';

type CryptoOp = Extract<OpName, `crypto.${string}`>;

const pbkdf2 = promisify(pbkdf2WithCallback);
const hkdf = promisify(hkdfWithCallback);

const IV_BYTES = 12;
const TAG_BYTES = 16;

export function cryptoOps(): Pick<OpImplementations, CryptoOp> {
	return {
		'crypto.hash': createPureOp(({ algorithm, data }) =>
			encodeDigest(createHash(algorithm).update(decodeBytes(data)).digest()),
		),
		'crypto.hmac': createPureOp(({ algorithm, key, data }) =>
			encodeDigest(createHmac(algorithm, decodeBytes(key)).update(decodeBytes(data)).digest()),
		),
		'crypto.pbkdf2': createPureOp(async ({ algorithm, password, salt, iterations, keyLength }) =>
			inBase64(await pbkdf2(decodeBytes(password), decodeBytes(salt), iterations, keyLength, algorithm)),
		),
		'crypto.hkdf': createPureOp(async ({ algorithm, key, salt, info, keyLength }) =>
			inBase64(Buffer.from(await hkdf(algorithm, decodeBytes(key), decodeBytes(salt), decodeBytes(info), keyLength))),
		),
		'crypto.aesGcmEncrypt': createPureOp(({ key, data, additional }) => {
			const iv = randomBytes(IV_BYTES);
			const secret = aesKey(key);
			const cipher = createCipheriv(pickAesCipher(secret), secret, iv, { authTagLength: TAG_BYTES });
			if (additional !== undefined) {
				cipher.setAAD(decodeBytes(additional));
			}
			const encrypted = Buffer.concat([cipher.update(decodeBytes(data)), cipher.final()]);
			return {
				iv: iv.toString('base64'),
				data: encrypted.toString('base64'),
				tag: cipher.getAuthTag().toString('base64'),
			};
		}),
		'crypto.aesGcmDecrypt': createPureOp(({ key, iv, data, tag, additional }) => {
			const secret = aesKey(key);
			const [nonce, seal] = [Buffer.from(iv, 'base64'), Buffer.from(tag, 'base64')];
			// A shorter seal can be guessed.
			if (nonce.length !== IV_BYTES || seal.length !== TAG_BYTES) {
				throw new ProwessError('INVALID_PARAMS', `iv has ${IV_BYTES} bytes and tag ${TAG_BYTES}`, {});
			}
			const decipher = createDecipheriv(pickAesCipher(secret), secret, nonce, { authTagLength: TAG_BYTES });
			decipher.setAuthTag(seal);
			if (additional !== undefined) {
				decipher.setAAD(decodeBytes(additional));
			}
			try {
				return inBase64(Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]));
			} catch (error) {
				throw new ProwessError('DATA_MALFORMED', 'the data was changed, or the key is another one', {}, error);
			}
		}),
		'crypto.randomBytes': createPureOp(({ length }) => inBase64(randomBytes(length))),
	};
}

function createPureOp<N extends CryptoOp>(
	compute: (params: OpParams<N>) => OpResult<N> | Promise<OpResult<N>>,
): OpImplementation<N> {
	return {
		prepare: (params) =>
			Promise.resolve({
				targets: [],
				detail: { kind: 'text', text: 'Compute without any effect' },
				run: async () => await compute(params),
			}),
	};
}

function decodeBytes(bytes: Bytes): Buffer {
	return 'text' in bytes ? Buffer.from(bytes.text, 'utf8') : Buffer.from(bytes.base64, 'base64');
}

function aesKey(base64: string): Buffer {
	const key = Buffer.from(base64, 'base64');
	if (![16, 24, 32].includes(key.length)) {
		throw new ProwessError('INVALID_PARAMS', `a key of AES has 16, 24 or 32 bytes, not ${key.length}`, {});
	}
	return key;
}

function pickAesCipher(key: Buffer): 'aes-128-gcm' | 'aes-192-gcm' | 'aes-256-gcm' {
	return key.length === 16 ? 'aes-128-gcm' : key.length === 24 ? 'aes-192-gcm' : 'aes-256-gcm';
}

function encodeDigest(digest: Buffer): { hex: string; base64: string } {
	return { hex: digest.toString('hex'), base64: digest.toString('base64') };
}

function inBase64(bytes: Buffer): { base64: string } {
	return { base64: bytes.toString('base64') };
}
