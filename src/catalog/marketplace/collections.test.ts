/** Collections as they are in the wild, small and of our own making: what of each is offered, and with which sentence the rest is left out. */
import assert from 'node:assert/strict';
import { type Files, marketplaceScene, never, writeFiles } from '../../../test/support/marketplace-scene.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

interface Collection {
	readonly what: string;
	readonly files: Files;
	/** Offered capabilities, each as `type/name`. */
	readonly offers: readonly string[];
	/** Without the place in front. */
	readonly says: readonly string[];
}

const skill = (name: string, more = '') => `---\nname: ${name}\ndescription: Does ${name}\n${more}---\nDo it.\n`;
const marketplace = (plugins: readonly unknown[], more = {}) =>
	JSON.stringify({ name: 'tools', owner: { name: 'them' }, ...more, plugins });

const collections: readonly Collection[] = [
	{
		what: 'Anthropic’s skills: three plugins of one folder that name their skills',
		files: {
			'.claude-plugin/marketplace.json': marketplace([
				{ name: 'document-skills', source: './', strict: false, skills: ['./skills/pdf', './skills/docx'] },
				{ name: 'example-skills', source: './', strict: false, skills: ['./skills/art'] },
			]),
			'skills/pdf/SKILL.md': skill('pdf', 'license: Proprietary. LICENSE.txt has complete terms\n'),
			'skills/pdf/scripts/fill.py': 'print(1)\n',
			'skills/docx/SKILL.md': skill('docx'),
			'skills/art/SKILL.md': skill('art'),
			'template/SKILL.md': skill('template-skill'),
		},
		offers: ['skill/art', 'plugins/document-skills', 'skill/docx', 'plugins/example-skills', 'skill/pdf'],
		says: [],
	},
	{
		what: 'Claude Code’s marketplace: plugins beside it and elsewhere, commands, agents, hooks, servers, LSP',
		files: {
			'.claude-plugin/marketplace.json': marketplace([
				{ name: 'commit', source: './plugins/commit', category: 'development' },
				{ name: 'dev', source: './plugins/dev' },
				{
					name: 'typescript-lsp',
					source: './plugins/typescript-lsp',
					strict: false,
					lspServers: { ts: { command: 'x' } },
				},
				{ name: 'context', source: './plugins/context' },
				{ name: 'hub', source: { source: 'github', repo: 'them/hub' } },
				{
					name: 'part',
					source: { source: 'git-subdir', url: 'https://example.org/them/mono.git', path: 'plugins/part' },
				},
				{ name: 'packed', source: { source: 'npm', package: '@them/packed' } },
				{ name: 'odd', source: { source: 'torrent' } },
			]),
			'plugins/commit/.claude-plugin/plugin.json': '{"name":"commit","version":"2.1.0"}',
			'plugins/commit/commands/commit.md': '---\nallowed-tools: Bash(git commit:*)\n---\nCommit $ARGUMENTS.\n',
			'plugins/dev/.claude-plugin/plugin.json': '{"name":"dev"}',
			'plugins/dev/skills/hook-development/SKILL.md': skill('Hook Development'),
			'plugins/dev/agents/reviewer.md': '---\nname: reviewer\ndescription: Reviews\n---\nReview.\n',
			'plugins/typescript-lsp/README.md': 'Types.\n',
			'plugins/context/.mcp.json': '{"context":{"command":"npx","args":["-y","context"]}}',
		},
		offers: [
			'plugins/commit',
			'plugins/context',
			'plugins/dev',
			'skill/hook-development',
			'plugins/hub',
			'plugins/packed',
			'plugins/part',
		],
		says: [
			'plugins.2: "typescript-lsp" has nothing that is taken: no skill, command, agent, hook or MCP server; in it lie README.md; its LSP servers are not',
			'plugins.7: "odd": a source "torrent" is not read here, only github, url, git-subdir, git, npm',
		],
	},
	{
		what: 'a marketplace with pluginRoot and folders that are not there',
		files: {
			'.claude-plugin/marketplace.json': marketplace(
				[
					{ name: 'a', source: './plugins/a' },
					{ name: 'b', source: 'b' },
					{ name: 'gone', source: './plugins/gone' },
				],
				{ metadata: { pluginRoot: './plugins' } },
			),
			'plugins/a/skills/one/SKILL.md': skill('one'),
			'plugins/b/skills/two/SKILL.md': skill('two'),
		},
		offers: ['plugins/a', 'plugins/b', 'skill/one', 'skill/two'],
		says: ['plugins.2: "gone": there is no folder plugins/gone'],
	},
	{
		what: 'Copilot’s: .github/plugin, agents and prompts, skills that their own CI puts in',
		files: {
			'.github/plugin/marketplace.json': marketplace(
				[
					{ name: 'csharp', source: 'csharp' },
					{ name: 'azure', source: './plugins/azure' },
				],
				{ metadata: { pluginRoot: './plugins' } },
			),
			'plugins/csharp/.github/plugin/plugin.json':
				'{"name":"csharp","agents":["./agents"],"skills":["./skills/async/"]}',
			'plugins/csharp/README.md': 'C#.\n',
			'plugins/azure/agents/azure.agent.md': '---\ndescription: Knows Azure\n---\nAdvise.\n',
			'skills/async/SKILL.md': skill('async'),
			'prompts/tidy.prompt.md': 'Tidy.\n',
		},
		offers: ['skill/async', 'plugins/azure', 'plugins/csharp'],
		says: [],
	},
	{
		what: 'Agent Plugins 1.0: one plugin with skills and servers',
		files: {
			'plugin.json': JSON.stringify({
				$schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json',
				name: 'standard',
				version: '1.0.0',
			}),
			'skills/say/SKILL.md': skill('say'),
			'skills/deep/er/SKILL.md': skill('er'),
			'mcp.json': '{"mcpServers":{"s":{"type":"stdio","command":"node","args":["${PLUGIN_ROOT}/s.mjs"]}}}',
			'commands/go.md': 'Go.\n',
		},
		offers: ['skill/say', 'plugins/standard'],
		says: [],
	},
	{
		what: 'OpenAI’s and Kilo’s: only skills, some without a description, one with a name of several words',
		files: {
			'skills/.curated/deploy/SKILL.md': skill('deploy'),
			'skills/.curated/none/SKILL.md': '---\nname: none\n---\nDo it.\n',
			'skills/écrire/SKILL.md': skill('écrire'),
			'skills/lower/skill.md': skill('lower'),
			'skills/two-words/SKILL.md': skill('Two Words'),
			'README.md': 'Skills.\n',
		},
		offers: ['skill/deploy', 'skill/écrire', 'skill/lower', 'skill/two-words'],
		says: [
			'skills/.curated/none/SKILL.md:2: description: there is no description, so nobody could tell when to use it; it is left out',
		],
	},
	{
		what: 'Kiro’s powers',
		files: {
			'figma/POWER.md':
				'---\nname: figma\ndisplayName: Figma\ndescription: Designs\nkeywords: [ui, design]\nauthor: Them\n---\nDesign.\n',
			'figma/mcp.json': '{"mcpServers":{"figma":{"url":"https://example.org/mcp"}}}',
			'figma/steering/rules.md': 'Rules.\n',
			'words/POWER.md': '---\nname: words\ndescription: Knows words\n---\nWrite.\n',
		},
		offers: ['power/figma', 'power/words'],
		says: [],
	},
	{
		what: 'AgentOS’ skills, each a readme.md',
		files: {
			'skills/goodreads/readme.md': '---\nid: goodreads\nname: Goodreads\ndescription: Reads books\n---\n# Goodreads\n',
			'skills/goodreads/skill.py': 'def shelf():\n\treturn []\n',
			'web/find/readme.md': '---\nid: find\nname: Find\ndescription: Finds\ncapabilities: [http]\n---\n# Find\n',
			'web/find/find-it.py': 'async def find(): pass\n',
			'web/two/readme.md': '---\nid: two\ndescription: Two\n---\n',
			'web/two/a.py': 'async def a(): pass\n',
			'web/two/b-b.py': 'async def b(): pass\n',
			'tools/readme.md': '# Tools of the repository\n',
			'tools/run.py': '',
			'readme.md': '# Skills\n',
		},
		offers: ['skill/find', 'skill/goodreads', 'skill/two'],
		says: [],
	},
	{
		what: 'a Gemini extension',
		files: {
			'gemini-extension.json': '{"name":"cloud","version":"1.0.0","mcpServers":{"run":{"command":"node"}}}',
			'commands/deploy.toml': 'prompt = "Deploy"\n',
			'skills/deploy/SKILL.md': skill('deploy'),
			'GEMINI.md': 'Deploy.\n',
		},
		offers: ['skill/deploy'],
		says: ['it is an extension of Gemini CLI; its skills are offered, its servers, commands and context are not taken'],
	},
	{
		what: 'Codebolt’s capabilities',
		files: {
			'skill/extract/capability.yaml': 'name: extract\ntype: skill\nversion: 1.0.0\ndescription: Extracts\n',
			'skill/extract/index.js': '',
			'power/analysis/capability.yaml': 'name: analysis\ntype: power\nversion: 1.0.0\ndescription: Analyses\n',
			'power/analysis/index.js': '',
			'executors/mine/executor.yaml': 'name: mine\n',
		},
		offers: ['power/analysis', 'skill/extract'],
		says: [],
	},
	{
		what: 'a list of links to skills',
		files: { 'README.md': '- [pdf](https://example.org)\n' },
		offers: [],
		says: ['holds no index.json, no marketplace.json, no plugin.json and no capability'],
	},
];

describe('a collection', () => {
	for (const { what, files, offers, says } of collections) {
		it(`is offered as ${what}`, async () => {
			const folder = tempDir('collection');
			writeFiles(folder, files);
			const { items, indexes } = await marketplaceScene([folder]).marketplace.search({}, never);
			const said = indexes
				.flatMap(({ problems }) => problems)
				.map((problem) => problem.replaceAll(folder, '').replace(/^:? /, ''));
			assert.deepEqual({ offers: items.map(({ type, name }) => `${type}/${name}`), says: said }, { offers, says });
		});
	}

	for (const [what, name, type] of [
		['AgentOS', 'goodreads', 'skill'],
		['Codebolt', 'extract', 'skill'],
		['Kiro', 'words', 'power'],
	] as const) {
		it(`of ${what} is installed from as any other`, async () => {
			const folder = tempDir('collection');
			writeFiles(folder, collections.find((each) => each.what.startsWith(what))?.files ?? {});
			const { marketplace: market } = marketplaceScene([folder]);
			const installed = await market.install({ capability: { name }, scope: 'global' }, never);
			assert.deepEqual([installed.type, installed.name, installed.isEnabled], [type, name, false]);
		});
	}
});
