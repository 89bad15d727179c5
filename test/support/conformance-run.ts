/**
 * The client scenarios of the public conformance package of MCP, run by its own runner. The client under test is a host
 * of the product: it agrees to the server, signs in where that is wanted, lists the tools and calls each of them.
 */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { toErrorMessage } from '../../src/base/text/message-of.ts';
import { SecretsFile } from '../../src/cli/home/secrets-file.ts';
import { createSignIn } from '../../src/cli/ports/sign-in.ts';
import { httpSite } from './http-site.ts';
import { McpScene } from './mcp-scene.ts';
import { tempDir } from './temp-dir.ts';

const runner = join(
	createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'),
	'../dist/index.js',
);
const client = join(import.meta.dirname, '../fixtures/mcp/conformance-client.mjs');
/** Longest time of one scenario, on a machine that does much else. */
const SCENARIO_MS = 120_000;

/** Facts that the runner gives the client under test. */
interface RunnerWords {
	readonly url: string;
	readonly scenario: string;
	readonly context: { readonly client_id?: string; readonly client_secret?: string };
}

/** Verdicts of the runner by scenario: `passed`, or its line with the failed checks below it. */
export async function conformanceVerdicts(suite: string): Promise<ReadonlyMap<string, string>> {
	const home = tempDir('home');
	const browser = { err: (text: string) => void visitPage(/http\S+/.exec(text)?.[0] ?? '') };
	const scene = await McpScene.open(
		{},
		{
			home,
			// Consent is given in advance; a sign-in is never agreed to for always.
			answers: ({ title }) => ({ kind: title.startsWith('Sign in at') ? 'once' : 'always' }),
			signIn: createSignIn(new SecretsFile(home, 'sign-ins'), browser),
			settings: { 'prowess.http.allowHosts': ['localhost'] },
			// Leaves out each field of a form that may be left out.
			person: { answer: ({ options }) => Promise.resolve(options.includes('Skip') ? 'Skip' : 'Decline') },
		},
	);
	const site = await httpSite((request, response) => {
		const { url, scenario, context } = JSON.parse(request.body) as RunnerWords;
		const { client_id: clientId, client_secret: clientSecret } = context;
		const oauth = scenario === 'auth/pre-registration' ? { oauth: { clientId, clientSecret } } : {};
		useServer(scene, { type: 'http', url, ...oauth }, scenario.replaceAll('/', '.')).then(
			(said) => response.end(said),
			(error: unknown) => response.writeHead(500).end(toErrorMessage(error)),
		);
	});
	try {
		const command = `${process.execPath} ${client} http://127.0.0.1:${site.port}`;
		const args = [runner, 'client', '--suite', suite, '--verbose', '--timeout', String(SCENARIO_MS)];
		const { stdout } = await promisify(execFile)(process.execPath, [...args, '--command', command], {
			maxBuffer: 2 ** 26,
		}).catch((error: { readonly stdout: string }) => error);
		return readVerdicts(stripVTControlCharacters(stdout));
	} finally {
		await site.close();
		await scene.close();
	}
}

/** Reads the summary: a line for each scenario, and its failed checks indented below. */
function readVerdicts(stdout: string): ReadonlyMap<string, string> {
	const summary = stdout.split('=== SUITE SUMMARY ===')[1] ?? '';
	const verdicts = new Map<string, string>();
	let last = '';
	for (const line of summary.split('\n')) {
		const [, mark, scenario = '', said = ''] = /^([✓✗]) ([^:]+): (.*)$/.exec(line) ?? [];
		if (mark !== undefined) {
			last = scenario;
			verdicts.set(scenario, mark === '✓' ? 'passed' : said);
		} else if (/^ +- /.test(line)) {
			verdicts.set(last, `${verdicts.get(last)}\n${line}`);
		}
	}
	return verdicts;
}

/** Lists the tools of the server and calls each once. */
async function useServer(scene: McpScene, entry: object, name: string): Promise<string> {
	const servers = scene.host.ports.settings.current['prowess.mcp.servers'];
	scene.host.change({ 'prowess.mcp.servers': { ...servers, [name]: entry } });
	try {
		const said: string[] = [];
		for (const tool of await scene.tools(name)) said.push(`${tool}: ${await scene.call(name, tool, { a: 5, b: 3 })}`);
		return said.join('\n');
	} finally {
		await scene.base.mcp.stop(name);
	}
}

/** The authorization server of the runner agrees by itself and sends the browser back. */
async function visitPage(page: string): Promise<void> {
	await fetch(page);
}
