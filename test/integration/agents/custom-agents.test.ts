/** Custom agents of a project, with the real files, gate and desk. */
import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Approval, ApprovalAnswer } from '../../../src/protocol/approvals/approvals.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { useAgents, why } from './agent-scene.ts';

const never = new AbortController().signal;

const reviewer = (words: string) => `---
name: reviewer
description: Reviews changes
tools: Read, Grep, Bash(git diff:*), Telepathy
model: nobody/knows
---
${words}
`;

describe('A custom agent', () => {
	const start = useAgents();
	const path = '.claude/agents/reviewer.md';
	const files = { [path]: reviewer('Look for mistakes.'), 'a.txt': 'a\n' };

	it('is followed only after the user has agreed to what its file says, and asks again when that changes', async () => {
		const asked: Approval[] = [];
		const answers: ApprovalAnswer[] = [{ kind: 'deny', reason: 'Not this one.' }, { kind: 'always' }, { kind: 'once' }];
		const approve = async (approval: Approval): Promise<ApprovalAnswer> => {
			asked.push(approval);
			return answers.shift() ?? { kind: 'deny' };
		};
		const { base, root, as, spawn, told, host } = await start({ files, approvalMode: 'ask', person: { approve } });
		const refused = await as(root, 'agent.spawn', { task: 'Review', agent: 'reviewer', wait: false });
		assert.match(why(refused), /said no to the custom agent "reviewer"/);
		assert.deepEqual(told, []);
		await spawn(root, { agent: 'reviewer' });
		await spawn(root, { agent: 'reviewer' });
		assert.equal(asked.length, 2);
		assert.deepEqual(
			told.map(({ instructions }) => instructions),
			Array(2).fill('Look for mistakes.'),
		);
		host.write(path, reviewer('Delete everything.'));
		assert.equal((await base.agents.custom())[0]?.state, 'changed');
		await spawn(root, { agent: 'reviewer' });
		assert.equal(asked.length, 3);
		const [, , last] = asked;
		assert.match(JSON.stringify(last?.detail), /Delete everything/);
		// A yes to this once keeps nothing.
		assert.match(why(await as(root, 'agent.spawn', { task: 'x', agent: 'reviewer', wait: false })), /said no/);
	});

	it('offers no hand-off once its consent is revoked, or its file has changed', async () => {
		const handing = (words: string) =>
			`---\nname: planner\nhandoffs:\n  - label: Go\n    agent: reviewer\n    prompt: Do it\n---\n${words}\n`;
		const plan = '.claude/agents/planner.md';
		const { base, host } = await start({ files: { ...files, [plan]: handing('Plan.') }, approvalMode: 'full' });
		const planner = join(host.workspace, plan);
		const id = await base.agents.begin('planner', 'agent', null, never);
		const offered = async () => (await base.agents.handOffs(id)).map(({ label }) => label);
		// Nobody was asked in this session, so nothing is kept.
		assert.deepEqual(await offered(), ['Go']);
		await base.agents.allow(planner, never);
		assert.deepEqual(await offered(), ['Go']);
		assert.equal(await base.agents.revoke(planner, never), true);
		assert.deepEqual(await offered(), []);
		await base.agents.allow(planner, never);
		assert.deepEqual(await offered(), ['Go']);
		host.write(plan, handing('Other.'));
		assert.deepEqual(await offered(), []);
	});

	it('has the tools of its file that its parent has, and its file says which there are not', async () => {
		const { base, root, as, spawn, write } = await start({ files, approvalMode: 'full' });
		const child = await spawn(root, { agent: 'reviewer' });
		assert.equal((await as(child, 'fs.read', { path: 'a.txt' })).status, 'done');
		assert.match(why(await write(child, 'b.txt')), /not among the tools/);
		const narrower = await spawn(root, { agent: 'reviewer', tools: ['fs_read', 'fs_write'] });
		assert.match(why(await write(narrower, 'b.txt')), /not among the tools/);
		const [found] = await base.agents.custom();
		assert.deepEqual(found?.problems, [
			'Bash(git diff:*): it may use the whole tool, and each call asks as usual',
			'Telepathy: there is no such tool here',
		]);
		assert.match(
			why(await as(root, 'agent.spawn', { task: 'x', agent: 'nobody' })),
			/no custom agent "nobody"; there are reviewer/,
		);
	});

	it('is not read before the workspace is trusted, nor through a link that leads out of it', async () => {
		const untrusted = await start({ files, isTrusted: false });
		assert.deepEqual(await untrusted.base.agents.custom(), []);
		const { base, host } = await start({ files: { '.github/agents/own.agent.md': 'Own.' }, approvalMode: 'full' });
		const outside = join(tempDir('outside'), 'far.md');
		writeFileSync(outside, 'Far.');
		symlinkSync(outside, join(host.workspace, '.github/agents/far.agent.md'));
		const found = (await base.agents.custom()).map(({ name, state }) => [name, state]);
		assert.deepEqual(found, [
			['far', 'unusable'],
			['own', 'not allowed'],
		]);
		await base.agents.allow(join(host.workspace, '.github/agents/own.agent.md'), never);
		assert.equal((await base.agents.custom())[1]?.state, 'allowed');
	});

	describe('as other programs write it', () => {
		const written = {
			// Claude Code’s own generator writes this form: a colon in a plain text, and lines of an example below.
			'generated.md': `---
name: generated
description: Use this agent when code was written. Examples:

<example>
Context: The user wants a review.
user: "Please look at it: now"
<commentary>
It is time.
</example>
tools: Read, Bash(git diff:*, git log:*)
model: opus
---
Simplify.
`,
			'long.md': `---\nname: long\ndescription: ${'Long. '.repeat(500)}\ntools: Read\n---\nDo it.\n`,
			'list.md': '---\ndescription: a: list\ntools:\n  - Read\n  - "Grep"\n---\nDo it.\n',
			'row.md':
				"---\ndescription: a: row\ntools: ['Read', 'search/textSearch', 'vscode/openSimpleBrowser']\n---\nDo it.\n",
			'blanks.md': '---\nname: blanks\ntools: Read Bash(git log *)\n---\nDo it.\n',
			'twice.md': '---\nname: generated\n---\nDo it.\n',
			'star.md': '---\nname: star\ntools: *\n---\nDo it.\n',
			'no-tools.md': '---\nname: blank\ndescription:\ntools:\nmodel:\n---\nDo it.\n',
			'refused.md': '---\nname: refused\ntools: Read, Grep, Write\ndisallowedTools: Write\n---\nDo it.\n',
			'refuses-none.md': '---\nname: refuses-none\ndisallowedTools:\n---\nDo it.\n',
			'refuses-list.md': '---\nname: refuses-list\ntools: Read\ndisallowedTools: []\n---\nDo it.\n',
			'none.md': '---\nname: none\ntools: ""\n---\nDo it.\n',
			'refused-unknown.md': '---\nname: refused-unknown\ntools: Read\ndisallowedTools: Bsh\n---\nDo it.\n',
			'refused-guess.md': '---\nname: refused-guess\ntools: Read, Bash\ndisallowedTools: Terminal\n---\nDo it.\n',
			'refused-twice.md': '---\ndisallowedTools: Bash\ndisallowed-tools: Write\n---\nDo it.\n',
			'below.md': '---\ndescription: a: b\ntools: Read\nBash is off\n---\nDo it.\n',
			'other.md': '---\ndescription: a: b\ntools: Read\nexcluded: Write, Bash\n---\nDo it.\n',
			'again.md': '---\ndescription: a: b\ntools: Bash, Write\nmodel: opus\ntools: Read\n---\nDo it.\n',
			'moved-in.md': '---\ndescription: a: b\n  tools: Read\n---\nDo it.\n',
			'capitals.md': '---\nname: capitals\nTools: Read\n---\nDo it.\n',
			'comment.md': '---\ndescription: a: b\ntools: Read # no Bash, Write\n---\nDo it.\n',
			'glued.md': '---\ndescription: a: b\ntools:Read\n---\nDo it.\n',
			'quoted.md': '---\ndescription: a: b\n"tools": [Read]\n---\nDo it.\n',
			'apart.md': '---\ndescription: a: b\ndisallowedTools : Bash\n---\nDo it.\n',
			'refused-all.md': '---\nname: refused-all\ndisallowedTools: "*"\n---\nDo it.\n',
			'numbers.md': '---\nname: 7\ndescription: [a, b]\nmodel: { a: 1 }\nhandoffs: no\n---\nDo it.\n',
			'headless.md': 'Do it.\n',
			'windows.md': '\uFEFF---\r\nname: windows\r\ndescription: a: b\r\ntools: Read\r\n---\r\nDo it.\r\n',
			'deep/er/nested.md': '---\nname: nested\n---\nDo it.\n',
			'README.md': '# Agents of the team\n',
			'switches.md': '---\nname: switches\ntools: { write: yes please }\n---\nDo it.\n',
			'on-and-off.md': '---\nname: on-and-off\ntools:\n  Read: true\n  Grep: true\n  bash: false\n---\nDo it.\n',
			'on-but-refused.md':
				'---\nname: on-but-refused\ntools: { read: true, write: true, edit: true }\ndisallowedTools: [write, edit]\n---\nDo it.\n',
			'off.md': '---\nname: off\ntools: { "*": false }\n---\nDo it.\n',
		};
		const short: readonly [name: string, ops: string, problems: RegExp][] = [
			['nested', 'all', /^$/],
			[
				'generated',
				'fs.find,fs.list,fs.read,search.text,shell.output,shell.run,shell.stop',
				/^generated\.md:3: .*line by line/,
			],
			[
				'blanks',
				'fs.find,fs.list,fs.read,search.text,shell.output,shell.run,shell.stop',
				/git log \*\): it may use the whole tool/,
			],
			['headless', 'all', /^$/],
			['refuses-none', 'all', /disallowedTools: it names no tools, so it refuses none/],
			['refuses-list', 'fs.find,fs.list,fs.read,search.text', /disallowedTools: it names no tools, so it refuses none/],
			['list', 'fs.find,fs.list,fs.read,search.text', /line by line/],
			[
				'long',
				'fs.find,fs.list,fs.read,search.text',
				/^long\.md:3: description: 2999 characters, the first 2000 are taken$/,
			],
			['blank', 'all', /tools: it has no value, so the agent has all tools/],
			['none', '', /tools: it names no tools, so the agent has none/],
			['refused-unknown', 'fs.find,fs.list,fs.read,search.text', /Bsh: it is refused, but there is no such tool here/],
			['capitals', 'fs.find,fs.list,fs.read,search.text', /^$/],
			[
				'refused-guess',
				'fs.find,fs.list,fs.read,search.text',
				/Terminal: it is refused, .* it may mean shell\.run, .*, so these are refused/,
			],
			['refused-twice', '', /disallowedTools: expected a list of names/],
			...['again', 'apart', 'below', 'comment', 'glued', 'moved-in', 'other', 'quoted'].map(
				(name): [string, string, RegExp] => [
					name,
					'',
					/tools: expected a list of names\. Without it, the agent could do more/i,
				],
			),
			['7', 'all', /description: it is no text.*model: it is no name.*handoffs: expected a list/s],
			['refused-all', '', /^$/],
			['refused', 'fs.find,fs.list,fs.read,search.text', /^$/],
			['row', 'fs.find,fs.list,fs.read,search.text', /vscode\/openSimpleBrowser: there is no such tool here/],
			['star', 'all', /line by line/],
			['on-and-off', 'fs.find,fs.list,fs.read,search.text', /^$/],
			['on-but-refused', 'fs.find,fs.list,fs.read,search.text', /^$/],
			['off', '', /^$/],
			['switches', '', /^tools: expected a list of names\. Without it, the agent could do more/],
			['windows', 'fs.find,fs.list,fs.read,search.text', /^windows\.md:3: /],
		];

		it('is read whole, and what is not taken is said with its place', async () => {
			const files = Object.fromEntries(Object.entries(written).map(([name, text]) => [`.claude/agents/${name}`, text]));
			const { base, host } = await start({
				files: { ...files, '.github/agents/plain.md': '---\nname: plain\n---\nDo it.\n' },
			});
			const [plain, ...found] = await base.agents.custom();
			assert.equal(plain?.name, 'plain');
			const seen = found.map(({ name, ops, problems }): [string, string, string] => [
				name,
				ops?.toSorted().join(',') ?? 'all',
				problems.join('\n'),
			]);
			const twice = seen.splice(
				seen.findIndex(([, , problems]) => problems.startsWith('it is not used')),
				1,
			);
			assert.match(twice[0]?.[2] ?? '', /^it is not used: .*generated\.md has the same name and comes first$/);
			const opsByName = (all: readonly (readonly [name: string, ops: string, ...unknown[]])[]) =>
				Object.fromEntries(all.map(([name, ops]) => [name, ops]));
			assert.deepEqual(opsByName(seen), opsByName(short));
			for (const [name, , problems] of short)
				assert.match(seen.find(([each]) => each === name)?.[2] ?? '', problems, name);
			assert.deepEqual(
				found.filter(({ state }) => state === 'unusable').map(({ name }) => name),
				[
					...['again', 'apart', 'below', 'comment', 'glued', 'moved-in', 'other', 'quoted'],
					...['refused-twice', 'switches'],
				],
			);
			const generated = found.find(({ name }) => name === 'generated');
			assert.match(generated?.description ?? '', /Context: The user wants a review\. user: "Please look at it: now"/);
			assert.deepEqual([generated?.models, generated?.instructions], [['opus'], 'Simplify.']);
			const path = join(host.workspace, '.claude/agents/generated.md');
			await base.agents.allow(path, never);
			assert.equal((await base.agents.custom()).find((agent) => agent.path === path)?.state, 'allowed');
		});

		it('may be written in UTF-16', async () => {
			const { base, host } = await start({ files: { '.claude/agents/a.md': 'x' }, approvalMode: 'full' });
			const written = '\ufeff---\ndescription: Gr\u00fc\u00dfe\n---\nSimplify.\n';
			writeFileSync(join(host.workspace, '.claude/agents/a.md'), Buffer.from(written, 'utf16le'));
			const [found] = await base.agents.custom();
			assert.deepEqual([found?.description, found?.instructions], ['Gr\u00fc\u00dfe', 'Simplify.']);
		});

		it('says which folder holds more than are read, and how many are left out', async () => {
			const { base, root, as, host } = await start({
				files: { '.claude/agents/a.md': 'Do it.' },
				approvalMode: 'full',
			});
			const folder = join(host.workspace, '.claude/agents');
			for (let n = 0; n < 1_002; n += 1) writeFileSync(join(folder, `b${String(n).padStart(4, '0')}.md`), 'Do it.');
			const found = await base.agents.custom();
			const last = found.at(-1);
			assert.deepEqual([found.length, last?.state, last?.path], [1_001, 'unusable', folder]);
			assert.deepEqual(last?.problems, ['it holds 1003 custom agents; the first 1000 are read, 3 are left out']);
			const missing = why(await as(root, 'agent.spawn', { task: 'x', agent: 'b0998x' }));
			assert.match(missing, /no custom agent "b0998x"; there are b0998, .*, …$/);
			assert.ok(missing.length < 2_000, missing);
		});
	});
});
