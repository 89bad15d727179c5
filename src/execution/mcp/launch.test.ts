import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { testHost } from '../../../test/support/host-ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { systemResolve } from '../../machine/http/resolve-host.ts';
import { CommandSandbox } from '../../machine/sandbox/command-sandbox.ts';
import { SecretVault } from '../../machine/secrets/secret-vault.ts';
import { CommandGuard } from '../../machine/shell/command-guard.ts';
import { launchServer } from './launch.ts';
import { openServerSandbox } from './process/server-sandbox.ts';
import { ServerLog } from './process/server-log.ts';
import type { McpServer } from './server.ts';
import { KeptSignIns } from './sign-in/kept-sign-ins.ts';

describe('An MCP server that cannot be started', () => {
	const { signal } = new AbortController();

	function launched(server: Partial<McpServer>) {
		const home = tempDir('home');
		const { ports } = testHost({ home });
		const secrets = new SecretVault(ports.secrets, () => undefined);
		const nobody = () => Promise.reject(new Error('nobody is asked'));
		return launchServer(
			{
				name: 'files',
				source: 'plugin',
				path: '/p.json',
				folder: undefined,
				isDisabled: false,
				launch: {
					kind: 'stdio',
					command: process.execPath,
					args: ['-e', ''],
					env: {},
					cwd: home,
					isSandboxed: true,
					needs: { network: [], read: [], write: [] },
				},
				...server,
			},
			{
				log: new ServerLog((text) => text),
				hosts: { admit: nobody },
				fillIn: nobody,
				sample: nobody,
				withUser: nobody,
				agreeToPage: nobody,
				wasKeptIn: false,
				challenge: undefined,
				closing: signal,
			},
			{
				sandbox: new CommandSandbox({ home, folders: () => [], bubblewrapCandidates: () => [] }),
				places: ports.places,
				workspace: ports.workspace,
				settings: ports.settings,
				signIn: ports.signIn,
				resolve: systemResolve,
				environment: {},
				secrets,
				guard: new CommandGuard(),
				signIns: new KeptSignIns({ kept: ports.signIn.kept, addSecret() {} }),
			},
			signal,
		);
	}

	it('names the folder of its plugin that is gone', async () => {
		const pluginRoot = join(tempDir('plugin'), 'gone');
		await assert.rejects(launched({ pluginRoot }), {
			code: 'COMMAND_FAILED_TO_START',
			message: /^its sandbox cannot be opened: ENOENT: .*gone/,
		});
	});

	it('says what lies where its plugin keeps its data', async () => {
		const pluginData = join(tempDir('plugin'), 'data');
		symlinkSync(tempDir('elsewhere'), pluginData);
		await assert.rejects(launched({ pluginData }), { code: 'INVALID_STATE', message: /data is a link, or no folder/ });
	});
});

it('An MCP server that names a place of Prowess in its needs is not started', async () => {
	const { ports } = testHost({ home: tempDir('home') });
	const needs = { network: [], read: [], write: [ports.places.home] };
	const opened = openServerSandbox(
		{ kind: 'stdio', command: 'true', args: [], env: {}, cwd: ports.places.home, isSandboxed: true, needs },
		{},
		{ admit: () => Promise.reject(new Error('nobody is asked')) },
		{
			sandbox: new CommandSandbox({ home: ports.places.home, folders: () => [], bubblewrapCandidates: () => [] }),
			places: ports.places,
			workspace: ports.workspace,
			resolve: systemResolve,
		},
		{ read: [], write: [] },
	);
	await assert.rejects(opened, {
		code: 'PATH_OUTSIDE_WORKSPACE',
		message: /in needs of an MCP server holds the settings and records of Prowess, which no sandbox shows$/,
	});
});
