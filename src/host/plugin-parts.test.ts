import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testHost } from '../../test/support/host-ports.ts';
import { filesBelow, type Files, marketplaceScene, never, writeFiles } from '../../test/support/marketplace-scene.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { CapabilityRef } from '../protocol/capability/marketplace.ts';
import { newId } from '../protocol/rpc/ids.ts';
import { CustomAgents } from '../features/agents/custom/custom-agents.ts';
import { agentsOfPlugins, hooksOfPlugins } from './plugin-parts.ts';
import { ForeignHooks } from '../trust/gate/hooks/foreign/foreign-hooks.ts';
import { CommandSandbox } from '../machine/sandbox/command-sandbox.ts';
import { bubblewrapCandidates } from '../machine/sandbox/sandbox.ts';
import { commandEnvironment } from '../machine/environment.ts';
import { readServers } from '../execution/mcp/configuration/read-servers.ts';
import { launchIdentity } from '../execution/mcp/consent/launch-identity.ts';
import { Redactor } from '../trust/record/redaction/redactor.ts';
import { builtInExecutors } from '../catalog/executors.ts';
import { pluginDataFolder } from '../catalog/registry/reading/plugin-place.ts';
import { CapabilityRegistry } from '../catalog/registry/capability-registry.ts';
import { EnabledSource } from '../catalog/registry/sources/enabled-source.ts';

const skill = (name: string, more = '') => `---\nname: ${name}\ndescription: does ${name}\n${more}---\nDo it.\n`;
const marketplace = (...plugins: unknown[]) => JSON.stringify({ name: 'tools', owner: { name: 'them' }, plugins });
const dist = fileURLToPath(new URL('../../dist', import.meta.url));

const claudePlugin: Files = {
	'.claude-plugin/plugin.json': JSON.stringify({
		name: 'Git Helper',
		version: '1.2.0',
		description: 'Helps with Git',
		author: { name: 'Ada' },
		mcpServers: { log: { command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/servers/log.mjs'] } },
	}),
	'skills/review/SKILL.md': skill('review'),
	'skills/review/scripts/check.py': 'print(1)\n',
	'commands/commit.md': '---\nargument-hint: "[message]"\nallowed-tools: Bash(git commit:*)\n---\nCommit $ARGUMENTS.\n',
	'commands/deep/push.md': '# Push it\n\nPush.\n',
	'agents/reviewer.md': '---\nname: reviewer\ndescription: Reviews\n---\nReview.\n',
	'hooks/hooks.json': JSON.stringify({
		hooks: {
			PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'sh ${CLAUDE_PLUGIN_ROOT}/guard.sh' }] }],
		},
	}),
	'guard.sh': 'exit 0\n',
	'servers/log.mjs': '',
	'.lsp.json': '{}',
	'.github/workflows/ci.yml': 'on: push\n',
};

function folderWith(files: Files): string {
	const folder = tempDir('plugins');
	writeFiles(folder, files);
	return folder;
}

function scene(location: string) {
	const made = marketplaceScene([location]);
	const host = testHost({ workspace: made.workspace });
	const ports = { ...host.ports, places: { ...host.ports.places, home: made.home, dist } };
	const registry = new CapabilityRegistry({ ports, executors: builtInExecutors(dist) });
	const source = new EnabledSource(registry, made.enabled);
	const names = async () =>
		(await source.list()).capabilities
			.map(({ manifest }) => manifest.name)
			.filter((name) => name.includes(':'))
			.sort();
	return { ...made, ports, source, names };
}

