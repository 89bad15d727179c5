/** A private key of many lines as programs write it, which is none. */
const body = 'MIIEpAIBAAKCAQEA7bq0kzXq1';

export const privateKeyBody = body;
export const privateKey = [
	'-----BEGIN RSA PRIVATE KEY-----',
	...Array.from({ length: 25 }, (_, n) => `${body}${String(n).padStart(2, '0')}${'Zk9'.repeat(12)}`),
	'-----END RSA PRIVATE KEY-----',
	'',
].join('\n');
