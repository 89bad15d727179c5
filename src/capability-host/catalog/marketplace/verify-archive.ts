/** Bytes are what an index says they are: as many, with that hash, signed by that key. */
import { createPublicKey, verify } from 'node:crypto';
import { ProwessError } from '../../../protocol/errors.ts';
import { type IndexEntry, signedStatement } from '../../../protocol/marketplace.ts';
import { sha256Of } from './package/package-file.ts';

type ArchiveClaim = Pick<IndexEntry, 'name' | 'type' | 'version' | 'sha256' | 'size' | 'signature' | 'key'>;

/** Throws DOWNLOAD_FAILED. */
export function verifyBytes(bytes: Buffer, { sha256, size }: ArchiveClaim, from: string): void {
	if (bytes.length !== size) {
		throw wrong(from, `it has ${bytes.length} bytes, the index says ${size}${looksLike(bytes)}`);
	}
	const actual = sha256Of(bytes);
	if (actual !== sha256) {
		throw wrong(from, `its sha256 is ${actual}, the index says ${sha256}`);
	}
}

/**
 * `required`: the key that the settings name for the index, or that signed the version that is installed. Throws
 * DOWNLOAD_FAILED; the key that has signed, or undefined where nobody has and nobody had to.
 */
export function verifySignature(claim: ArchiveClaim, required: string | undefined, from: string): string | undefined {
	const { key, signature } = claim;
	if (key === undefined || signature === undefined) {
		if (required !== undefined || key !== signature) {
			throw wrong(from, `it is not signed${required === undefined ? ' completely' : `, and must be by ${required}`}`);
		}
		return undefined;
	}
	if (required !== undefined && key !== required) {
		throw wrong(from, `it is signed by ${key}, and must be by ${required}`);
	}
	const statement = Buffer.from(signedStatement(claim), 'utf8');
	if (!verify(null, statement, publicKey(key), Buffer.from(signature, 'base64'))) {
		throw wrong(from, `its signature by ${key} is not valid`);
	}
	return key;
}

function publicKey(key: string) {
	const x = Buffer.from(key, 'base64').toString('base64url');
	return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

function looksLike(bytes: Buffer): string {
	const start = bytes.subarray(0, 100).toString('latin1').trimStart();
	return start.startsWith('<') ? '; it looks like a web page' : /^[{[]/.test(start) ? '; it looks like JSON' : '';
}

function wrong(from: string, why: string): ProwessError {
	return new ProwessError('DOWNLOAD_FAILED', `${from} is refused: ${why}`, { from });
}