describe('A plugin', () => {
	it('is installed as one thing, and lists all that it brings before that', async () => {
		const { marketplace: market, home } = scene(folderWith(claudePlugin));
		const details = await market.show({ name: 'git-helper' }, never);
		assert.deepEqual(
			details.parts.map(({ kind, name, says, runs }) => `${kind} ${name}: ${says}${runs ? ' (runs)' : ''}`),
			[
				'skill review: does review (runs)',
				'command commit: Commit $ARGUMENTS.',
				'command deep-push: Push it',
				'agent reviewer: Reviews',
				'hook PreToolUse: sh ${CLAUDE_PLUGIN_ROOT}/guard.sh (runs)',
				'server log: node ${CLAUDE_PLUGIN_ROOT}/servers/log.mjs (runs)',
			],
		);
		assert.deepEqual(details.notTaken, [
			'LSP servers',
			'1 files that control other tools, such as .github/workflows/ci.yml',
		]);
		const request = { capability: { name: 'git-helper' }, scope: 'global', contentHash: details.contentHash } as const;
		const installed = await market.install(request, never);
		assert.deepEqual([installed.type, installed.version, installed.isEnabled], ['plugins', '1.2.0', false]);
		const files = filesBelow(join(home, 'capabilities'));
		assert.ok(!Object.keys(files).some((path) => /workflows/.test(path)), 'what steers other tools is not installed');
		assert.match(
			files['plugins/git-helper/prowess-plugin/commands/commit/SKILL.md'] ?? '',
			/allowed-tools.*Bash\(git commit[^]*argument-hint: "\[message\]"/,
		);
	});

	it('offers its skills and commands under its name once it is enabled, and hides them with it', async () => {
		const { marketplace: market, names, enabled, source } = scene(folderWith(claudePlugin));
		const ref = { name: 'git-helper', scope: 'global' } as const;
		const { path } = await market.install({ capability: { name: 'git-helper' }, scope: 'global' }, never);
		assert.deepEqual(await names(), []);
		await market.setEnabled(ref, true, never);
		const all = ['git-helper:commit', 'git-helper:deep-push', 'git-helper:review'];
		assert.deepEqual(await names(), all);
		await enabled.set(join(path, 'skills/review'), false, never);
		assert.deepEqual(await names(), all.slice(0, 2));
		assert.equal((await source.find('git-helper:commit', undefined))?.manifest.description, 'Commit $ARGUMENTS.');
		assert.equal((await source.at(join(path, 'prowess-plugin/commands/commit'))).manifest.name, 'git-helper:commit');
		await market.setEnabled(ref, false, never);
		assert.deepEqual(await names(), []);
		await market.remove(ref, never);
		assert.equal((await market.installed()).length, 0);
	});

	it('may hold a skill of the name that another plugin has', async () => {
		const folder = folderWith({
			'.claude-plugin/marketplace.json': marketplace(
				{ name: 'one', source: './one' },
				{ name: 'two', source: './two', hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } },
			),
			'one/skills/pdf/SKILL.md': skill('pdf'),
			'two/skills/pdf/SKILL.md': skill('pdf'),
		});
		const { marketplace: market, names } = scene(folder);
		for (const name of ['one', 'two']) {
			await market.install({ capability: { name, type: 'plugins' }, scope: 'global' }, never);
			await market.setEnabled({ name, scope: 'global' }, true, never);
		}
		assert.deepEqual(await names(), ['one:pdf', 'two:pdf']);
	});

	it('is updated as a whole, and disabled when it brings a part that was not there', async () => {
		const folder = folderWith(claudePlugin);
		const { marketplace: market } = scene(folder);
		const ref = { name: 'git-helper', scope: 'global' } as const;
		await market.install({ capability: { name: 'git-helper' }, scope: 'global' }, never);
		await market.setEnabled(ref, true, never);
		writeFiles(folder, { 'commands/undo.md': 'Undo it.\n', 'guard.sh': 'exit 2\n' });
		await market.search({ refresh: true }, never);
		const preview = await market.previewUpdate(ref, never);
		assert.deepEqual(preview?.diff.permissions.added, ['command:undo']);
		assert.ok(preview.diff.files.changed.includes('guard.sh'));
		const updated = await market.update(ref, preview.contentHash, never);
		assert.deepEqual([updated.isEnabled, updated.previousVersion], [false, '1.2.0']);
		assert.equal((await market.rollBack(ref, never)).isModified, false);
	});

	it('has its hooks among those that need a yes, and they know where they lie', async () => {
		const { marketplace: market, ports, enabled, ledger } = scene(folderWith(claudePlugin));
		const ref = { name: 'git-helper', scope: 'global' } as const;
		const { path } = await market.install({ capability: { name: 'git-helper' }, scope: 'global' }, never);
		const folders = () => ports.workspace.folders.map((folder) => folder.path);
		const candidates = () => bubblewrapCandidates('');
		const wall = new CommandSandbox({ home: ports.places.home, folders, bubblewrapCandidates: candidates });
		const hooks = new ForeignHooks({
			ports,
			plugins: () => hooksOfPlugins(ports, enabled),
			redactor: new Redactor(),
			ledger,
			sandbox: wall,
			environment: commandEnvironment(process.env, process.platform),
		});
		const call = {
			opId: newId('op'),
			op: 'shell.run',
			params: { argv: ['git', 'push'] },
			caller: { kind: 'agent', threadId: newId('thr'), turnId: newId('trn') },
		} as const;
		const states = async () => (await hooks.list()).files.map(({ state, file }) => `${file.plugin}: ${state}`);
		try {
			assert.deepEqual(await states(), []);
			await market.setEnabled(ref, true, never);
			assert.deepEqual(await states(), ['git-helper: not allowed']);
			await hooks.allow(join(path, 'prowess-plugin/hooks.json'), never);
			assert.equal((await hooks.before(call, never)).kind, 'continue');
			writeFiles(path, { 'guard.sh': 'echo "$CLAUDE_PLUGIN_ROOT says no" >&2; exit 2\n' });
			assert.deepEqual(await states(), ['git-helper: changed']);
			await hooks.allow(join(path, 'prowess-plugin/hooks.json'), never);
			const verdict = await hooks.before(call, never);
			// All of what came of it, and what its row in the ledger says: a hook that fails stops nothing.
			const [kind, reason] = verdict.kind === 'block' ? [verdict.kind, verdict.reason] : [verdict.kind, undefined];
			assert.deepEqual([kind, reason], ['block', `${path} says no`], JSON.stringify(ledger.rows));
			await market.setPartEnabled(ref, 'hooks', false, never);
			assert.deepEqual(await states(), []);
		} finally {
			await hooks.close();
		}
	});

	it('keeps its data in an update, and when it is removed unless that is said', async () => {
		const folder = folderWith(claudePlugin);
		const { marketplace: market, home } = scene(folder);
		const ref = { name: 'git-helper', scope: 'global' } as const;
		const install = () => market.install({ capability: { name: 'git-helper' }, scope: 'global' }, never);
		const { path } = await install();
		assert.equal(await market.data(ref), undefined);
		const data = pluginDataFolder(home, path);
		writeFiles(data, { 'state.json': '{}', 'deep/cache': '12345' });
		writeFiles(folder, { 'guard.sh': 'exit 2\n' });
		await market.search({ refresh: true }, never);
		await market.update(ref, undefined, never);
		assert.deepEqual(await market.data(ref), { path: data, files: 2, bytes: 7 });
		await market.remove(ref, never);
		await install();
		assert.equal((await market.data(ref))?.files, 2);
		await market.remove({ ...ref, withData: true }, never);
		await install();
		assert.equal(await market.data(ref), undefined);
	});

	it('has data of its own in each workspace that it is installed in', () => {
		const home = '/h';
		const folders = [
			pluginDataFolder(home, '/h/capabilities/plugins/kit'),
			pluginDataFolder(home, '/one/.prowess/capabilities/plugins/kit'),
			pluginDataFolder(home, '/two/.prowess/capabilities/plugins/kit'),
		];
		assert.deepEqual(folders.map(dirname), ['/h/plugin-data', '/h/plugin-data', '/h/plugin-data']);
		assert.equal(new Set(folders).size, 3);
	});

	it('has its agents among the custom ones, under its name, each with a yes of its own', async () => {
		const { marketplace: market, ports, enabled } = scene(folderWith(claudePlugin));
		const ref = { name: 'git-helper', scope: 'global' } as const;
		await market.install({ capability: { name: 'git-helper' }, scope: 'global' }, never);
		const custom = new CustomAgents({
			ports,
			desk: { ask: () => Promise.reject(new Error('nobody is asked')) },
			redact: (words) => words,
			plugins: () => agentsOfPlugins(ports, enabled),
		});
		const agents = async () => (await custom.list()).map(({ name, state }) => `${name}: ${state}`);
		assert.deepEqual(await agents(), []);
		await market.setEnabled(ref, true, never);
		assert.deepEqual(await agents(), ['git-helper:reviewer: not allowed']);
		await custom.allow((await custom.list())[0]?.path ?? '', never);
		assert.deepEqual(await agents(), ['git-helper:reviewer: allowed']);
		await market.setPartEnabled(ref, 'agent:reviewer', false, never);
		assert.deepEqual(await agents(), []);
	});

	it('has its servers among the others, with its name before theirs', async () => {
		const { marketplace: market, ports, enabled } = scene(folderWith(claudePlugin));
		const ref = { name: 'git-helper', scope: 'global' } as const;
		const { path } = await market.install({ capability: { name: 'git-helper' }, scope: 'global' }, never);
		const servers = async () => (await readServers({ ...ports, plugins: enabled })).servers;
		assert.deepEqual(await servers(), []);
		await market.setEnabled(ref, true, never);
		const [server] = await servers();
		assert.deepEqual([server?.name, server?.source, server?.pluginRoot], ['git-helper.log', 'plugin', path]);
		assert.ok(server?.launch.kind === 'stdio');
		assert.deepEqual(server.launch.args, [join(path, 'servers/log.mjs')]);
		const before = await launchIdentity(server, [], false);
		writeFiles(path, { 'guard.sh': 'exit 1\n' });
		assert.notEqual((await launchIdentity(server, [], false)).hash, before.hash);
		await market.setPartEnabled(ref, 'server:log', false, never);
		assert.deepEqual(await servers(), []);
		await assert.rejects(market.setPartEnabled(ref, 'server:none', false, never), /it has .*hooks, server:log/);
	});

	it('that is Agent Plugins 1.0 brings skills and servers, and more only from an extension', async () => {
		const folder = folderWith({
			'plugin.json': '{"$schema":"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json","name":"solo.one"}',
			'mcp.json': '{"$schema":"x","mcpServers":{"files":{"type":"stdio","command":"npx","args":["-y","files"]}}}',
			'skills/greet/SKILL.md': skill('greet'),
			'commands/loose.md': 'Not a part.',
			'com.github.copilot/commands/go.md': 'Go.',
			'com.github.copilot/hooks.json':
				'{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"./start.sh"}]}}',
		});
		const { parts } = await scene(folder).marketplace.show({ name: 'solo.one' }, never);
		assert.deepEqual(
			parts.map(({ kind, name, says }) => `${kind} ${name}: ${says}`),
			['skill greet: does greet', 'command go: Go.', 'hook sessionStart: ./start.sh', 'server files: npx -y files'],
		);
	});

	it('keeps the dots of its name: it and one with hyphens are two', async () => {
		const folder = folderWith({
			'.claude-plugin/marketplace.json': marketplace(
				{ name: 'com.example.kit', source: './dots' },
				{ name: 'com-example-kit', source: './hyphens' },
			),
			'dots/skills/pdf/SKILL.md': skill('pdf'),
			'dots/hooks/hooks.json': '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}',
			'hyphens/skills/pdf/SKILL.md': skill('pdf'),
			'hyphens/commands/go.md': 'Go.',
		});
		const { marketplace: market, names, ports, enabled, home } = scene(folder);
		for (const name of ['com.example.kit', 'com-example-kit']) {
			const { path } = await market.install({ capability: { name, type: 'plugins' }, scope: 'global' }, never);
			assert.equal(path, join(home, 'capabilities/plugins', name));
			await market.setEnabled({ name, scope: 'global' }, true, never);
		}
		assert.deepEqual(await names(), ['com-example-kit:go', 'com-example-kit:pdf', 'com.example.kit:pdf']);
		assert.deepEqual(
			(await hooksOfPlugins(ports, enabled)).map(({ name }) => name),
			['com-example-kit', 'com.example.kit'],
		);
		await market.setPartEnabled({ name: 'com.example.kit', scope: 'global' }, 'skill:pdf', false, never);
		assert.deepEqual(await names(), ['com-example-kit:go', 'com-example-kit:pdf']);
		await market.remove({ name: 'com.example.kit', scope: 'global' }, never);
		assert.deepEqual(
			(await market.installed()).map(({ name }) => name),
			['com-example-kit'],
		);
		for (const name of ['..', 'a..b', '.a', 'a.', 'a/b'])
			assert.equal(CapabilityRef.safeParse({ name }).success, false, name);
	});

	it('may name parts at the top of its repository, which are installed where it names them', async () => {
		const extensions = {
			'com.example.list': {
				agents: ['./agents/knower.md', './agents/gone.md'],
				skills: ['./skills/async/', '../../outside'],
				extensions: ['./extensions/canvas'],
			},
		};
		const standard = { $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json' };
		const folder = folderWith({
			'.github/plugin/marketplace.json': marketplace(
				{ name: 'one', source: 'plugins/one' },
				{ name: 'two', source: 'plugins/two' },
				{ name: 'all', source: 'plugins/all' },
			),
			'plugins/one/plugin.json': JSON.stringify({ ...standard, name: 'one', extensions }),
			'plugins/one/README.md': 'One.',
			'plugins/two/plugin.json': JSON.stringify({ name: 'two', skills: ['./skills/async/'], agents: ['./agents'] }),
			'plugins/all/plugin.json': JSON.stringify({ name: 'all', skills: ['./skills'] }),
			'agents/knower.agent.md': '---\ndescription: Knows it\n---\nAdvise.\n',
			'agents/other.agent.md': 'Advise.\n',
			'skills/async/SKILL.md': skill('async'),
			'skills/async/notes/more.md': 'More.\n',
			'skills/secret/SKILL.md': skill('secret'),
		});
		const { marketplace: market, names, ports, enabled } = scene(folder);
		const { indexes, items } = await market.search({}, never);
		assert.deepEqual(
			items.map(({ type, name }) => `${type}/${name}`),
			['skill/async', 'plugins/one', 'plugins/two'],
		);
		const problems = indexes[0]?.problems.join('\n') ?? '';
		assert.match(problems, /"one" names agents\/gone\.md, which lies neither in it nor at the top of its repository/);
		assert.match(problems, /"one": the index names "\.\.\/\.\.\/outside", which does not lie below it/);
		assert.match(problems, /"all" has nothing that is taken/);
		const { parts, notTaken, files } = await market.show({ name: 'one' }, never);
		assert.deepEqual(
			parts.map(({ kind, name }) => `${kind} ${name}`),
			['skill async', 'agent knower'],
		);
		assert.deepEqual(notTaken, ['extensions of Copilot']);
		assert.deepEqual(
			files.map(({ path }) => path).toSorted((a, b) => (a < b ? -1 : 1)),
			[
				'README.md',
				'agents/knower.md',
				'plugin.json',
				'prowess-plugin/plugin.json',
				'skills/async/SKILL.md',
				'skills/async/notes/more.md',
			],
		);
		await market.install({ capability: { name: 'one', type: 'plugins' }, scope: 'global' }, never);
		await market.setEnabled({ name: 'one', scope: 'global' }, true, never);
		assert.deepEqual(await names(), ['one:async']);
		assert.deepEqual(
			(await agentsOfPlugins(ports, enabled)).map(({ plugin, name }) => `${plugin}:${name}`),
			['one:knower'],
		);
	});

	it('loses only a hook, a server or a field that is odd, in words and never as a dump', async () => {
		const odd = {
			name: 'odd',
			version: 2,
			author: ['Ada'],
			hooks: { hooks: { Stop: [{ type: 'command', command: 'true' }, 'nonsense'], Nap: 7 } },
			mcpServers: { mcpServers: { good: { command: 'node' }, bad: 'node' } },
		};
		const folder = folderWith({
			'.claude-plugin/marketplace.json': marketplace(
				{ name: 'odd', source: './odd' },
				{ name: 'list', source: './list' },
				{ name: 'latin', source: './latin' },
				{ name: 'hidden', source: './hidden' },
			),
			'odd/.claude-plugin/plugin.json': JSON.stringify(odd),
			'list/hooks/hooks.json': '{"hooks":[{"event":"Stop","command":"true"},{"command":"false"}]}',
			'list/commands/go.md': 'Go.',
			'latin/plugin.json': Buffer.from([0x7b, 0xe9, 0x7d]),
			'hidden/commands/go.md': 'Go.\nAnd\u200B on.\n',
		});
		const { marketplace: market } = scene(folder);
		const { indexes, items } = await market.search({}, never);
		assert.deepEqual(
			items.map(({ name }) => name),
			['hidden', 'list', 'odd'],
		);
		const problems = (indexes[0]?.problems ?? []).map((each) => each.slice(folder.length + 2));
		assert.deepEqual(problems, [
			'a hook of "odd" is not taken: hooks.Stop.1: expected an object',
			'a hook of "odd" is not taken: hooks.Nap: expected an object',
			'the MCP server "bad" of "odd" is not taken: expected an object',
			'a hook of "list" is not taken: hooks.1: expected an object that names its "event"',
			'plugins.2: latin/plugin.json: it is not encoded in UTF-8',
		]);
		const shown = async (name: string) =>
			(await market.show({ name }, never)).parts.map(({ kind, name: own }) => `${kind} ${own}`);
		assert.deepEqual(
			[await shown('odd'), await shown('list')],
			[
				['hook Stop', 'server good'],
				['command go', 'hook Stop'],
			],
		);
		await assert.rejects(market.show({ name: 'hidden' }, never), {
			code: 'EXTRACTION_FAILED',
			message: 'the package is refused: commands/go.md:2:4: it holds the character U+200B, which is not seen',
		});
	});

	it('that shares its folder with others is only what it names', async () => {
		const folder = folderWith({
			'.claude-plugin/marketplace.json': marketplace(
				{ name: 'papers', source: './', strict: false, skills: ['./skills/pdf'] },
				{ name: 'tables', source: './', strict: false, skills: ['./skills/xlsx'] },
			),
			'skills/pdf/SKILL.md': skill('pdf'),
			'skills/xlsx/SKILL.md': skill('xlsx'),
			'notes.md': 'n',
		});
		const details = await scene(folder).marketplace.show({ name: 'papers' }, never);
		assert.deepEqual(
			details.files.map(({ path }) => path),
			['skills/pdf/SKILL.md', 'prowess-plugin/plugin.json'],
		);
	});

	it('costs only itself when it is wrong, and says which part of it is not taken', async () => {
		const folder = folderWith({
			'.claude-plugin/marketplace.json': marketplace(
				{ name: 'empty', source: './empty' },
				{ name: 'broken', source: './broken' },
				{ name: 'outside', source: './broken', hooks: '../../secret.json' },
			),
			'empty/README.md': 'Nothing.',
			'empty/.lsp.json': '{}',
			'broken/commands/go.md': 'Go.',
			'broken/hooks/hooks.json': '{ nonsense',
		});
		const { indexes, items } = await scene(folder).marketplace.search({}, never);
		assert.deepEqual(
			items.map(({ name }) => name),
			['broken', 'outside'],
		);
		const problems = indexes[0]?.problems.join('\n') ?? '';
		assert.match(
			problems,
			/"empty" has nothing that is taken: .*; in it lie \.lsp\.json, README\.md; its LSP servers are not/,
		);
		assert.match(problems, /the hooks of "broken" are not taken: .*no JSON/);
		assert.match(problems, /the hooks of "outside" are not taken/);
	});
});
