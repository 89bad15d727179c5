/** Ed25519 keys that sign: an index of a marketplace, the rules of an organisation. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { ProwessError } from '../../protocol/errors/errors.ts';

/** Returns a private key in PEM form. Throws INVALID_PARAMS. */
export function parseSigningKey(pem: string): KeyObject {
	try {
		const key = createPrivateKey(pem);
		if (key.asymmetricKeyType === 'ed25519') return key;
	} catch (error) {
		throw new ProwessError('INVALID_PARAMS', 'the signing key is no private key in PEM form', {}, error);
	}
	throw new ProwessError('INVALID_PARAMS', 'the signing key is not of the kind ed25519', {});
}

/** Returns the public key in the form that settings and rules take. */
export function exportPublicKey(signingKey: KeyObject): string {
	const { x = '' } = createPublicKey(signingKey).export({ format: 'jwk' });
	return Buffer.from(x, 'base64url').toString('base64');
}
