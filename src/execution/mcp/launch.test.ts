import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { testHost } from '../../../test/support/host-ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { Organisation } from '../../contract/ports/organisation.ts';
import { ManagedRules } from '../../machine/organisation/managed-rules.ts';
import { systemResolve } from '../../machine/http/resolve-host.ts';
import { CommandSandbox } from '../../machine/sandbox/command-sandbox.ts';
import { SecretVault } from '../../machine/secrets/secret-vault.ts';
import { CommandGuard } from '../../machine/shell/command-guard.ts';
import { launchServer } from './launch.ts';
import { findMissingWrite, openServerSandbox } from './process/server-sandbox.ts';
import { ServerLog } from './process/server-log.ts';
import type { McpServer } from './server.ts';
import { KeptSignIns } from './sign-in/kept-sign-ins.ts';

describe('An MCP server that cannot be started', () => {
	const { signal } = new AbortController();

	function launched(server: Partial<McpServer>, organisation?: Organisation) {
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
				settings: { ...ports.settings, organisation },
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

	it('does not run without a sandbox where an organisation requires one', async () => {
		const rules = new ManagedRules({ organisation: 'Example', sandbox: 'required' }, '/etc/prowess/organisation.json');
		await assert.rejects(launched({}, rules), { code: 'DENIED_BY_ORGANISATION', message: /outside the sandbox/ });
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

describe('A folder that an MCP server could not change', () => {
	function offeredFor(file: string, ...others: readonly string[]) {
		const userHome = tempDir('user');
		for (const each of [file, ...others]) mkdirSync(dirname(join(userHome, each)), { recursive: true });
		for (const each of others) writeFileSync(join(userHome, each), '');
		const launch = { kind: 'stdio', needs: { network: [], read: [], write: [] } };
		const missing = findMissingWrite(`EACCES: permission denied, open '~/${file}'`, launch as never, {
			places: { home: tempDir('home'), userHome },
			workspace: { folders: [] },
		});
		return missing !== undefined && 'lacks' in missing ? missing.lacks.slice(userHome.length + 1) : undefined;
	}

	it('is offered where it is a visible one', () => {
		assert.equal(offeredFor('notes/memory.json'), 'notes');
		assert.equal(offeredFor('notes/memory.json', 'notes/.DS_Store', 'notes/a.md'), 'notes');
	});

	it('is not offered where programs are started from it or read there what to run', () => {
		const files = [
			'.config/x',
			'.config/autostart/x.desktop',
			'.config/systemd/user/x.service',
			'.local/share/x',
			'.local/bin/git',
			'.cargo/bin/cargo',
			'.hidden/x',
			'bin/git',
			'tools/Bin/git',
			'Library/LaunchAgents/x.plist',
			'Library/x',
			'AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup/x.bat',
		];
		for (const file of files) assert.equal(offeredFor(file), undefined, file);
	});

	it('is not offered where it holds such a folder, or a file that is protected or secret', () => {
		for (const name of ['.git/HEAD', 'bin/git', '.vscode/tasks.json', '.env', 'key.pem', 'AGENTS.md', '.config/x']) {
			assert.equal(offeredFor('notes/memory.json', `notes/${name}`), undefined, name);
		}
	});
});
