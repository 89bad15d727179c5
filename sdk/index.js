/** What the executor has made ready. Where nothing has, this says why, at the first use of it. */
const ready = globalThis[Symbol.for('prowess.sdk')] ?? absent();

export const { host, op, batch, progress, signal, log } = ready;
export const { http, sql, secrets, llm, shell, crypto, plist, fs, cookie, services } = ready;

function absent() {
	const refuse = (name) => {
		throw new Error(
			`@prowess/sdk: "${String(name)}" is there only while Prowess runs a capability; try it with: prowess capability run ./<folder>`,
		);
	};
	const use = (name) => new Proxy(() => {}, { get: () => refuse(name), apply: () => refuse(name) });
	const names = ['host', 'op', 'batch', 'progress', 'signal', 'log'];
	const topics = ['http', 'sql', 'secrets', 'llm', 'shell', 'crypto', 'plist', 'fs', 'cookie', 'services'];
	return Object.fromEntries([...names, ...topics].map((name) => [name, use(name)]));
}
