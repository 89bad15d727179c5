/** Where a collector is: `prowess.telemetry`, and the variables of OpenTelemetry where the setting points to them. */
import { decodePercentOrSame } from '../../base/text/lenient.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { baseUrlFault } from '../../protocol/base-url.ts';
import { text } from '../../protocol/text/text.ts';
import type { Settings } from '../../protocol/settings/settings.ts';

export type TelemetrySetting = Settings['prowess.telemetry'];

export interface CollectorAddress {
	/** Without a slash at its end; the paths of traces and metrics follow it. */
	readonly base: string;
	readonly headers: Readonly<Record<string, string>>;
}

/** `secret` reads one of the user's secrets. */
interface AddressSource {
	readonly environment: Readonly<Record<string, string | undefined>>;
	secret(name: string): Promise<string>;
}

const SECRET_REFERENCE = /\$\{secret:(?<name>[^}]+)\}/g;

/**
 * Rejects with INVALID_PARAMS for an address that cannot be used, and with SECRET_NOT_FOUND. Source: OpenTelemetry, OTLP
 * exporter configuration, for `OTEL_EXPORTER_OTLP_ENDPOINT` and `OTEL_EXPORTER_OTLP_HEADERS`.
 */
export async function resolveCollector(
	{ endpoint, headers }: Pick<TelemetrySetting, 'endpoint' | 'headers'>,
	{ environment, secret }: AddressSource,
): Promise<CollectorAddress> {
	const isNamed = endpoint !== 'environment';
	const written = isNamed ? endpoint : (environment['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '');
	const base = URL.parse(written);
	if (base === null || baseUrlFault(base) !== undefined) {
		const where = isNamed ? 'prowess.telemetry' : 'OTEL_EXPORTER_OTLP_ENDPOINT';
		throw new ProwessError(
			'INVALID_PARAMS',
			`${where}: expected the base address of a collector, https or on this machine or its network, got "${written}"`,
			{
				where,
				said: text(
					'{where} is no address of a collector. Write its base address, such as http://localhost:4318; beyond this machine and its network it begins with https.',
					{ where },
				),
			},
		);
	}
	const given = isNamed ? {} : parseHeaders(environment['OTEL_EXPORTER_OTLP_HEADERS'] ?? '');
	const named = Object.entries(headers).map(async ([name, value]) => [name, await fillSecrets(value, secret)] as const);
	return {
		base: written.replace(/\/+$/, ''),
		headers: { ...given, ...Object.fromEntries(await Promise.all(named)) },
	};
}

/** `name=value` pairs with commas between them, values percent-encoded; what is none is left out. */
function parseHeaders(written: string): Record<string, string> {
	return Object.fromEntries(
		written.split(',').flatMap((pair) => {
			const [name = '', ...value] = pair.split('=');
			return /^[\w!#$%&'*+.^`|~-]+$/.test(name.trim()) && value.length > 0
				? [[name.trim().toLowerCase(), decodePercentOrSame(value.join('=').trim())] as const]
				: [];
		}),
	);
}

async function fillSecrets(value: string, secret: AddressSource['secret']): Promise<string> {
	let done = '';
	let from = 0;
	for (const match of value.matchAll(SECRET_REFERENCE)) {
		done += value.slice(from, match.index) + (await secret(match.groups?.['name'] ?? ''));
		from = match.index + match[0].length;
	}
	return done + value.slice(from);
}
