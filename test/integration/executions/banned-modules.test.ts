/** Modules that tools of a worker cannot use, asked for in each way there is: the answer says what to use, and where it was asked. */
import assert from 'node:assert/strict';
import { ExecutionScene } from '../../support/execution-scene.ts';
import { workerSandbox, workerSkills } from '../../support/worker-skills.ts';

interface BannedScene {
	readonly entry: string;
	/** Files of the skill besides its tools; a line of the tools is found by its place in the list. */
	readonly files: Readonly<Record<string, string>>;
	/** Bodies of tools that are refused, each with the module they name and the file and line in the answer. */
	readonly refused: readonly (readonly [body: string, module: string, place?: string])[];
	/** Bodies of tools that run, each with its result. */
	readonly allowed: readonly (readonly [body: string, result: unknown])[];
	tool(at: number, body: string): string;
}

const ofNode: BannedScene = {
	entry: "import { createRequire } from 'node:module';",
	files: {
		'lib/helper.js': "\nimport { connect } from 'node:tls';\nexport { connect };\n",
		'lib/old.cjs': "\n\nmodule.exports = require('child_process');\n",
		'node_modules/kit/package.json': '{"name":"kit","type":"module","exports":"./index.js"}',
		'node_modules/kit/index.js': "// from 'http'\nimport {\n\tget\n} from 'http';\nexport { get };\n",
		'net/index.js': 'export const own = 1;\n',
	},
	refused: [
		...['node:child_process', 'net', 'https', 'http2', 'node:sqlite', 'worker_threads', 'dns/promises', 'node:vm'].map(
			(module) => [`await import('${module}')`, module.replace('node:', '')] as const,
		),
		['await import("inspector/promises")', 'inspector/promises'],
		["const name = 'dgram'; await import(name)", 'dgram'],
		["const { connect: open } = await import('node:net')", 'net'],
		["createRequire(import.meta.url)('cluster')", 'cluster'],
		["process.getBuiltinModule('node:http')", 'http'],
		["const { getBuiltinModule: get } = process; get('tls')", 'tls'],
		["await fetch('https://example.org')", 'fetch'],
		["new WebSocket('wss://example.org')", 'WebSocket'],
		["await import('./lib/helper.js')", 'tls', 'lib/helper.js:2'],
		["createRequire(import.meta.url)('./lib/old.cjs')", 'child_process', 'lib/old.cjs:3'],
		["await import('kit')", 'http', 'node_modules/kit/index.js:4'],
	],
	allowed: [
		["return (await import('node:url')).format({ pathname: 'a b' })", 'a b'],
		["return (await import('./net/index.js')).own", 1],
		["return process.getBuiltinModule('node:path').basename('/a/b')", 'b'],
	],
	tool: (at, body) => `export async function t${at}() { ${body}; }`,
};

const ofPython: BannedScene = {
	entry: 'import importlib, importlib.util, pkgutil, runpy',
	files: {
		'helper.py': '\n\nimport socket\n',
		'kit/__init__.py': '\nfrom . import deeper\n',
		'kit/deeper.py': 'from sqlite3 import connect as open_it\n',
		'kit/signal.py': 'OWN = 1\n',
	},
	refused: [
		...['urllib', 'urllib.request', 'urllib.robotparser', 'sqlite3', 'keyring', 'subprocess', 'httpx', 'requests'].map(
			(module) => [`import ${module}`, module] as const,
		),
		...['urllib3', 'socket', 'ctypes', 'multiprocessing', 'signal'].map(
			(module) => [`import ${module} as other`, module] as const,
		),
		['from socket import create_connection as connect', 'socket'],
		['from urllib import parse, request', 'urllib'],
		['exec("from urllib import *")', 'urllib'],
		['__import__("socket")', 'socket'],
		['load = __import__; load("sqlite3")', 'sqlite3'],
		['exec("import socket", {})', 'socket'],
		['importlib.import_module("socket")', 'socket'],
		['from importlib import import_module as load; load("urllib.request")', 'urllib.request'],
		['importlib.import_module(".request", "urllib")', 'urllib.request'],
		['importlib.__import__("socket")', 'socket'],
		['importlib.util.module_from_spec(importlib.util.find_spec("subprocess"))', 'subprocess'],
		['importlib.util.module_from_spec(importlib.machinery.PathFinder.find_spec("socket"))', 'socket'],
		['pkgutil.resolve_name("socket:socket")', 'socket'],
		['runpy.run_module("socket")', 'socket'],
		['import helper', 'socket', 'helper.py:3'],
		['import kit', 'sqlite3', 'kit/deeper.py:1'],
	],
	allowed: [
		['import urllib.parse; return urllib.parse.quote("a b")', 'a%20b'],
		['from urllib.parse import urlencode; return urlencode({"a": 1})', 'a=1'],
		['from urllib import parse, error; return parse.quote("é")', '%C3%A9'],
		['return importlib.import_module("urllib.parse").unquote("a%20b")', 'a b'],
		['return importlib.import_module(".error", "urllib").__name__', 'urllib.error'],
		['import http.client, email.message; return http.client.responses[404]', 'Not Found'],
		['import asyncio, json, sys; return sys.byteorder in ("little", "big")', true],
	],
	tool: (at, body) => `async def t${at}():\n    ${body}`,
};

for (const { runtime, file, lack } of workerSkills) {
	const { entry, files, refused, allowed, tool } = runtime === 'node-worker' ? ofNode : ofPython;
	const bodies = [...refused, ...allowed].map(([body]) => body);
	const lines = bodies.map((body, at) => tool(at, body));
	const lineOf = (at: number) => [entry, ...lines.slice(0, at + 1)].join('\n').split('\n').length;

	/** In one worker, whose calls run one after the other. */
	const runAll = async () => {
		const manifest = `name: test\ntype: skill\nversion: 1.0.0\nruntime: ${runtime}\nlevel: SAFE\n`;
		const scene = new ExecutionScene({ executor: 'second-result', sandbox: workerSandbox, manifest });
		scene.writes(file, [entry, ...lines, ''].join('\n'));
		for (const [path, text] of Object.entries(files)) scene.writes(path, text);
		try {
			const results = [];
			for (const at of bodies.keys()) results.push(await scene.run({}, { tool: `t${at}` }));
			return results;
		} finally {
			await scene.close();
		}
	};

	describe(`The modules that a ${runtime} keeps from its tools`, function () {
		this.timeout(30_000);
		before(function () {
			if (lack !== undefined) this.skip();
		});

		it('are refused with advice, file and line in whichever way they are loaded, and their harmless parts are not', async () => {
			const results = await runAll();
			const said = results.map(({ result, error }) =>
				error === undefined
					? result
					: error.message.replace(/; .+ The sandbox keeps .+$/, '').replace(/^([^:]+:\d+):\d+:/, '$1:'),
			);
			const advice = refused.map(
				([, module, place], at) =>
					`${place ?? `${file}:${lineOf(at)}`}: BannedModule: "${module}" cannot be used in a worker`,
			);
			assert.deepEqual(said, [...advice, ...allowed.map(([, result]) => result)]);
		});
	});
}
