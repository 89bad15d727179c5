import assert from 'node:assert/strict';
import { isServiceFor, workerTools } from './worker-tools.ts';

const python = (text: string) => workerTools('python-worker', text);
const javaScript = (text: string) => workerTools('node-worker', text);

describe('The tools of a Python skill', () => {
	it('are no functions that are not async, are within something, or begin with an underscore', () => {
		const text =
			'def plain(a): pass\nclass A:\n    async def within(self): pass\nasync def _own(): pass\n# async def no(): pass\n';
		assert.deepEqual(python(text), []);
	});

	it('are none where the brackets of the params are not closed', () => {
		assert.deepEqual(python('async def a(b: str = ")"\n'), []);
	});

	it('have the types of their annotations, and need what has no default', () => {
		const [tool] = python(
			'async def a(\n    q: str, # a comment, (\n    n: int = 3, f: float | None = None,\n    tags: list[str] = [],\n    more: Optional[dict] = None, free=", )", *, b: bool, **rest\n) -> dict[str, int]:\n    """Looks.\n\n    Args:\n        q: what to look for\n        n (int): how many\n    """\n',
		);
		assert.equal(tool?.description, 'Looks.');
		assert.equal(tool.takesMore, true);
		assert.deepEqual(tool.inputs, [
			{ name: 'q', type: 'string', required: true, description: 'what to look for' },
			{ name: 'n', type: 'number', required: false, description: 'how many' },
			{ name: 'f', type: 'number', required: false },
			{ name: 'tags', type: 'array', items: 'string', required: false },
			{ name: 'more', type: 'object', required: false },
			{ name: 'free', type: 'any', required: false },
			{ name: 'b', type: 'boolean', required: true },
		]);
	});

	it('answer a service for the addresses that its decorator names, or for all', () => {
		for (const [urls, address, expected] of [
			[[], 'anything', true],
			[['a.example/*'], 'https://www.a.example/x', true],
			[['a.example/*/b/*'], 'http://a.example/x/y/b/', true],
			[['www.a.example/b'], 'https://a.example/b', true],
			[['a.example/*'], 'https://evil.example/?a.example/x', false],
			[['a.example/*/b'], 'https://a.example/b', false],
			[['a.example/*b*b'], 'https://a.example/b', false],
			[['a.example/b'], 'https://a.example/bc', false],
			[['*'.repeat(200)], `https://${'a'.repeat(100_000)}`, true],
		] as const) {
			assert.equal(isServiceFor(urls, address), expected, `${urls.join()} ${address}`.slice(0, 200));
		}
	});

	it('have what decorators of AgentOS say, and those of nobody else', () => {
		const marked =
			'@timeout(2.5)\n@returns("day[]")\n@connection(["a", "b"])\nasync def a(auth=None, connection=None):\n    "Looks."\n';
		const [own] = python(
			`\uFEFFfrom agentos import returns\n${marked.replace('@timeout(', '@agentos.timeout(seconds=')}x = 1\n@test\nasync def b(): pass\n`,
		);
		const choice = { name: 'connection', type: 'string', required: false, description: 'One of: a, b' };
		const expected = { name: 'a', description: 'Looks. Returns day[].', inputs: [choice], takesMore: false };
		assert.deepEqual(own, { ...expected, timeoutMs: 2_500 });
		const [other] = python(`from mine import returns\n${marked}`);
		assert.deepEqual([other?.description, other?.inputs.length, other?.timeoutMs], ['Looks.', 2, undefined]);
	});

	it('are read whatever the text is', () => {
		for (const text of [
			`from agentos import test\n${'@test(\n'.repeat(20_000)}`,
			'async def a('.repeat(20_000),
			`async def a(${'('.repeat(200_000)}`,
			`async def a():\n${' \n'.repeat(100_000)}`,
		]) {
			assert.ok(Array.isArray(python(text)), text.slice(0, 20));
		}
	});
});

describe('The tools of a JavaScript skill', () => {
	it('are no functions that are not async or not exported', () => {
		const text =
			'export function a() {}\nasync function b() {}\nexport const c = () => 1;\n // export async function d() {}\n';
		assert.deepEqual(javaScript(text), []);
	});

	it('have what their comments say', () => {
		const [first, second, third] = javaScript(
			`/**\n * Looks.\n *\n * @param {object} params\n * @param {string} params.q - what to look for\n * @param {number} [params.n=3] - how many\n * @param {string[]} tags\n */\nexport async function a({ q, n = 3, tags }) {}\n/** Says it. */\nexport const b = async (given) => given;\nexport async function c() {}\n`,
		);
		assert.deepEqual(first, {
			name: 'a',
			description: 'Looks.',
			inputs: [
				{ name: 'q', type: 'string', required: true, description: 'what to look for' },
				{ name: 'n', type: 'number', required: false, description: 'how many' },
				{ name: 'tags', type: 'array', items: 'string', required: true },
			],
			takesMore: false,
		});
		assert.deepEqual(second, { name: 'b', description: 'Says it.', inputs: [], takesMore: true });
		assert.deepEqual(third, { name: 'c', description: '', inputs: [], takesMore: false });
	});

	it('are read whatever the text is', () => {
		for (const text of ['/**'.repeat(50_000), `/**${'*'.repeat(100_000)}`, 'export const a = async '.repeat(10_000)]) {
			assert.ok(Array.isArray(javaScript(text)), text.slice(0, 20));
		}
	});
});
