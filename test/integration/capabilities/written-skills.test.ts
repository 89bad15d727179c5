/** Skills that are only a SKILL.md: what they may ask for, what a person allowed them beforehand, and what is asked all the same. */
import assert from 'node:assert/strict';
import type { Approval } from '../../../src/protocol/approvals/approvals.ts';
import { CapabilityScene, type CapabilitySceneOptions } from '../../support/capability-scene.ts';
import type { Script } from '../../support/model-server.ts';

describe('A skill that is written', function () {
	this.timeout(60_000);
	let scene: CapabilityScene;
	afterEach(() => scene.close());

	/**
	 * Script of a model that runs these commands one after the other; `<folder>` stands for the folder of the skill's
	 * own files.
	 */
	const commands =
		(...lines: readonly string[]): Script =>
		(n, { text }) => {
			const [, folder = ''] = /Its folder is ([^;]+);/.exec(text) ?? [];
			const argv = lines[n]?.replaceAll('<folder>', folder).split(' ');
			return argv === undefined ? { text: 'Done.' } : { toolCalls: [{ name: 'shell_run', input: { argv } }] };
		};
	const written = (front: string) => ({
		'SKILL.md': `---\nname: writes\ndescription: Writes\n${front}---\nDo as scripts/run.js says.\n`,
		'scripts/run.js': 'console.log("from its own file");\n',
	});
	/** Opens the scene with a person who answers every question with yes, once, and collects the questions asked. */
	const opened = async (front: string, options: CapabilitySceneOptions) => {
		const asked: Approval[] = [];
		scene = await CapabilityScene.open({
			approvalMode: 'ask',
			person: {
				approve(question) {
					asked.push(question);
					return Promise.resolve({ kind: 'once' });
				},
			},
			...options,
		});
		scene.capability('skill', 'writes', written(front));
		return asked;
	};
	const titles = (asked: readonly Approval[]) => asked.map(({ title }) => title);
	const results = () => JSON.stringify(scene.model?.requests.at(-1)?.body['messages'] ?? []).replaceAll(/\\+n/g, '\n');

	it('may run commands without allowed-tools, each of which is asked', async () => {
		const asked = await opened('', { script: commands('node <folder>/scripts/run.js', 'node --version') });
		const { error } = await scene.run('writes');
		assert.equal(error, undefined, error?.message);
		assert.match(results(), /from its own file/);
		assert.equal(asked.length, 3);
		const [consent, first, second] = asked;
		assert.match(
			JSON.stringify(consent?.detail),
			/everything the agent may ask for; each op needs approval as for the agent/,
		);
		assert.doesNotMatch(JSON.stringify(consent?.detail), /without asking/);
		assert.match(JSON.stringify(consent?.detail), /Runs no code of its own/);
		assert.match(first?.title ?? '', /^Run node .*scripts\/run\.js$/);
		assert.equal(second?.title, 'Run node --version');
	});

	it('is asked for what its allowed-tools do not name, and for what looks dangerous', async () => {
		const asked = await opened('allowed-tools: Read, Bash(node:*), mcp__other\n', {
			script: commands('node <folder>/scripts/run.js', 'node -p 1', 'ls', 'node ../run.js'),
		});
		const { error } = await scene.run('writes');
		assert.equal(error, undefined, error?.message);
		assert.match(results(), /from its own file/);
		const [consent] = asked;
		const detail = JSON.stringify(consent?.detail);
		assert.match(detail, /Without asking: runs commands that begin with \\"node\\"/);
		assert.match(detail, /Names tools without effect here: Read, mcp__other/);
		assert.deepEqual(titles(asked).slice(1), ['Run node -p 1', 'Run ls', 'Run node ../run.js']);
		const [allowed] = await scene.rows('shell.run');
		assert.match(allowed?.decision ?? '', /allow \(allowed-tools\)/);
	});

	it('is refused what a rule of the user refuses, whatever its allowed-tools name', async () => {
		const asked = await opened('allowed-tools: Bash(node:*)\n', {
			script: commands('node <folder>/scripts/run.js'),
			settings: { 'prowess.approvals.deny': ['shell.run node'] },
		});
		await scene.run('writes');
		assert.equal(asked.length, 1);
		assert.match(results(), /DENIED_BY_RULE/);
	});

	it('is allowed nothing beforehand where no person agreed to it', async () => {
		const edits = { name: 'http_get', input: { url: 'https://example.org/' } };
		const asked = await opened('allowed-tools: WebFetch\n', {
			approvalMode: 'auto',
			script: [{ toolCalls: [edits] }, { text: 'Done.' }],
		});
		const { error } = await scene.run('writes');
		assert.equal(error, undefined, error?.message);
		assert.deepEqual(asked, []);
		assert.match(results(), /DENIED_BY_RULE/);
	});

	it('is allowed nothing by front matter that is no YAML', async () => {
		const asked = await opened('note: a: b\nallowed-tools: Bash(node:*)\n', {
			script: commands('node <folder>/scripts/run.js'),
		});
		await scene.run('writes');
		assert.equal(asked.length, 2);
	});

	it('gives what was done when the budget of its front matter ends before it is done', async () => {
		const look = (n: number) => ({ name: 'fs_list', input: { path: '.' }, callId: `call_${n}` });
		await opened('budget: { iterations: 2 }\n', {
			approvalMode: 'auto',
			script: (n) => ({ text: `Looked ${n + 1} times.`, toolCalls: [look(n)] }),
		});
		const { success, result, additionalContext } = await scene.run('writes');
		assert.deepEqual([success, result], [true, 'Looked 2 times.']);
		assert.match(
			JSON.stringify(additionalContext),
			/the budget ended before the work was done \(iterations, after 2 answers\)/,
		);
		assert.equal(scene.model?.requests.length, 2);
	});

	it('reads files of its own that are too large for a document', async () => {
		const asked = await opened('', {
			approvalMode: 'auto',
			script: (n, { text }) => {
				const [, folder = ''] = /Its folder is ([^;]+);/.exec(text) ?? [];
				const path = `${folder}/rows.csv`;
				return n === 0
					? { toolCalls: [{ name: 'fs_read', input: { path, offset: 29_999, limit: 2 } }] }
					: { text: 'Read.' };
			},
		});
		const rows = Array.from({ length: 30_000 }, (_, n) => `row number ${n + 1}\n`).join('');
		scene.capability('skill', 'writes', { 'rows.csv': rows });
		const { error } = await scene.run('writes');
		assert.equal(error, undefined, error?.message);
		assert.match(scene.model?.requests[0]?.text ?? '', /that are no documents[^"]*rows\.csv/);
		assert.match(results(), /row number 30000/);
		assert.deepEqual(asked, []);
	});

	it('names its folder and what it was called with where its text has places for them', async () => {
		await opened('', { approvalMode: 'auto', script: [{ text: 'Done.' }] });
		scene.capability('skill', 'places', {
			'SKILL.md': '---\nname: places\ndescription: Has places\n---\nRun {baseDir}/run.js with $2, not $9.\n',
		});
		await scene.run('places', { arguments: 'one two' });
		assert.match(scene.model?.requests[0]?.text ?? '', /Run \/[^ ]+\/run\.js with two, not \$9\./);
	});

	it('names the folder of its plugin, agrees to all of that, and reads its other files', async () => {
		const front = 'context: fork\n';
		const asked = await opened('', {
			script: (n, { text }) => {
				const [, root = ''] = /Keep to ([^ ]+)\/house\.md/.exec(text) ?? [];
				const reads = { name: 'fs_read', input: { path: `${root}/house.md` } };
				return n === 0 ? { toolCalls: [reads] } : { text: 'Kept.' };
			},
		});
		scene.capability('plugins', 'kit', {
			'prowess-plugin/plugin.json': JSON.stringify({
				prowessPlugin: 1,
				name: 'kit',
				version: '1.0.0',
				skills: ['skills/tidy'],
				agents: [],
				notTaken: [],
			}),
			'skills/tidy/SKILL.md': `---\nname: tidy\ndescription: Tidies\n${front}---\nKeep to \${CLAUDE_PLUGIN_ROOT}/house.md in {baseDir} too.\n`,
			'house.md': 'No dust.\n',
		});
		const { result, error } = await scene.run('kit:tidy');
		assert.equal(result, 'Kept.', error?.message);
		assert.match(
			scene.model?.requests[0]?.text ?? '',
			/Keep to (\/\S+\/capability)\/house\.md in \1\/skills\/tidy too\./,
		);
		assert.match(results(), /No dust\./);
		assert.equal(asked.length, 1);
		scene.capability('plugins', 'kit', { 'house.md': 'Some dust.\n' });
		await scene.run('kit:tidy');
		assert.equal(asked.length, 2);
	});

	it('may be a power that is only a POWER.md, as Kiro has them', async () => {
		await opened('', { approvalMode: 'auto', script: [{ text: 'On.' }] });
		scene.capability('power', 'lights', {
			'POWER.md': '---\nname: lights\ndisplayName: Lights\ndescription: Switches lights\n---\nSwitch by the rules.\n',
			'steering/rules.md': 'Dim first.\n',
		});
		const { result, error } = await scene.run('lights');
		assert.equal(result, 'On.', error?.message);
		assert.match(scene.model?.requests[0]?.text ?? '', /Switch by the rules\.[^]*Dim first\./);
	});

	it('follows its own documents', async () => {
		const asked = await opened('', {
			script: [{ toolCalls: [{ name: 'read_document', input: { name: 'scripts/run.js' } }] }, { text: 'Done.' }],
		});
		await scene.run('writes');
		const system = scene.model?.requests[0]?.text ?? '';
		assert.match(system, /the documents that are listed with them, say how to do it: follow them/);
		assert.equal(asked.length, 1);
	});
});
