/** Certificate and key of the user, for browsers that come from other machines. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { isLoopbackAddress } from '../../../machine/http/server-here.ts';
import { readRegularFileSync } from '../../../machine/paths/reading/read-regular-file.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import { webLimits } from '../limits.ts';
import type { DoorCertificate } from '../listening.ts';

interface ReadCertificate extends DoorCertificate {
	/** Other accounts of this machine can read the key. */
	readonly isKeyShown: boolean;
}

const REACHED_BY_OTHERS =
	'Warning: other machines reach this address. Whoever pairs a browser can have commands run on this machine. Use it in a ' +
	'network that you trust, and never open the port to the internet.\n';

interface EncryptionOptions {
	/** Paths. */
	readonly cert?: string;
	readonly key?: string;
	readonly listen?: string;
}

/**
 * `warn` is told, as a line, why a pair that has changed is no use, where the one before it stays, and that others can read its
 * key. Throws as `readCertificate` does, INVALID_PARAMS for a certificate without its key, and INVALID_STATE where neither the
 * certificate nor `origins`, those of the user, name a host.
 */
export function readEncryption(
	{ cert, key, listen: address }: EncryptionOptions,
	origins: readonly string[],
	warn: (message: string) => void,
) {
	if ((cert === undefined) !== (key === undefined)) {
		throw new ProwessError('INVALID_PARAMS', '--cert and --key go together', {
			said: text('--cert and --key go together: name the certificate and its key.'),
		});
	}
	const certificate = cert === undefined || key === undefined ? undefined : followCertificate(cert, key, warn);
	if (cert !== undefined && certificate?.names.length === 0 && origins.length === 0) {
		throw refuseFile(cert, 'it names no host (subjectAltName), or patterns alone; name the address with --origin');
	}
	const isForOthers = address !== undefined && !isLoopbackAddress(address);
	const warnings = [
		isForOthers ? REACHED_BY_OTHERS : '',
		certificate?.isKeyShown === true ? `${warningOfKey(key ?? '')}\n` : '',
	];
	return { address, certificate, warnings: warnings.join('') };
}

/** Reads the pair, and again whenever its files have changed. Throws as `readCertificate` does. */
function followCertificate(certPath: string, keyPath: string, warn: (message: string) => void): ReadCertificate {
	const paths = [certPath, keyPath];
	let stamp = stampFiles(paths);
	const first = readCertificate(certPath, keyPath);
	let lookedAt = performance.now();
	let warned = '';
	const findRenewed = () => {
		const now = performance.now();
		if (now - lookedAt < webLimits.certificateLookMs) return undefined;
		lookedAt = now;
		const found = stampFiles(paths);
		if (found === stamp) return undefined;
		try {
			const renewed = readCertificate(certPath, keyPath);
			[stamp, warned] = [found, ''];
			if (renewed.isKeyShown) warn(warningOfKey(keyPath));
			return renewed;
		} catch (error) {
			// Half of the pair may be written yet: the next look reads it anew.
			const message = toErrorMessage(error);
			if (message !== warned) warn(`Warning: ${message}. The certificate before it stays in use.`);
			warned = message;
			return undefined;
		}
	};
	return { ...first, findRenewed };
}

function warningOfKey(path: string): string {
	return `Warning: other accounts of this machine can read ${path}. Make it yours alone: chmod 600.`;
}

/** Differs whenever one of the files has been written or replaced, or is gone. */
function stampFiles(paths: readonly string[]): string {
	return paths.map(stampFile).join('\n');
}

function stampFile(path: string): string {
	try {
		const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
		return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
	} catch {
		// Reading the file says why.
		return 'gone';
	}
}

/** Throws INVALID_STATE for a pair that no browser could be served with, with the file and the reason. */
export function readCertificate(certPath: string, keyPath: string, now = Date.now()): ReadCertificate {
	const cert = readPem(certPath);
	const key = readPem(keyPath);
	const found = orRefuse(certPath, () => new X509Certificate(cert));
	const privateKey = orRefuse(keyPath, () => createPrivateKey(key));
	if (!found.checkPrivateKey(privateKey)) throw refuseFile(keyPath, 'it is not the key of the certificate');
	if (now > Date.parse(found.validTo)) throw refuseFile(certPath, `it expired on ${found.validTo}`);
	if (now < Date.parse(found.validFrom)) throw refuseFile(certPath, `it counts from ${found.validFrom} on`);
	orRefuse(certPath, () => createSecureContext({ cert, key }));
	const isKeyShown = process.platform !== 'win32' && (statSync(keyPath).mode & 0o077) !== 0;
	return { cert, key, names: listAltNames(found), isKeyShown };
}

function readPem(path: string): string {
	return orRefuse(path, () => readRegularFileSync(path, webLimits.certificateBytes).toString('utf8'));
}

/** Without patterns, whose addresses the user names, and without what no address can have. */
function listAltNames({ subjectAltName = '' }: X509Certificate): readonly string[] {
	const names = subjectAltName.split(', ').flatMap((each) => {
		const at = each.indexOf(':');
		const [kind, name] = [each.slice(0, at), each.slice(at + 1)];
		if (kind === 'IP Address') return [name.includes(':') ? `[${name}]` : name];
		return kind === 'DNS' && /^[a-z0-9.-]+$/i.test(name) ? [name.toLowerCase()] : [];
	});
	return names.filter((name) => URL.canParse(`https://${name}`));
}

function orRefuse<T>(path: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw refuseFile(path, toErrorMessage(error));
	}
}

function refuseFile(path: string, why: string): ProwessError {
	return new ProwessError('INVALID_STATE', `${path} cannot be used: ${why}`, {
		path,
		said: text('{path} cannot be used: {why}', { path, why }),
	});
}
