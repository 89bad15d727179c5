import assert from 'node:assert/strict';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { resolveCollector } from './collector-address.ts';

describe('The address of a collector', () => {
	const secrets: Readonly<Record<string, string>> = { key: 'k-123' };
	const secret = (name: string) => Promise.resolve(secrets[name] ?? '');
	const resolve = (endpoint: string, more: { headers?: Record<string, string>; environment?: object } = {}) =>
		resolveCollector(
			{ endpoint, headers: more.headers ?? {} },
			{ environment: (more.environment ?? {}) as Record<string, string>, secret },
		);

	it('is refused where it is none, holds a password or a query, or travels unencrypted beyond this machine and its network', async () => {
		for (const endpoint of [
			'collector',
			'ftp://localhost:4318',
			'http://collector.example',
			'https://user:pass@collector.example',
			'https://collector.example/?key=1',
			'environment',
		]) {
			await assert.rejects(
				() => resolve(endpoint),
				(error) => isProwessError(error) && error.code === 'INVALID_PARAMS',
				endpoint,
			);
		}
	});

	it('is taken with or without a slash at its end, and may have a path', async () => {
		for (const [endpoint, base] of [
			['http://localhost:4318', 'http://localhost:4318'],
			['http://10.0.0.7:4318/', 'http://10.0.0.7:4318'],
			['https://collector.example/otlp/', 'https://collector.example/otlp'],
		] as const) {
			assert.equal((await resolve(endpoint)).base, base);
		}
	});

	it('gets headers with secrets in place of their names', async () => {
		const { headers } = await resolve('https://collector.example', {
			headers: { Authorization: 'Bearer ${secret:key}', team: 'blue' },
		});
		assert.deepEqual(headers, { Authorization: 'Bearer k-123', team: 'blue' });
	});

	it('comes from the variables of OpenTelemetry only where the setting says so; headers that cannot be read are left out', async () => {
		const environment = {
			OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
			OTEL_EXPORTER_OTLP_HEADERS: 'Api-Key=a%20b==, odd header=1, alone, broken=%',
		};
		assert.deepEqual(await resolve('environment', { environment }), {
			base: 'http://localhost:4318',
			headers: { 'api-key': 'a b==', broken: '%' },
		});
		const named = await resolve('https://collector.example', { environment });
		assert.deepEqual(named, { base: 'https://collector.example', headers: {} });
	});
});
