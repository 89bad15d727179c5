/**
 * Rules at an address: read there with their signature, and kept in the home for when the address cannot be reached.
 * The copy is checked like the answer, because the user can write it.
 */
import { createPublicKey, sign, verify } from 'node:crypto';
import { join } from 'node:path';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { OrganisationAddress } from '../../protocol/settings/organisation-rules.ts';
import * as z from '../../protocol/text/zod.ts';
import { type Text, text } from '../../protocol/text/text.ts';
import { readIfThere, replaceDurably } from '../home-files/durable-file.ts';
import { exportPublicKey, parseSigningKey } from '../secrets/signing-key.ts';
import { resolveHost, systemResolve } from '../http/resolve-host.ts';
import { sendHttpRequest } from '../http/send.ts';
import { parseTargetUrl } from '../http/target-url.ts';
import { RULES_BYTES, rulesRefused } from './system-file.ts';

/** Age from which on a copy is compared with the address. */
const FRESH_MS = 3_600_000;
/** Longest that a start waits for the address. */
const FETCH_TIMEOUT_MS = 10_000;

const KeptRules = z.object({ address: z.string(), readAt: z.number(), rules: z.string(), signature: z.string() });
type KeptRules = z.infer<typeof KeptRules>;

/** Newest version of the rules that was read at an address, by key and address. */
const SeenVersions = z.record(z.string(), z.number());

interface SignedRules {
	readonly rules: string;
	/** Words on what the address gave in place of them. */
	readonly note?: Text;
}

/**
 * The text of the rules, signed by the key, and never older than what was read there before. Rejects with
 * ORGANISATION_RULES_REFUSED where the address gives none that are signed; and where it gives older ones, or cannot be
 * reached, and no good copy is there.
 */
export async function signedRules(
	{ address, publicKey }: OrganisationAddress,
	home: string,
	signal: AbortSignal,
): Promise<SignedRules> {
	const path = join(home, 'organisation-rules.json');
	const seenPath = join(home, 'organisation-versions.json');
	const of = `${publicKey} ${address}`;
	const [kept, versions] = await Promise.all([readKept(path, address), readSeenVersions(seenPath)]);
	const seen = versions[of] ?? 0;
	const isGood = kept !== undefined && isSigned(kept, publicKey) && readVersion(kept.rules) >= seen;
	const age = Date.now() - (kept?.readAt ?? 0);
	if (isGood && age >= 0 && age < FRESH_MS) return { rules: kept.rules };
	let read: Pick<KeptRules, 'rules' | 'signature'>;
	try {
		read = await fetchSigned(address, signal);
	} catch (error) {
		signal.throwIfAborted();
		if (isGood) return { rules: kept.rules };
		throw rulesRefused(address, text('it cannot be read: {why}', { why: toErrorMessage(error) }), error);
	}
	if (!isSigned(read, publicKey)) throw rulesRefused(address, text('its signature is not valid'));
	const version = readVersion(read.rules);
	if (version < seen) {
		const why = text('it gives rules of version {version}, and version {seen} was read there before', {
			version,
			seen,
		});
		if (isGood) return { rules: kept.rules, note: text('{place}: {why}', { place: address, why }) };
		throw rulesRefused(address, why);
	}
	if (version > seen) await replaceDurably(seenPath, `${JSON.stringify({ ...versions, [of]: version })}\n`);
	await replaceDurably(path, `${JSON.stringify({ address, readAt: Date.now(), ...read })}\n`);
	return { rules: read.rules };
}

/** The signature of rules in base64, and the public key as the system folder names it. Throws INVALID_PARAMS. */
export function signRules(rules: string, pem: string): { readonly signature: string; readonly publicKey: string } {
	const key = parseSigningKey(pem);
	return {
		signature: sign(null, Buffer.from(rules, 'utf8'), key).toString('base64'),
		publicKey: exportPublicKey(key),
	};
}

function isSigned({ rules, signature }: Pick<KeptRules, 'rules' | 'signature'>, publicKey: string): boolean {
	const x = Buffer.from(publicKey, 'base64').toString('base64url');
	try {
		const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
		return verify(null, Buffer.from(rules, 'utf8'), key, Buffer.from(signature, 'base64'));
	} catch {
		return false;
	}
}

/** 0: the rules name none, or cannot be read, which whoever follows them finds. */
function readVersion(rules: string): number {
	try {
		return z.object({ version: z.number() }).parse(JSON.parse(rules)).version;
	} catch {
		return 0;
	}
}

async function readSeenVersions(path: string): Promise<Record<string, number>> {
	try {
		return SeenVersions.parse(JSON.parse((await readIfThere(path)) ?? '{}'));
	} catch {
		// A file that the user has damaged tells of no version.
		return {};
	}
}

async function readKept(path: string, address: string): Promise<KeptRules | undefined> {
	try {
		const kept = KeptRules.parse(JSON.parse((await readIfThere(path)) ?? 'null'));
		return kept.address === address ? kept : undefined;
	} catch {
		return undefined;
	}
}

async function fetchSigned(address: string, signal: AbortSignal): Promise<Pick<KeptRules, 'rules' | 'signature'>> {
	const limit = deriveSignal(signal, { what: `reading ${address}`, timeoutMs: FETCH_TIMEOUT_MS });
	try {
		const [rules, signature] = await Promise.all(
			[address, `${address}.sig`].map((place) => fetchText(place, limit.signal)),
		);
		return { rules: rules ?? '', signature: (signature ?? '').trim() };
	} finally {
		limit.dispose();
	}
}

/** Administrators named the address, so it may be in their own network. */
async function fetchText(address: string, signal: AbortSignal): Promise<string> {
	const target = parseTargetUrl(address);
	const addresses = await resolveHost(target, [target.host], systemResolve, signal);
	const asked = { method: 'GET', target, addresses, headers: {}, body: undefined, maxBytes: RULES_BYTES };
	const { status, body } = await sendHttpRequest(asked, signal);
	if (status !== 200) throw new Error(`${address} answers ${status}`);
	return body.toString('utf8');
}
