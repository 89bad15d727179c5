/**
 * Fetches one file from another machine, as the http ops do: every address is checked before it is connected to, at each
 * redirect anew. Over https, except from hosts that the user's own settings list.
 */
import { deriveSignal, TimeoutError } from '../../base/time/derived-signal.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { inEnglish, text, type Text } from '../../protocol/text/text.ts';
import { isListedHost, type Resolve, resolveHost } from '../../machine/http/resolve-host.ts';
import { sendHttpRequest } from '../../machine/http/send.ts';
import { parseTargetUrl, resolveRedirect, type TargetUrl } from '../../machine/http/target-url.ts';
import { MAX_DOWNLOAD_REDIRECTS } from './limits.ts';

export interface Downloads {
	readonly allowedHosts: () => readonly string[];
	readonly resolve: Resolve;
	readonly timeoutMs: number;
}

interface DownloadRequest {
	readonly url: string;
	readonly maxBytes: number;
	/** Bytes that are known by their hash may come from anywhere; others only from the host that was named. */
	readonly mayChangeHost: boolean;
}

/** Rejects with DOWNLOAD_FAILED, whatever it was, unless it is the signal. */
export async function downloadFile(
	{ url, maxBytes, mayChangeHost }: DownloadRequest,
	{ allowedHosts, resolve, timeoutMs }: Downloads,
	signal: AbortSignal,
): Promise<Buffer> {
	const limited = deriveSignal(signal, { what: `the download of ${url}`, timeoutMs });
	try {
		let target = parseTargetUrl(url);
		for (let redirects = 0; ; redirects += 1) {
			refuseUnsafe(target, allowedHosts());
			const addresses = await resolveHost(target, allowedHosts(), resolve, limited.signal);
			const outgoing = { method: 'GET', target, addresses, headers: {}, body: undefined, maxBytes };
			const { status, headers, body } = await sendHttpRequest(outgoing, limited.signal);
			const { location } = headers;
			if ([301, 302, 303, 307, 308].includes(status) && location !== undefined) {
				const next = resolveRedirect(location, target);
				if (redirects === MAX_DOWNLOAD_REDIRECTS) {
					throw createDownloadError(url, text('more than {n} redirects', { n: MAX_DOWNLOAD_REDIRECTS }));
				}
				if (next.host !== target.host && !mayChangeHost) {
					throw createDownloadError(
						url,
						text('it redirects to {host}, another host than the one that was named', { host: next.host }),
					);
				}
				target = next;
				continue;
			}
			if (status !== 200) {
				throw createDownloadError(url, text('{host} answers with status {status}', { host: target.host, status }));
			}
			return body;
		}
	} catch (error) {
		signal.throwIfAborted();
		if (isProwessError(error) && error.code === 'DOWNLOAD_FAILED') {
			throw error;
		}
		if (isProwessError(error) || error instanceof TimeoutError) {
			throw createDownloadError(url, error.message, { cause: error.code }, error);
		}
		throw error;
	} finally {
		limited.dispose();
	}
}

/** A redirect to plain http is refused here as well. */
function refuseUnsafe(target: TargetUrl, allowed: readonly string[]): void {
	if (!target.isSecure && !isListedHost(target, allowed)) {
		throw createDownloadError(
			target.url.href,
			text('only https is accepted, except from hosts in prowess.http.allowHosts'),
		);
	}
}

function createDownloadError(
	url: string,
	why: string | Text,
	facts: Record<string, unknown> = {},
	cause?: unknown,
): ProwessError {
	return new ProwessError(
		'DOWNLOAD_FAILED',
		`cannot download ${url}: ${inEnglish(why)}`,
		{ url, ...facts, said: text('Cannot download {url}: {why}', { url, why }) },
		cause,
	);
}
