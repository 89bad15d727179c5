/** Skills as AgentOS has them, a readme.md and a Python module of any name, in real workers: what their names of the SDK come to. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PerformOp } from '../../../src/contract/ops/perform-op.ts';
import { inspectFolder } from '../../../src/catalog/registry/reading/inspect-folder.ts';
import { ExecutionScene } from '../../support/execution-scene.ts';
import { workerSandbox, workerSkills } from '../../support/worker-skills.ts';

const lack = workerSkills.find(({ runtime }) => runtime === 'python-worker')?.lack;
const FRONT =
	'---\nid: weather\nname: Weather\ndescription: Looks up\nservices: [http]\ncapabilities: [sql]\n---\n# Weather\n';
const PROGRAM = `from __future__ import annotations
import asyncio, json, sys
from agentos import (
    claims, client, clean_html, connection, credentials, iso_from_ms, llm, molt, normalize_email, oauth, parse_date, parse_int,
    provides, returns, shell, skill_error, skill_secret, sql, test, timeout, url, web_read, weather_lookup)
from agentos.macos import keychain
from agentos.tools import llm as model

connection('api', base_url='https://wx.example.org/v1', auth={'type': 'api_key', 'header': {'Authorization': '"Bearer " + .auth.key'}})
connection('plain', auth={'type': 'api_key', 'header': {'X-Key': '.auth.key'}}, optional=True)
connection('query', base_url='https://q.example', auth={'type': 'api_key', 'query': {'api_key': '.auth.key'}})
connection('body', base_url='https://b.example', auth={'type': 'api_key', 'body': {'k': '.auth.key | split(":") | .[0]', 'l': '.auth.key|split(":")|.[1]'}})
connection('odd', auth={'type': 'api_key', 'body': {'k': '.auth.key | ascii_downcase'}})
connection('kept', domain='.gym.example', auth={'type': 'api_key', 'account': {'login': 'keeps'}})
connection('site', auth={'type': 'cookies', 'domain': '.example.org'})
connection('nosite', base_url='https://none.example', auth={'type': 'cookies', 'domain': '.none.example'})
connection('account', auth={'type': 'oauth', 'service': 'example'})
connection(name='local', base_url ='http://wx.example.org', vars={'unit': 'C'})
connection('db', sqlite='data.db')
connection('home', sqlite='~/Library/W/w.db')

def _head(params):
    return {"Authorization": f"Bearer {params.get('auth', {}).get('key', '')}"}

@test(params={'city': 'Bern',
              'days': 2})
@returns("day[]")
@provides(weather_lookup, urls=["wx.example.org/*"])
@connection("api")
@timeout(15)
async def today(*, city: str, days: int = 1, auth: dict = None, **params) -> list[dict]:
    """Looks up a city."""
    answer = await client.get("https://wx.example.org/v1/today", params={"q": city, "n": days, "x": None, "b": True})
    return [answer["json"], answer["ok"], answer["content_type"]]

@test.skip(reason='it writes')
@returns({"ok": "boolean", "url": "string"})
@claims("primary_user")
@connection("api")
async def add(*, city: str, **params) -> dict:
    answer = await client.post("https://wx.example.org/v1/add", json={"city": city}, headers=_head(params), http2=False)
    return answer["json"]

@connection("plain")
async def plain(**params):
    return (await client.get("https://wx.example.org/", headers={"X-Key": params["auth"]["key"]}))["json"]

@connection("api")
async def below(**params):
    return (await client.delete("/days"))["json"]

@connection("api")
async def told(**params):
    return {"link": "https://wx.example.org/?key=" + params["auth"]["key"]}

@connection("api")
async def asked(**params):
    return (await client.get("https://wx.example.org/", params={"key": params["auth"]["key"]}))["json"]

@connection("api")
async def path(**params):
    return await client.get("https://wx.example.org/" + params["auth"]["key"])

@connection("query")
async def query(**params):
    return [(await client.get(*each))["json"] for each in (
        ["https://q.example/a?apiKey=%s&b=1#c" % params["auth"]["key"]], ["/a?b=1"], ["https://other.example/"])]

@connection("body")
async def body(**params):
    first, second = params["auth"]["key"].split(":", 1)
    return [(await client.post(*each, **more))["json"] for each, more in (
        (["https://b.example/a"], {"json": {"k": first, "n": 1, "l": second}}), (["/a"], {"json": {"n": 1}}),
        (["/a"], {"data": {"m": second}}), (["https://other.example/"], {"json": {"n": 1}}))]

@connection("body")
async def within(**params):
    return await client.post("/a", json={"deep": [params["auth"]["key"]]})

@connection("odd")
async def odd(**params): pass

@connection("kept")
async def session(**params):
    auth = params.get("auth") or {}
    if not auth.get("idToken"):
        return None
    headers = {"Authorization": auth.get("idToken"), "X-Again": "~~secret.other~two~~"}
    return [(await client.post("https://gym.example/", headers=headers, json={"AccessToken": auth["access"]}))["json"], auth.get("email")]

@connection("site")
async def site(**params):
    answer = await client.get("https://example.org/")
    return [answer["json"], client.cookie("sid"), [[c.name, c.domain, c.value] for c in client.current().jar.cookies]]

@connection("nosite")
async def nowhere(**params):
    return (await client.get("https://none.example/x"))["json"]

@connection("nosite")
async def elsewhere(**params):
    return (await client.get("https://other.example/"))["json"]

@connection("account")
async def account(**params): pass

@connection(["local", "api"])
async def where(connection: dict = None):
    return [connection["name"], connection.get("base_url"), connection.get("vars"), "auth" in connection]

@connection("db")
async def rows():
    return await sql.query("select 1", params={"a": 1})

@connection("home")
async def home():
    return await sql.query("select 1")

async def form():
    return (await client.put("https://wx.example.org/", data={"a": "b c"}, timeout=5))["json"]

async def runs():
    return await shell.run("git", args=["status"], timeout=3)

async def finds():
    return await shell.run("nosuch")

async def fails():
    return skill_error("no city", code="NoCity", known=["Bern"])

async def reads():
    return await keychain.read(service="x")

async def stores():
    return await credentials.retrieve(domain="x", required=["email"])

async def keeps():
    return {"__secrets__": [
        skill_secret(domain="wx.example.org", identifier="ann", item_type="api_key", value={"key": "a-long-key"}),
        {"domain": ".example.org", "itemType": "cookie", "value": {"sid": "s-1", "theme": "dark"}},
        skill_secret(domain=".gym.example", item_type="login_credentials", value={"email": "a@b.c"}),
    ], "__cookie_delta__": {}, "__result__": {"status": "in"}}

async def renews():
    return await oauth.exchange(token_url="https://auth.example/token", refresh_token="r", client_id="c")

async def asks():
    return (await llm.oneshot(prompt="Hi", system="Be kind", model="opus"))["content"]

@timeout(0.3)
async def slow():
    await asyncio.sleep(1_000)

async def exits():
    for number in range(300):
        print("line %d" % number)
    print("no config: set WX_HOME", file=sys.stderr)
    sys.exit(3)

async def says():
    sys.exit("no config")

async def packages():
    try:
        import lxml.html
    except ImportError:
        raise ImportError('lxml is required: brew install it')

async def helps():
    parsed = url.parse("https://a.example.co.uk:8/x?q=1&q=2#f")
    return [
        url.build("https://a/?x=1", params={"q": "a b"}), url.encode("a/b"), url.decode("a%2Fb"), parsed.host, parsed.port,
        parsed.query, url.same_site("a.example.co.uk", "example.co.uk"), molt("  a \\n b "), molt(" "), parse_int("1,234 ratings"),
        parse_int("2.5K"), parse_int("none"), normalize_email(" A@B.c "), parse_date("March 4, 2024"), parse_date("soon"),
        iso_from_ms(0), clean_html("a<br/><b>b</b> &amp; c"),
    ]
`;
const own = (secret: string, more: object) => ({ secret: `weather-${secret}`, ...more });

describe('A skill for AgentOS', function () {
	this.timeout(30_000);
	let scene: ExecutionScene;
	const kept: (readonly [name: string, value: string])[] = [];
	const answers: PerformOp = ({ opId, op, params }) => {
		const done = (result: unknown) =>
			Promise.resolve({
				status: 'done' as const,
				opId,
				result,
				durationMs: 0,
				receipt: { writer: 'test', seq: 1, hash: '' },
			});
		const failed = (code: 'COMMAND_NOT_FOUND' | 'SECRET_NOT_FOUND') =>
			Promise.resolve({ status: 'failed' as const, opId, error: { code, message: code, facts: {} }, durationMs: 0 });
		const given = params as { readonly argv?: readonly string[]; readonly auth?: { readonly secret?: string } };
		if (op === 'sql.query')
			return done({ columns: ['op', 'a'], rows: [[JSON.stringify(params), 1]], truncated: false });
		if (op === 'shell.run' && given.argv?.[0] === 'nosuch') return failed('COMMAND_NOT_FOUND');
		if (op === 'shell.run') return done({ exitCode: 1, output: JSON.stringify(params), omitted: 0, timedOut: false });
		if (op === 'llm.oneshot') return done({ text: JSON.stringify(params) });
		const { url = '', name = '' } = params as { readonly url?: string; readonly name?: string };
		if (op === 'cookie.resolve') {
			return url === 'https://none.example' ? failed('SECRET_NOT_FOUND') : done({ names: ['sid'] });
		}
		if (op === 'secrets.read') return failed('SECRET_NOT_FOUND');
		if (op === 'secrets.write') {
			kept.push([name, (params as { readonly value?: string }).value ?? '']);
			return done({ name, isReplaced: false });
		}
		if (url === 'https://auth.example/token') {
			return done({ url, status: 200, headers: {}, body: '{"access_token":"short"}', encoding: 'text' });
		}
		if (given.auth?.secret === 'weather-plain') return failed('SECRET_NOT_FOUND');
		const headers = { 'content-type': 'application/json' };
		return done({ url: '', status: 200, headers, body: JSON.stringify(params), encoding: 'text' });
	};
	/** Puts the files into the folder, and no others. */
	const made = (files: Readonly<Record<string, string>>) => {
		kept.length = 0;
		scene = new ExecutionScene({ executor: 'second-result', sandbox: workerSandbox, perform: answers });
		for (const name of ['capability.yaml', 'index.ts']) rmSync(join(scene.folder, name));
		for (const [path, text] of Object.entries(files)) scene.writes(path, text);
		return scene.folder;
	};
	const inspect = async (files: Readonly<Record<string, string>>) => {
		const { manifest, problems, tools = [] } = await inspectFolder(made(files));
		return { manifest, said: problems.map(({ severity, message }) => `${severity}: ${message}`), tools };
	};
	afterEach(() => scene.close());

	it('is loaded with its only module, whatever that is called, and says what it needs before it runs', async () => {
		const { manifest, said, tools } = await inspect({
			'readme.md': `\uFEFF${FRONT.replaceAll('\n', '\r\n')}`,
			'get-weather 2.py': `\uFEFF${PROGRAM.replaceAll('\n', '\r\n')}`,
			'test_weather.py': '',
			'__init__.py': '',
		});
		assert.deepEqual(
			[manifest?.name, manifest !== undefined && 'permissions' in manifest && manifest.permissions, tools.length],
			['weather', ['database', 'http'], 33],
		);
		assert.deepEqual(manifest !== undefined && 'provides' in manifest && manifest.provides, ['weather_lookup']);
		const [today, add] = tools;
		assert.deepEqual(today, {
			name: 'today',
			description: 'Looks up a city. Returns day[]. Provides weather_lookup.',
			inputs: [
				{ name: 'city', type: 'string', required: true },
				{ name: 'days', type: 'number', required: false },
			],
			takesMore: true,
			services: [{ name: 'weather_lookup', urls: ['wx.example.org/*'] }],
			timeoutMs: 15_000,
			test: { params: "{'city': 'Bern', 'days': 2}" },
		});
		assert.deepEqual([add?.description, add?.test], ['Returns ok, url.', { skipped: 'it writes' }]);
		assert.deepEqual(said, [
			'warning: the folder is called "test"; the name in the file counts',
			'warning: it needs the Python package "lxml", installed for the python3 that runs workers',
			'warning: a part of its tools needs macOS: agentos.macos, Library',
			'warning: a part of its tools stores or reads secrets, for which "secrets" must be listed under capabilities in readme.md',
			'warning: the connection api needs a key: store it as the secret weather-api',
			'warning: the connection plain may use a key: the secret weather-plain',
			'warning: the connection query needs a key: store it as the secret weather-query',
			'warning: the connection body needs a key of 2 parts: store it with colons between them as the secret weather-body',
			'warning: the connection odd needs a session, or a key that it puts together; neither is available here',
			'warning: the connection kept needs a login at gym.example: the skill keeps it as the secret login.gym.example',
			'warning: the connection site needs cookies of example.org: store them as the secret cookie.example.org',
			'warning: the connection nosite needs cookies of none.example: store them as the secret cookie.none.example',
			'warning: the connection account needs a sign-in over OAuth, which is not available here',
			'warning: the connection home needs the database ~/Library/W/w.db, and only those of the workspace can be read',
		]);
	});

	it('has the tools of all its modules, each with the connections of all, and its needs are theirs', async function () {
		const modules = {
			'readme.md': FRONT,
			'a.py': `from agentos import connection, client\nconnection('api', base_url='https://wx.example.org/v1', auth={'type': 'api_key', 'header': {'X-Key': '.auth.key'}})\nasync def one():\n\treturn 'a'\n`,
			'b-b.py': `from agentos import connection, client\n@connection('api')\nasync def two(**params):\n\treturn (await client.get('/two'))['json']\nasync def one():\n\treturn 'b'\n`,
			'broken.py': `import lxml_of_nobody\nasync def three():\n\treturn 3\n`,
			'test_a.py': 'async def tested(): pass\n',
		};
		const { tools, said } = await inspect(modules);
		assert.deepEqual(
			tools.map(({ name, program }) => [name, program]),
			[
				['one', undefined],
				['two', 'b-b.py'],
				['three', 'broken.py'],
			],
		);
		assert.match(said.join(), /the Python package "lxml_of_nobody".*the connection api needs a key/);
		await scene.close();
		if (lack !== undefined) this.skip();
		made(modules);
		const run = async (tool: string) => {
			const signal = new AbortController().signal;
			const start = {
				capability: { name: 'weather' },
				caller: { kind: 'user', threadId: null },
				params: {},
				tool,
			} as const;
			const { result, error } = await scene.manager.wait((await scene.manager.start(start, signal)).executionId);
			return error?.message ?? result;
		};
		assert.equal(await run('one'), 'a');
		assert.deepEqual(await run('two'), {
			...{ url: 'https://wx.example.org/v1/two', method: 'GET', headers: {} },
			auth: own('api', { scheme: 'header', name: 'X-Key' }),
		});
		assert.match(String(await run('three')), /lxml_of_nobody/);
		await scene.close();
	});

	it('has the program that is called skill.py alone where there is one', async () => {
		const chosen = await inspect({ 'readme.md': FRONT, 'b.py': '', 'skill.py': 'async def a(): pass\n' });
		assert.deepEqual(
			chosen.tools.map(({ name }) => name),
			['a'],
		);
		await scene.close();
		const bare = await inspect({ 'readme.md': '# Notes\n', 'a.py': 'async def a(): pass\n' });
		assert.deepEqual([bare.manifest?.name, bare.tools.length], ['test', 1]);
		assert.match(bare.said.join(), /there is no front matter, so it has no permissions/);
	});

	it('reaches the ops of the host by the names of AgentOS, and no key', async function () {
		if (lack !== undefined) this.skip();
		made({ 'readme.md': FRONT, 'get-weather.py': PROGRAM });
		const run = async (tool: string, params: unknown = {}) => {
			const started = await scene.manager.start(
				{ capability: { name: 'weather' }, caller: { kind: 'user', threadId: null }, params, tool },
				new AbortController().signal,
			);
			const { result, error } = await scene.manager.wait(started.executionId);
			return (
				error?.message
					.replace('this skill for AgentOS needs ', '')
					.replace('; that is not available here (NOT_AVAILABLE_HERE)', '') ?? result
			);
		};
		const to = (path: string, more: object) => ({ url: `https://wx.example.org/${path}`, ...more });
		const lacksPlace =
			'a key in the path or within the body of a request, not in a header, a parameter of its address or a field of its body';
		const bearer = own('api', { scheme: 'bearer' });
		const json = { 'content-type': 'application/json' };
		const table: readonly (readonly [tool: string, params: object, expected: unknown])[] = [
			[
				'today',
				{ city: 'Bern', auth: { key: 'forged' } },
				[to('v1/today?q=Bern&n=1&b=true', { method: 'GET', headers: {}, auth: bearer }), true, 'application/json'],
			],
			[
				'add',
				{ city: 'Bern' },
				to('v1/add', { method: 'POST', headers: json, body: '{"city": "Bern"}', auth: bearer }),
			],
			['plain', {}, to('', { method: 'GET', headers: {} })],
			['below', {}, to('v1/days', { method: 'DELETE', headers: {}, auth: bearer })],
			['told', {}, { link: 'https://wx.example.org/?key=<redacted:secret weather-api>' }],
			['asked', {}, to('', { method: 'GET', headers: {}, auth: own('api', { scheme: 'query', name: 'key' }) })],
			['path', {}, lacksPlace],
			['within', {}, lacksPlace],
			[
				'query',
				{},
				[
					...['https://q.example/a?b=1#c', 'https://q.example/a?b=1'].map((url) => ({
						...{ url, method: 'GET', headers: {} },
						auth: own('query', { scheme: 'query', name: 'api_key' }),
					})),
					{ url: 'https://other.example/' },
				],
			],
			[
				'body',
				{},
				[
					...['{"n": 1}', '{"n": 1}'].map((body) => ({
						...{ url: 'https://b.example/a', method: 'POST', headers: json, body },
						auth: own('body', { part: '1', scheme: 'body', name: 'k' }),
						moreAuth: [own('body', { part: '2', scheme: 'body', name: 'l' })],
					})),
					{
						...{ url: 'https://b.example/a', method: 'POST', body: '' },
						headers: { 'content-type': 'application/x-www-form-urlencoded' },
						auth: own('body', { part: '2', scheme: 'body', name: 'm' }),
					},
					{ url: 'https://other.example/', method: 'POST', headers: json, body: '{"n": 1}' },
				],
			],
			['odd', {}, 'the connection odd: a key that is put together with something else'],
			[
				'session',
				{},
				[
					{
						...{ url: 'https://gym.example/', method: 'POST', headers: json, body: '{}' },
						auth: { secret: 'login.gym.example', part: 'access', scheme: 'body', name: 'AccessToken' },
						moreAuth: [
							{ secret: 'login.gym.example', part: 'idToken', scheme: 'header', name: 'Authorization' },
							{ secret: 'other', part: 'two', scheme: 'header', name: 'X-Again' },
						],
					},
					'<redacted:secret login.gym.example>',
				],
			],
			['site', {}, [{ url: 'https://example.org/' }, null, [['sid', 'example.org', null]]]],
			['nowhere', {}, 'SECRET_NOT_FOUND (SECRET_NOT_FOUND)'],
			['elsewhere', {}, { url: 'https://other.example/' }],
			['account', {}, 'the connection account: a sign-in with example'],
			['where', {}, ['local', 'http://wx.example.org', { unit: 'C' }, false]],
			['where', { connection: 'api' }, ['api', 'https://wx.example.org/v1', null, false]],
			['rows', {}, [{ op: '{"path":"data.db","sql":"select 1","params":{"a":1},"limit":10000}', a: 1 }]],
			['home', {}, 'the database ~/Library/W/w.db, outside of the workspace'],
			[
				'form',
				{},
				to('', { method: 'PUT', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b+c' }),
			],
			[
				'runs',
				{},
				{
					exit_code: 1,
					stdout: '{"argv":["git","status"],"timeoutMs":3000}',
					stderr: '{"argv":["git","status"],"timeoutMs":3000}',
					timed_out: false,
				},
			],
			['finds', {}, 'the program nosuch'],
			['fails', {}, { error: 'no city', code: 'NoCity', known: ['Bern'] }],
			['reads', {}, 'macos.keychain.read of the AgentOS SDK'],
			['stores', {}, { found: false }],
			['keeps', {}, { status: 'in' }],
			['renews', {}, { access_token: 'short' }],
			['asks', {}, '{"prompt":"Be kind\\n\\nHi"}'],
			[
				'helps',
				{},
				[
					'https://a/?x=1&q=a+b',
					'a%2Fb',
					'a/b',
					'a.example.co.uk',
					8,
					{ q: '2' },
					true,
					'a b',
					null,
					1234,
					2500,
					null,
					'a@b.c',
					'2024-03-04',
					null,
					'1970-01-01T00:00:00+00:00',
					'a\nb & c',
				],
			],
		];
		const got = await Promise.all(table.map(([tool, params]) => run(tool, params)));
		assert.deepEqual(
			got,
			table.map(([, , expected]) => expected),
		);
		assert.match(
			String(await run('packages')),
			/^it needs the Python package "lxml", which \S+python3\S* does not have$/,
		);
		assert.match(String(await run('slow')), /300 ms/);
		const ended = String(await run('exits'));
		assert.match(
			ended,
			/^get-weather\.py:\d+: SystemExit: 3; it wrote last: line [1-9]\d*\n.*no config: set WX_HOME$/s,
		);
		assert.ok(ended.length < 2_500, ended);
		assert.match(String(await run('says')), /^get-weather\.py:\d+: SystemExit: no config$/);
		assert.deepEqual(kept, [
			['weather-api', 'a-long-key'],
			['cookie.example.org', 'sid=s-1; theme=dark'],
			['login.gym.example', '{"email": "a@b.c"}'],
		]);
	});
});
