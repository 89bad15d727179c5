/** Skills that are only a SKILL.md, started by the agent: the real CLI, its server, and a model endpoint that follows a script. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';
import { hasTerminals, Terminal } from '../cli/terminal.ts';

describe('A skill that the agent starts', function () {
	this.timeout(commandLimitMs * 2);
	let user: User;
	let model: ModelServer;
	beforeEach(() => {
		user = new User();
		user.sets();
	});
	afterEach(() => model.close());

	const writesSkill = (front = '', body = 'Fill $1 as {baseDir}/forms.md says.') => {
		const folder = '.claude/skills/forms';
		user.writes(
			`${folder}/SKILL.md`,
			`---\nname: forms\ndescription: Fills forms. Use it for every form.\n${front}---\n${body}\n`,
		);
		user.writes(`${folder}/forms.md`, 'Fields are filled from the left.\n');
		user.writes(`${folder}/scripts/check.js`, 'console.log("checked by its own script");\n');
	};
	const start = {
		name: 'capability_start',
		input: { name: 'forms', params: { arguments: 'a.pdf now' } },
	} as const;
	/** The folder of its files, as the model reads of it. */
	const folderIn = (text: string) => /Its files lie in ([^,]+), which/.exec(text)?.[1] ?? '';
	const messagesOf = (n: number) => JSON.stringify(model.requests[n]?.body['messages'] ?? []);
	const prompts = async (
		script: Script,
		words: readonly string[] = ['--approve', 'auto'],
		prompt = 'Fill the form',
	) => {
		model = await startModelServer(script);
		return await user.prompts(model.baseUrl, prompt, words).ended;
	};

	it('tells nothing of its text where nobody can agree to it', async () => {
		writesSkill();
		const ended = await prompts([{ toolCalls: [start] }, { text: 'It needs your consent.' }], []);
		assert.equal(ended.code, 0, ended.stderr);
		assert.match(messagesOf(1), /DENIED_BY_RULE/);
		assert.doesNotMatch(messagesOf(1), /skill-instructions name|Fill a\.pdf/);
	});

	it('gives the agent no file beyond its own', async () => {
		writesSkill();
		const ended = await prompts((n, { text }) => {
			const folder = folderIn(text);
			const read = (path: string) => ({ name: 'fs_read', input: { path } });
			return (
				[
					{ toolCalls: [start] },
					{ toolCalls: [read(`${folder}/../package.json`), read(`${folder}x/a`), read(`${folder}/missing.md`)] },
				][n] ?? { text: 'Done.' }
			);
		});
		assert.equal(ended.code, 0, ended.stderr);
		assert.equal(messagesOf(2).match(/PATH_OUTSIDE_WORKSPACE/g)?.length, 2, messagesOf(2));
		assert.match(messagesOf(2), /NOT_FOUND/);
	});

	it('has its instructions followed in the thread: its files are read and its scripts run from a copy', async () => {
		writesSkill();
		const ended = await prompts((n, { text }) => {
			const folder = folderIn(text);
			return (
				[
					{ toolCalls: [start] },
					{ toolCalls: [{ name: 'fs_read', input: { path: `${folder}/forms.md` } }] },
					{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', `${folder}/scripts/check.js`] } }] },
				][n] ?? { text: 'Filled.' }
			);
		});
		assert.equal(ended.code, 0, ended.stderr);
		assert.equal(model.requests.length, 4);
		assert.match(messagesOf(1), /Nothing was run\.\].*<skill-instructions name=\\"skill\/forms\\">/);
		assert.match(messagesOf(1), /Fill a\.pdf as \/[^ ]*\/snapshots\/[0-9a-f]{64}\/capability\/forms\.md says\./);
		assert.match(messagesOf(1), /There are forms\.md, scripts\/check\.js/);
		assert.match(messagesOf(2), /Fields are filled from the left/);
		assert.match(messagesOf(3), /checked by its own script/);
		const { stdout } = await user.runs(['ledger', 'list', '--text', 'capability.load', '--json']);
		assert.match(stdout, /skill forms 1\.0\.0/);
	});

	for (const [prompt, isMeant] of [
		['Fill it with forms', false],
		['/forms a.pdf', true],
	] as const) {
		it(`${isMeant ? 'is' : 'is not'} started by "${prompt}" where only people may start it`, async () => {
			writesSkill('disable-model-invocation: true\n');
			const auto = ['--approve', 'auto'];
			const ended = await prompts([{ toolCalls: [start] }, { text: 'Done.' }], auto, prompt);
			assert.equal(ended.code, 0, ended.stderr);
			assert.equal(/<skill-instructions name/.test(messagesOf(1)), isMeant, messagesOf(1));
			assert.equal(/is for people only/.test(messagesOf(1)), !isMeant);
		});
	}

	it('may be a command or a prompt file of the project, which is followed when its name is typed', async () => {
		const front = '---\ndescription: Fills forms\nargument-hint: "[file]"\n---\n';
		user.writes('.claude/commands/office/fill.md', `${front}Fill $ARGUMENTS as @forms.md says.\n`);
		user.writes('.github/prompts/forms.prompt.md', '---\nmode: agent\n---\nFill ${input:file:a file}.\n');
		const listed = await user.runs(['capability', 'list', '--trust']);
		assert.match(listed.stdout, /forms[^]*office-fill/, listed.stderr);
		const fill = { ...start, input: { name: 'office-fill', params: { arguments: 'b.pdf' } } };
		const script = [{ toolCalls: [start, fill] }, { text: 'Done.' }];
		const ended = await prompts(script, ['--approve', 'auto'], '/forms a.pdf');
		assert.equal(ended.code, 0, ended.stderr);
		assert.match(messagesOf(1), /<skill-instructions name=\\"skill\/forms\\">[^]*Fill a\.pdf now\./, messagesOf(1));
		assert.match(
			messagesOf(1),
			/<skill-instructions name=\\"skill\/office-fill\\">[^]*Fill b\.pdf as @forms\.md says\./,
		);
	});

	it('is looked at without being followed', async () => {
		writesSkill();
		const look = { name: 'capability_detail', input: { name: 'forms' } };
		const ended = await prompts([{ toolCalls: [look] }, { text: 'It fills forms.' }]);
		assert.equal(ended.code, 0, ended.stderr);
		assert.match(messagesOf(1), /Fill \$1 as \{baseDir\}\/forms\.md says\./);
		assert.doesNotMatch(messagesOf(1), /skill-instructions name/);
	});

	it('runs by itself where its front matter says context: fork', async () => {
		writesSkill('context: fork\n');
		const ended = await prompts([{ toolCalls: [start] }, { text: 'Filled apart.' }, { text: 'Done.' }]);
		assert.equal(ended.code, 0, ended.stderr);
		assert.match(messagesOf(1), /You carry out one task of a capability/);
		assert.match(messagesOf(2), /Filled apart\.[^]*\[skill forms completed\]/);
		assert.doesNotMatch(messagesOf(2), /skill-instructions name/);
	});

	it('stays with the thread when older messages leave it', async () => {
		writesSkill();
		model = await startModelServer([
			{ toolCalls: [start] },
			{ text: 'Filled.' },
			{ text: 'A form was filled.' },
			{ text: 'Yes.' },
		]);
		const first = await user.prompts(model.baseUrl, 'Fill the form', ['--approve', 'auto', '--json']).ended;
		const thread = ['--thread', /"id":"(thr_[^"]+)"/.exec(first.stdout)?.[1] ?? ''];
		for (const prompt of ['/compact', 'And the next one?']) {
			const ended = await user.prompts(model.baseUrl, prompt, thread).ended;
			assert.equal(ended.code, 0, ended.stderr);
		}
		const said = messagesOf(model.requests.length - 1);
		assert.match(said, /<left-out>/);
		assert.equal(said.match(/<skill-instructions name=/g)?.length, 1, said);
		assert.match(said, /Fill a\.pdf as/);
	});

	it('takes the other tools from its thread until the next message, also when all processes were killed', async () => {
		writesSkill('required-tools: Edit\n');
		const toolsOf = (n: number) =>
			((model.requests[n]?.body['tools'] ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name);
		const write = { name: 'fs_write', input: { path: 'new.txt', content: 'x' } };
		const script = [
			{ toolCalls: [start] },
			{ then: 'stall' },
			{ toolCalls: [write] },
			{ text: 'It is left out.' },
			{ toolCalls: [write] },
			{ text: 'Written.' },
		] as const;
		model = await startModelServer(script);
		const auto = ['--approve', 'auto'];
		const killed = user.promptsApart(model.baseUrl, 'Fill the form', [...auto, '--json']);
		await model.request(2);
		const thread = /"id":"(thr_[^"]+)"/.exec(killed.stdout)?.[1] ?? '';
		killed.child.kill('SIGKILL');
		await killed.ended;
		assert.deepEqual([toolsOf(0).includes('fs_write'), toolsOf(1).includes('fs_write')], [true, false]);
		assert.ok(toolsOf(1).includes('fs_edit'));

		const goesOn = await user.prompts(model.baseUrl, 'Continue.', [...auto, '--json', '--thread', thread]).ended;
		assert.equal(goesOn.code, 0, goesOn.stderr);
		assert.equal(toolsOf(2).includes('fs_write'), false);
		assert.match(messagesOf(3), /fs_write is left out by skill\/forms until the user's next message/);
		assert.match(goesOn.stdout, /only these tools, because it follows skill\/forms: .*fs\.edit/);
		assert.equal(existsSync(join(user.workspace, 'new.txt')), false);

		const next = await user.prompts(model.baseUrl, 'Write it now', [...auto, '--thread', thread]).ended;
		assert.equal(next.code, 0, next.stderr);
		assert.equal(toolsOf(4).includes('fs_write'), true);
		assert.equal(existsSync(join(user.workspace, 'new.txt')), true);
	});

	it('runs without a question only what its allowed-tools name', async function () {
		if (!hasTerminals) this.skip();
		writesSkill('allowed-tools: Bash(node:*)\n');
		model = await startModelServer((n, { text }) => {
			const script = `${folderIn(text)}/scripts/check.js`;
			return (
				[
					{ toolCalls: [start] },
					{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', script] } }] },
					{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', '-p', '1'] } }] },
				][n] ?? { text: 'Filled.' }
			);
		});
		const words = ['run', 'Fill', '--trust', '--provider', 'openai-compatible'];
		const named = ['--base-url', model.baseUrl, '--model', 'scripted'];
		const terminal = new Terminal(user, [...words, ...named]);
		for (const [index, answer] of ['y\n', 'n\n'].entries()) {
			const isAsked = () => terminal.shown.split('Allow? ').length > index + 1;
			await waitFor(`question ${index + 1}`, isAsked, commandLimitMs);
			terminal.types(answer);
		}
		await terminal.ended;
		assert.match(terminal.shown, /runs commands that begin with "node"/);
		assert.match(messagesOf(2), /checked by its own script/);
		assert.match(messagesOf(3), /DENIED_BY_USER|denied/i);
		assert.equal(terminal.shown.split('Allow? ').length, 3, terminal.shown);
	});
});
