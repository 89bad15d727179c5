/** Bytes are what an index says they are: as many, with that hash, signed by that key. */
import { createPublicKey, verify } from 'node:crypto';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { type IndexEntry, signedStatement } from '../../protocol/capability/marketplace.ts';
import { inEnglish, text, type Text } from '../../protocol/text/text.ts';
import { sha256Of } from '../package-file.ts';

type ArchiveClaim = Pick<IndexEntry, 'name' | 'type' | 'version' | 'sha256' | 'size' | 'signature' | 'key'>;

/** Throws DOWNLOAD_FAILED. */
export function verifyBytes(bytes: Buffer, { sha256, size }: ArchiveClaim, from: string): void {
	if (bytes.length !== size) {
		throw createArchiveError(
			from,
			text('it has {n} bytes, the index says {said}{like}', { n: bytes.length, said: size, like: looksLike(bytes) }),
		);
	}
	const actual = sha256Of(bytes);
	if (actual !== sha256) {
		throw createArchiveError(from, text('its sha256 is {actual}, the index says {said}', { actual, said: sha256 }));
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
			throw createArchiveError(
				from,
				required === undefined
					? text('it is not signed completely')
					: text('it is not signed, and must be by {key}', { key: required }),
			);
		}
		return undefined;
	}
	if (required !== undefined && key !== required) {
		throw createArchiveError(from, text('it is signed by {key}, and must be by {required}', { key, required }));
	}
	const statement = Buffer.from(signedStatement(claim), 'utf8');
	if (!verify(null, statement, publicKey(key), Buffer.from(signature, 'base64'))) {
		throw createArchiveError(from, text('its signature by {key} is not valid', { key }));
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

function createArchiveError(from: string, why: string | Text): ProwessError {
	return new ProwessError('DOWNLOAD_FAILED', `${from} is refused: ${inEnglish(why)}`, {
		from,
		said: text('{from} is refused: {why}', { from, why }),
	});
}
