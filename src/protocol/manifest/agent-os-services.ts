/** Services that the decorators of a skill for AgentOS name: `@provides(web_read)`. */

/**
 * Services of AgentOS that the host has itself, and that others do not answer here: keys, cookies and passwords stay in
 * it, and the user chooses which model answers.
 */
export const NOT_OFFERED: ReadonlySet<string> = new Set([
	'llm',
	'api_key',
	'cookie_auth',
	'login_credentials',
	'oauth_auth',
	'password',
]);

/** A decorator at the left margin, as tools have it. */
const PROVIDES = /^@(?:agentos\.)?provides[ \t]*\([ \t\r\n]*["']?([A-Za-z_]\w{0,99})\b/gm;

/** Services that the decorators of a module name, each as often as it is named. */
export function findProvidedServices(program: string): readonly string[] {
	if (!program.includes('@')) return [];
	const code = program.replaceAll(/("""|''')[\s\S]*?\1/g, '""');
	return [...code.matchAll(PROVIDES)].map(([, service = '']) => service);
}
