/**
 * A folder of skills for AgentOS, given as PROWESS_SKILLS=FOLDER: each is inspected, and those that a script here knows run
 * against servers on this machine that answer as theirs do. A name leads to this machine as in a hosts file; everything
 * else is the command line as users have it, and nothing is fetched.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import dns from 'node:dns/promises';
import { createServer, type Server } from 'node:https';
import { createServer as createPlainServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import tls from 'node:tls';
import { inspectFolder } from '../src/catalog/registry/reading/inspect-folder.ts';
import type { CapabilityExecutionResult } from '../src/protocol/execution/execution.ts';
import { User } from './integration/cli/cli-process.ts';
import { tempDir } from './support/temp-dir.ts';
import { workerSkills } from './support/worker-skills.ts';

interface ScriptedCall {
	readonly skill: string;
	readonly tool: string;
	readonly params: object;
	/** Name of the server; `localhost:PORT` is a plain one. */
	readonly host?: string;
	readonly answer?: unknown;
	/** Text that the result must hold. */
	readonly holds: RegExp;
	/** True for one that needs its key, in the secret `SKILL-api`. */
	readonly hasKey?: true;
	/** Another secret that it needs, with its value. */
	readonly secret?: readonly [name: string, value: string];
}

const calls: readonly ScriptedCall[] = [
	{
		...{ skill: 'hackernews', tool: 'search_posts', params: { query: 'x' }, host: 'hn.algolia.com' },
		...{ answer: { hits: [{ objectID: '1', title: 'A story', author: 'ann', points: 3 }] }, holds: /"A story"/ },
	},
	{
		...{ skill: 'reverse-engineering', tool: 'inspect_page', params: { url: 'https://page.example/' } },
		...{ host: 'page.example', answer: '<title>A page</title>', holds: /"A page"/ },
	},
	{
		...{ skill: 'spacex', tool: 'list_upcoming', params: {}, host: 'api.spacexdata.com' },
		...{ answer: [{ id: 'l1', name: 'A launch', date_utc: '2030-01-01T00:00:00Z' }], holds: /"A launch"/ },
	},
	{
		...{ skill: 'reddit', tool: 'search_posts', params: { query: 'x' }, host: 'www.reddit.com' },
		...{ answer: { data: { children: [{ data: { id: 'p', title: 'A post', author: 'ann' } }] } }, holds: /"A post"/ },
	},
	{
		...{ skill: 'firecrawl', tool: 'read_webpage', params: { url: 'https://a.example' }, host: 'api.firecrawl.dev' },
		...{ answer: { data: { markdown: '# A page', metadata: { title: 'A page' } } }, holds: /# A page/, hasKey: true },
	},
	{
		...{ skill: 'brave', tool: 'search', params: { query: 'x' }, host: 'api.search.brave.com' },
		...{
			answer: { web: { results: [{ title: 'A result', url: 'https://a.example' }] } },
			holds: /"A result"/,
			hasKey: true,
		},
	},
	{
		...{ skill: 'gandi', tool: 'list_domains', params: {}, host: 'api.gandi.net' },
		...{ answer: [{ fqdn: 'a.example', status: ['ok'] }], holds: /"a\.example"/, hasKey: true },
	},
	{
		...{ skill: 'linear', tool: 'get_teams', params: {}, host: 'api.linear.app' },
		...{
			answer: { data: { teams: { nodes: [{ id: 't', name: 'A team', key: 'A' }] } } },
			holds: /"A team"/,
			hasKey: true,
		},
	},
	{
		...{ skill: 'openrouter', tool: 'list_models', params: {}, host: 'openrouter.ai' },
		...{ answer: { data: [{ id: 'a/model', name: 'A model' }] }, holds: /"A model"/, hasKey: true },
	},
	{
		...{ skill: 'todoist', tool: 'list_projects', params: {}, host: 'api.todoist.com' },
		...{ answer: { results: [{ id: 'p', name: 'A project' }] }, holds: /"A project"/, hasKey: true },
	},
	{
		...{ skill: 'posthog', tool: 'get_projects', params: {}, host: 'us.posthog.com' },
		...{ answer: { results: [{ id: 1, name: 'A project' }] }, holds: /"A project"/, hasKey: true },
	},
	{
		...{ skill: 'moltbook', tool: 'list_posts', params: {}, host: 'www.moltbook.com' },
		...{ answer: { posts: [{ id: 'p', title: 'A post' }] }, holds: /"A post"/, hasKey: true },
	},
	{
		...{ skill: 'here-now', tool: 'list_websites', params: {}, host: 'here.now' },
		...{ answer: { publishes: [{ slug: 'a-site', status: 'active' }] }, holds: /a-site/, hasKey: true },
	},
	{
		...{ skill: 'exa', tool: 'search', params: { query: 'x' }, host: 'api.exa.ai' },
		...{
			answer: { results: [{ id: 'r', title: 'A result', url: 'https://a.example' }] },
			holds: /"A result"/,
			hasKey: true,
		},
	},
	{
		...{ skill: 'serpapi', tool: 'search_offers', host: 'serpapi.com' },
		params: { departure_id: 'AUS', arrival_id: 'JFK', outbound_date: '2030-01-01' },
		...{
			answer: { other_flights: [{ price: 99, flights: [{ airline: 'An airline' }] }] },
			holds: /An airline/,
			hasKey: true,
		},
	},
	{
		...{ skill: 'porkbun', tool: 'list_domains', params: {}, host: 'api.porkbun.com' },
		...{ answer: { domains: [{ domain: 'a.example', status: 'ACTIVE' }] }, holds: /"a\.example"/ },
		secret: ['porkbun-api', 'key-of-nobody:secret-of-nobody'],
	},
	{
		...{ skill: 'logo-dev', tool: 'ticker_url', params: { ticker: 'A' }, hasKey: true },
		holds: /ticker:A\?token=<redacted:[^>]+>&size=128/,
	},
	{
		...{ skill: 'austin-boulder-project', tool: 'get_my_bookings', params: {}, host: 'portal.api.prod.tilefive.com' },
		...{ answer: [{ id: 1, name: 'A class' }], holds: /"A class"/ },
		secret: ['login.approach.app', '{"email":"ann@example.org","idToken":"token-of-nobody"}'],
	},
	{
		...{ skill: 'ollama', tool: 'list_models', params: {}, host: 'localhost:11434' },
		...{ answer: { models: [{ name: 'a-model:1b' }], version: '1' }, holds: /a-model/ },
	},
	{ skill: 'git', tool: 'list_git_commits', params: { path: '.' }, holds: /A commit/ },
];

const folder = process.env['PROWESS_SKILLS'];

describe('soak: skills for AgentOS', function () {
	const closing: (() => void)[] = [];
	let user: User;
	const ran = new Map<string, string>();

	before(async function () {
		if (folder === undefined || workerSkills.some(({ lack }) => lack !== undefined)) {
			console.log('      skipped: set PROWESS_SKILLS to a folder of skills; it needs python3 and bubblewrap');
			this.skip();
		}
		const hosts = calls.flatMap(({ host = '' }) => (host === '' || host.includes(':') ? [] : [host]));
		await answerAs(hosts, closing);
		user = new User();
		user.sets({
			'prowess.http.allowHosts': [...hosts, 'localhost:11434'],
			'prowess.approvals.allow': calls.flatMap(({ skill, host, hasKey, secret }) => [
				...(host === undefined ? [] : [`http.get ${host}`, `http.request ${host}`]),
				...(hasKey === true ? [`http.request ${skill}-api@${host}`] : []),
				...(secret === undefined ? [] : [`http.request ${secret[0]}@${host}`]),
			]),
		});
		for (const args of [
			['init', '-q'],
			['commit', '-q', '--allow-empty', '-m', 'A commit'],
		]) {
			execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], {
				cwd: user.workspace,
			});
		}
	});
	after(() => closing.forEach((close) => close()));

	it('are loaded and list their tools, and those with a script run whole', async () => {
		const rows: string[][] = [];
		for (const path of await skillFolders(folder ?? '')) {
			const { manifest, problems, tools = [] } = await inspectFolder(path);
			const needs = problems.map(({ message }) => message).filter((each) => !each.startsWith('the folder is called'));
			const name = manifest?.name ?? basename(path);
			const call = calls.find(({ skill }) => skill === name);
			if (call !== undefined && manifest !== undefined) {
				cpSync(path, join(user.workspace, '.prowess/capabilities/skill', basename(path)), { recursive: true });
				ran.set(name, await runCall(user, call));
			}
			const lacks = needs.length === 0 ? 'no script for it here' : 'it needs what is not here';
			rows.push([
				name,
				manifest === undefined ? 'no' : 'yes',
				String(tools.length),
				ran.get(name) ?? lacks,
				needs.join('; '),
			]);
		}
		console.log(['name', 'loads', 'tools', 'ran', 'needs'].join(' | '));
		for (const row of rows) console.log(row.join(' | '));
		const whole = [...ran.values()].filter((each) => each === 'whole').length;
		const listed = rows.filter(([, loads, tools]) => loads === 'yes' && tools !== '0').length;
		console.log(`${rows.length} skills, ${listed} list their tools, ${whole} ran whole`);
		assert.ok(whole === ran.size && rows.length > 0);
	});
});

