/** Services that capabilities ask of each other, and the tools they have described to them: real executor processes for both sides. */
import assert from 'node:assert/strict';
import { CapabilityScene, skill } from '../../support/capability-scene.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { workerSkills } from '../../support/worker-skills.ts';

interface Asked {
	readonly op: string;
	readonly params: Readonly<Record<string, unknown>>;
}
interface Failed {
	readonly code: string;
	readonly message: string;
}
interface Listed {
	readonly providers: readonly { readonly app_id: string; readonly cred_state: string }[];
}
interface Described {
	readonly name: string;
	readonly input_schema: { readonly required?: readonly string[] };
}

const EACH = `const ended = [];
for (const { op: name, params: given } of params.all) ended.push(await op(name, given).catch(failure));
return ended;`;
const PROVIDER = `if (params.q === 'fail') throw new Error('out of order');
const { code } = await host.fs.list({}).catch(failure);
return params.q === undefined ? 'here' : { found: params.q, code };`;

describe('A service that a capability asks for', function () {
	this.timeout(60_000);
	let scene: CapabilityScene;
	beforeEach(async () => {
		scene = await CapabilityScene.open({ settings: { 'prowess.tools.bubblewrapPath': bubblewrap ?? '' } });
	});
	afterEach(() => scene.close());

	function provides(name: string, code = PROVIDER, permissions: readonly string[] = [], more = ''): void {
		const files = skill(code, permissions);
		const manifest = (files['capability.yaml'] ?? '').replace('name: asks', `name: ${name}`);
		const given = more === '' ? 'inputs: [{ name: q, type: string }]\n' : more;
		scene.capability('skill', name, { ...files, 'capability.yaml': `${manifest}provides: [web_search]\n${given}` });
	}

	/** In one run, one after the other. */
	async function asks(all: readonly Asked[], permissions = ['capabilities'], more = ''): Promise<unknown[]> {
		const files = skill(EACH, permissions, 'CONTROLLED');
		scene.capability('skill', 'asks', { ...files, 'capability.yaml': `${files['capability.yaml']}${more}` });
		const { success, result, error } = await scene.run('asks', { all });
		assert.ok(success, error?.message);
		return result as unknown[];
	}
	const call = (params: Asked['params']) => ({ op: 'services.call', params });
	const search = { name: 'web_search' };
	const list = { op: 'services.list_providers', params: search };
	const describeTools = (...tools: string[]) => ({ op: 'llm.resolve_tools', params: { tools } });

	it('is answered by its provider as it is, with no more rights than the one who asks, or refused by name', async () => {
		provides('finds', PROVIDER, ['workspace.read']);
		const asked = [
			call({ ...search, params: { q: 'a' } }),
			call(search),
			call({ ...search, params: { q: 'fail' } }),
			call({ ...search, verb: 'other' }),
			call({ name: 'weather' }),
			call({ ...search, app: 'nobody' }),
			call({ name: 'weather', app: 'finds' }),
			call({ name: 'llm' }),
		];
		const [found, here, ...failed] = await asks(asked);
		assert.deepEqual([found, here], [{ found: 'a', code: 'DENIED_BY_RULE' }, 'here']);
		for (const [at, expected] of [
			/^EXECUTION_FAILED: skill\/finds, for the service web_search: out of order/,
			/^INVALID_REQUEST: .*tool/,
			/^CAPABILITY_NOT_FOUND: no capability provides weather\. .*`provides: \[weather\]`/,
			/^CAPABILITY_NOT_FOUND: .*nobody/,
			/^INVALID_REQUEST: finds does not provide weather/,
			/^INVALID_PARAMS: .*llm\.chat and llm\.oneshot/,
		].entries()) {
			const { code, message } = failed[at] as Failed;
			assert.match(`${code}: ${message}`, expected);
		}
		const rows = await scene.rows('services.call');
		assert.deepEqual(
			rows.slice(0, 2).map(({ kind, input, trigger }) => [kind, input, trigger.split(' ')[0]]),
			['intent', 'outcome'].map((kind) => [kind, 'Ask for the service web_search', 'skill/asks:services.call']),
		);
		const runs = (await scene.rows('capability.run')).filter(
			({ input }) => input?.startsWith('Run skill finds') === true,
		);
		assert.ok(runs.some(({ trigger }) => trigger.startsWith('skill/asks:')));
	});

	it('is that of the provider named, else of the one used here last, and never of the one who asks', async () => {
		for (const name of ['first', 'second']) provides(name, `return '${name}';`);
		provides('hidden', 'return 1;', [], 'modelInvocable: false\n');
		provides(
			'keyed',
			'return 1;',
			['secrets'],
			'inputs: [{ name: key, type: string, format: secret, default: EXA }]\n',
		);
		const [listed, chosen, named] = await asks(
			[list, call(search), call({ ...search, app: 'skill/second' })],
			['capabilities'],
			'provides: [web_search]\n',
		);
		assert.deepEqual(
			(listed as Listed).providers.map((each) => `${each.app_id} ${each.cred_state}`),
			['skill/first not_required', 'skill/keyed missing', 'skill/second not_required'],
		);
		assert.deepEqual([chosen, named], ['first', 'second']);
		await scene.run('second');
		await scene.host.ports.secrets.set('EXA', 'a-stored-value');
		const [again, last] = await asks([list, call(search)]);
		assert.deepEqual(
			(again as Listed).providers.map((each) => `${each.app_id} ${each.cred_state}`),
			['skill/second not_required', 'skill/first not_required', 'skill/keyed present'],
		);
		assert.equal(last, 'second');
	});

	it('is answered by the tool of a skill for AgentOS whose decorator names it, for its addresses alone', async function () {
		const reads = (name: string, marks: string, more = '') => {
			scene.capability('skill', name, {
				'readme.md': `---\nid: ${name}\ndescription: Reads\n---\n`,
				[`${name}-of.py`]: `from agentos import password, provides, returns, web_read\n@returns("page")\n@provides(${marks})\nasync def reads(*, url: str):\n    return ["${name}", url]\nasync def other():\n    return 1\n${more}`,
			});
		};
		reads('any', 'web_read', '@provides(password)\nasync def tells():\n    return "secret"\n');
		reads('posts', 'web_read, urls=["posts.example/*/comments/*", "p.example"]');
		const read = { name: 'web_read' };
		const page = (url: string, more = {}) => call({ ...read, params: { url }, ...more });
		const [listed, ...answers] = await asks([
			{ op: 'services.list_providers', params: read },
			page('https://www.posts.example/r/1/comments/2'),
			page('https://posts.example/r/1'),
			page('https://posts.example/r/1', { app: 'posts' }),
			call({ name: 'password' }),
		]);
		const none = 'not_required';
		assert.deepEqual((listed as Listed).providers, [
			{ app_id: 'skill/any', via: 'reads', cred_state: none },
			{ app_id: 'skill/posts', via: 'reads', urls: ['posts.example/*/comments/*', 'p.example'], cred_state: none },
		]);
		const said = (each: unknown) => `${(each as Failed).code}: ${(each as Failed).message}`;
		assert.match(
			said(answers[2]),
			/^INVALID_REQUEST: posts provides web_read only for posts\.example\/\*\/comments\/\*, p\.example/,
		);
		assert.match(said(answers[3]), /^CAPABILITY_NOT_FOUND: no capability provides password/);
		if (workerSkills.some(({ lack }) => lack !== undefined)) this.skip();
		assert.deepEqual(answers.slice(0, 2), [
			['posts', 'https://www.posts.example/r/1/comments/2'],
			['any', 'https://posts.example/r/1'],
		]);
	});

	it('and the tools of the host and of capabilities are described in the form of models, in order', async () => {
		scene.capability('skill', 'weather', {
			'capability.yaml': 'name: weather\ntype: skill\nversion: 1.0.0\nruntime: node-worker\n',
			'index.js':
				'/**\n * Looks it up.\n * @param {string} city - its name\n */\nexport async function today({ city }) { return city; }\n',
		});
		const [described, ...failed] = await asks(
			[
				describeTools('weather.today', 'fs.read', 'skill/weather.today', 'search_text'),
				...['weather.tomorrow', 'no.such', 'nothing', 'shell.run'].map((each) => describeTools(each)),
			],
			['llm', 'capabilities', 'workspace.read'],
		);
		const { tools } = described as { tools: Described[] };
		assert.deepEqual(
			tools.map(({ name, input_schema: { required } }) => [name, required]),
			[
				['weather.today', ['city']],
				['fs_read', ['path']],
				['skill/weather.today', ['city']],
				['search_text', ['query']],
			],
		);
		assert.doesNotMatch(JSON.stringify(tools), /notForModels|additionalProperties|caseSensitive/);
		const [foreign] = await asks([describeTools('weather.today')], ['llm']);
		assert.deepEqual(
			[...failed, foreign].map((each) => (each as Failed).code),
			['INVALID_PARAMS', 'CAPABILITY_NOT_FOUND', 'INVALID_PARAMS', 'DENIED_BY_RULE', 'DENIED_BY_RULE'],
		);
	});
});
