/** Ed25519 keys that sign: an index of a marketplace, the rules of an organisation. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { ProwessError } from '../../protocol/errors/errors.ts';

/**
 * Returns the private key that the text holds in PEM form. Throws INVALID_PARAMS for what holds none, and for a key of
 * another kind.
 */
export function parseSigningKey(pem: string): KeyObject {
	try {
		const key = createPrivateKey(pem);
		if (key.asymmetricKeyType === 'ed25519') return key;
	} catch (error) {
		throw new ProwessError('INVALID_PARAMS', 'the signing key is no private key in PEM form', {}, error);
	}
	throw new ProwessError('INVALID_PARAMS', 'the signing key is not of the kind ed25519', {});
}

/** Returns the public key as settings and rules take it: its 32 bytes in Base64. */
export function exportPublicKey(signingKey: KeyObject): string {
	const { x = '' } = createPublicKey(signingKey).export({ format: 'jwk' });
	return Buffer.from(x, 'base64url').toString('base64');
}