async function runCall(user: User, { skill, tool, params, hasKey, secret, holds }: ScriptedCall): Promise<string> {
	if (hasKey === true) await user.runs(['secrets', 'set', `${skill}-api`], { input: 'key-of-nobody' });
	if (secret !== undefined) await user.runs(['secrets', 'set', secret[0]], { input: secret[1] });
	const { stdout, stderr } = await user.runs([
		...['capability', 'run', skill, '--tool', tool, '--params', JSON.stringify(params)],
		...['--trust', '--approve', 'full', '--json'],
	]);
	const { result, error } = JSON.parse(stdout === '' ? '{}' : stdout) as Partial<CapabilityExecutionResult>;
	return holds.test(JSON.stringify(result) ?? '')
		? 'whole'
		: `not: ${error?.message ?? `${JSON.stringify(result)} ${stderr}`}`;
}

/** Folders with a readme.md, in a folder or in folders of it. */
async function skillFolders(root: string): Promise<string[]> {
	const found: string[] = [];
	for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
		if (entry.name === 'readme.md' && entry.isFile() && entry.parentPath !== root) found.push(entry.parentPath);
	}
	return found.sort();
}

/** Servers for these names, with a certificate that this process takes. */
async function answerAs(hosts: readonly string[], closing: (() => void)[]): Promise<void> {
	const at = tempDir('certificate');
	const [key, cert] = [join(at, 'key.pem'), join(at, 'cert.pem')];
	const names = `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}`;
	const request = [
		'req',
		'-x509',
		'-newkey',
		'rsa:2048',
		'-nodes',
		'-days',
		'1',
		'-subj',
		'/CN=soak',
		'-addext',
		names,
	];
	execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' });
	assert.ok(existsSync(cert));
	tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(cert, 'utf8')]);
	const { lookup } = dns;
	dns.lookup = ((name: string, options: object) =>
		hosts.includes(name)
			? Promise.resolve([{ address: '127.0.0.1', family: 4 }])
			: lookup(name, options)) as unknown as typeof dns.lookup;
	syncBuiltinESMExports();
	const answer = (host: string) => JSON.stringify(calls.find((each) => each.host === host)?.answer ?? {});
	const secure = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (asked, response) => {
		response.setHeader('content-type', 'application/json').end(answer(asked.headers.host ?? ''));
	});
	const plain = createPlainServer((asked, response) => {
		response.setHeader('content-type', 'application/json').end(answer(asked.headers.host ?? ''));
	});
	await Promise.all([listens(secure, 443), listens(plain as unknown as Server, 11_434)]);
	closing.push(
		() => secure.close(),
		() => plain.close(),
		() => {
			dns.lookup = lookup;
			syncBuiltinESMExports();
		},
	);
}

function listens(server: Server, port: number): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	});
}
