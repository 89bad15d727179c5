import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readCapabilityManifest } from '../../../protocol/manifest/read-manifest.ts';
import { workerSkills } from '../../../../test/support/worker-skills.ts';
import { checkSources } from './check-source.ts';
import { findInJavaScript } from './javascript-source.ts';

const dist = join(import.meta.dirname, '../../../../dist');
const runtimes = { node: 'runtime: node-worker\n', python: 'runtime: python-worker\n', plain: '' };

describe('The programs of a capability, looked at without a run', function () {
	this.timeout(30_000);

	/** `severity file:line:column message` of each problem. */
	async function problems(of: keyof typeof runtimes, files: Readonly<Record<string, string>>, folders: string[] = []) {
		const yaml = `name: a\ntype: skill\nversion: 1.0.0\ndescription: A\n${runtimes[of]}`;
		const { manifest } = readCapabilityManifest({ 'capability.yaml': yaml }, { name: 'a', type: 'skill' });
		assert.ok(manifest !== undefined);
		const read = Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
		const found = await checkSources(manifest, read, { dist, folders });
		return found.map(({ severity, file, line, column, message }) => `${severity} ${file}:${line}:${column} ${message}`);
	}

	it('of a Node worker are told of at their places, and comments, texts and types are no code', async () => {
		const found = await problems('node', {
			'index.js': [
				"// import 'net'; fetch('x')",
				'import {',
				"	connect } from 'node:net';",
				"const text = \"import 'tls'\", whole = `require('dns') ${ require('http') } fetch(`, regex = /import 'net' \" ` [/]/;",
				"const ratio = 4 / 2; import helper from './helper.mjs'; const own = 1 / 2;",
				'export async function good() {',
				"	const { spawn } = await import('child_process');",
				"	try { return require('dgram') } catch {}",
				"	return process.getBuiltinModule('node:dns/promises') ?? fetch('https://example.org');",
				'}',
				'export function forgotten() { return used(); }',
				'export function used() {}',
				'export const arrow = (a, b) => a + b;',
				'export async function* many() { yield 1; }',
				'function listed() {}',
				'export { listed };',
			].join('\n'),
			'helper.mjs':
				"import fs from 'node:fs';\nimport https from 'https';\nexport function sync() { return [fs, https]; }\nexport default 1;\n",
			'broken.mjs': 'const = 1;\n',
			'node_modules/x/index.js': "import 'net';",
		});
		assert.deepEqual(
			found.map((each) => each.split(/ (?:cannot|is not|yields)|: /)[0]),
			[
				'error index.js:3:17 "node:net"',
				'error index.js:4:65 "http"',
				'error index.js:7:33 "child_process"',
				'warning index.js:8:23 "dgram"',
				'error index.js:9:34 "node:dns/promises"',
				'warning index.js:9:58 "fetch"',
				'warning index.js:11:1 forgotten',
				'warning index.js:13:1 arrow',
				'warning index.js:14:1 many',
				'warning index.js:15:1 listed',
				'error helper.mjs:2:19 "https"',
				'warning broken.mjs:1:7 does not parse',
			],
		);
		assert.match(found[0] ?? '', /use http of the SDK: import \{ http \} from '@prowess\/sdk'$/);
	});

	it('that do not parse are told of with the parser’s words, whichever kind they are', async () => {
		for (const [of, files, expected] of [
			[
				'node',
				{ 'index.js': 'export async function f() {\n\tconst x = ;\n}\n' },
				/^error index\.js:2:12 does not parse: Unexpected token ';'$/,
			],
			['plain', { 'index.mjs': 'export const execute = (;\n' }, /^error index\.mjs:1:25 does not parse/],
			[
				'plain',
				{ 'index.ts': 'export function execute(a: string) {\n\tlet b: = 1;\n}\n' },
				/^error index\.ts:2:1 does not parse/,
			],
			['plain', { 'index.js': 'module.exports = { execute() { return 1; } };\nreturn;\n' }, undefined],
			['plain', { 'index.ts': 'export const execute = (a: string): number => a.length;\n' }, undefined],
			['plain', { 'SKILL.md': 'Do it.', 'scripts/x.js': 'const = 1' }, undefined],
		] as const) {
			const found = await problems(of, files);
			if (expected === undefined) assert.deepEqual(found, []);
			else assert.match(found.join('\n'), expected);
		}
	});

	it('of a Python worker are told of at their places, also deep in the file', async function () {
		if (workerSkills.some(({ runtime, lack }) => runtime === 'python-worker' && /python/i.test(lack ?? '')))
			this.skip();
		const found = await problems('python', {
			'skill.py': [
				'import os, socket',
				'from urllib.parse import quote',
				'from urllib import parse, request',
				'try:',
				'    import requests',
				'except ImportError:',
				'    requests = None',
				'def forgotten(): return helper()',
				'def helper(): pass',
				'def _own(): pass',
				'async def good():',
				'    "ä"; import sqlite3',
				'    def inner():',
				'        return __import__("subprocess")',
				'    return inner',
				'async def many():',
				'    yield 1',
			].join('\n'),
			'lib/more.py': 'import importlib\nimportlib.import_module("ctypes")\ndef fine(): pass\n',
			'lib/bad.py': 'async def f(:\n',
		});
		assert.deepEqual(
			found.map((each) => each.split(/ (?:cannot|is not|yields)|: /)[0]),
			[
				'error skill.py:1:1 "socket"',
				'error skill.py:3:1 "urllib"',
				'warning skill.py:5:5 "requests"',
				'error skill.py:12:10 "sqlite3"',
				'error skill.py:14:16 "subprocess"',
				'warning skill.py:8:1 forgotten',
				'warning skill.py:16:1 many',
				'error lib/more.py:2:1 "ctypes"',
				'warning lib/bad.py:1:13 does not parse',
			],
		);
		const broken = await problems('python', {
			'skill.py': 'async def f():\n    return 1\n  x = 2\n',
			'a.py': 'async def f(): pass\nreturn 1\n',
			'b.py': 'x = "\0"\n',
			'c.py': `x = ${'('.repeat(5_000)}${')'.repeat(5_000)}\n`,
		});
		for (const expected of [
			/^error skill\.py:3:\d+ does not parse: /m,
			/^warning a\.py:2:1 does not parse: 'return' outside function/m,
			/^warning b\.py:1:1 does not parse: /m,
			/^warning c\.py:1:\d+ does not parse: /m,
		]) {
			assert.match(broken.join('\n'), expected);
		}
	});

	it('say plainly where they cannot be checked', async () => {
		const { PATH } = process.env;
		process.env['PATH'] = '/nowhere';
		try {
			const found = await problems('python', { 'skill.py': 'async def f(: pass' });
			assert.deepEqual(found.length, 1);
			assert.match(found[0] ?? '', /^warning skill\.py:1:1 its program was not checked: .*python3 was not found/);
		} finally {
			process.env['PATH'] = PATH;
		}
		const large = await problems('node', { 'index.js': `// ${'x'.repeat(3_000_000)}` });
		assert.match(large.join(), /^warning index\.js:1:1 not checked, because the programs are too many or too large/);
		assert.deepEqual(await problems('node', { 'other.js': 'const = 1' }), []);
	});

	it('made to be slow are looked at within the ordinary limit, and as far as their author can mend them', () => {
		for (const text of [
			'fetch(1);\n'.repeat(20_000),
			`import${' '.repeat(40_000)}x from "y"`,
			'from "x";\n'.repeat(50_000),
			'export {\n'.repeat(100_000),
			Array.from({ length: 30_000 }, (_, n) => `export function a${n}() {}`).join('\n'),
			`export function${' '.repeat(200_000)}\na() {}`,
			`export { a };\nfunction${' '.repeat(200_000)}\nb() {}`,
			`export { ${'a'.repeat(100_000)} };`,
			Array.from({ length: 200 }, (_, n) => `export { ${`a${n}, `.repeat(200)} };`).join('\n') + ' b'.repeat(500_000),
			'a++/"[";'.repeat(100_000),
		]) {
			assert.ok(findInJavaScript(text, true).length <= 200);
		}
		const bundle = `${'import "./own.js";\n'.repeat(1_000)}import "net";\n`;
		assert.deepEqual(
			findInJavaScript(bundle, true).map(({ line, name }) => `${line} ${name}`),
			['1001 net'],
		);
	});
});
