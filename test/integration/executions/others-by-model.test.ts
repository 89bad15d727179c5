/** Capabilities written for other systems, started by a model: a skill for AgentOS, an agent for Codebolt, and one that overrides it. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startModelServer } from '../../support/model-server.ts';
import { workerSkills } from '../../support/worker-skills.ts';
import { commandLimitMs, eventsOf, User } from '../cli/cli-process.ts';

const program = readFileSync(
	join(import.meta.dirname, '../../fixtures/executors/written-for-codebolt/index.js'),
	'utf8',
);
const lack = workerSkills.find(({ runtime }) => runtime === 'python-worker')?.lack;

describe('A capability written for another system', function () {
	this.timeout(2 * commandLimitMs);
	let user: User;
	beforeEach(() => {
		user = new User();
		user.sets();
		user.writes('a.txt', 'hello\n');
	});

	/** Has a model start it; returns the titles of its steps, the status of its card, and the result that the model then reads. */
	const startByModel = async (input: object) => {
		const server = await startModelServer([{ toolCalls: [{ name: 'capability_start', input }] }, { text: 'Done.' }]);
		try {
			const ended = await user.prompts(server.baseUrl, 'Start it', ['--approve', 'full', '--trust', '--json']).ended;
			assert.equal(ended.code, 0, ended.stderr);
			const events = eventsOf(ended);
			const steps = events.flatMap((event) =>
				event.type === 'item.step' && event.step.status !== 'running' ? [event.step.title] : [],
			);
			const status = events.flatMap((event) => (event.type === 'item.tool' ? (event.patch.status ?? []) : [])).at(-1);
			return { steps, status, told: server.requests[1]?.text ?? '' };
		} finally {
			await server.close();
		}
	};
	/** An agent that says before each of its messages whose it is. */
	const writeAgent = (home: string, whose: string) => {
		const folder = join(home, '.codebolt/agents/simple');
		mkdirSync(folder, { recursive: true });
		const manifest = `title: Simple Agent\nunique_id: simple\nversion: 1.0.0\ndescription: ${whose}\n`;
		writeFileSync(join(folder, 'codeboltagent.yaml'), manifest);
		const said = program.replace("'sendMessage', message }", `'sendMessage', message: '${whose}: ' + message }`);
		assert.notEqual(said, program);
		writeFileSync(join(folder, 'index.js'), said);
	};

	it('runs as a skill for AgentOS by its tool and its params', async function () {
		if (lack !== undefined) this.skip();
		const folder = '.prowess/capabilities/skill/weather';
		user.writes(`${folder}/readme.md`, '---\nid: weather\ndescription: Looks up\n---\n');
		user.writes(
			`${folder}/get-weather.py`,
			'from agentos import progress, returns\n@returns("day")\nasync def today(*, city: str):\n    """Looks up a city."""\n    await progress.report("asking")\n    return {"city": city, "sky": "grey"}\n',
		);
		const { steps, status, told } = await startByModel({ name: 'weather', tool: 'today', params: { city: 'Bern' } });
		assert.equal(status, 'done', told);
		assert.ok(steps.includes('asking'), steps.join());
		// The result stands in the JSON of the request, escaped.
		assert.match(told, /sky[^a-z]+grey/);
	});

	it('runs as an agent for Codebolt, and the one of the project overrides the one of the user', async () => {
		const reads = { type: 'fsEvent', action: 'readFile', message: { filePath: 'a.txt' }, waitsFor: 'readFileResponse' };
		const message = JSON.stringify([
			['say', 'On it'],
			['call', reads],
		]);
		const input = { name: 'simple', params: { message } };
		writeAgent(dirname(user.home), 'Of the user');
		const first = await startByModel(input);
		assert.equal(first.status, 'done', first.told);
		assert.ok(first.steps.includes('Of the user: On it') && first.steps.includes('Read a.txt'), first.steps.join());
		assert.match(first.told, /hello/);
		writeAgent(user.workspace, 'Of the project');
		const shown = await user.runs(['capability', 'show', 'simple']);
		assert.match(shown.stdout, /Of the project[\s\S]*overrides +.*\(global\)/);
		const second = await startByModel(input);
		assert.equal(second.status, 'done', second.told);
		assert.ok(second.steps.includes('Of the project: On it'), second.steps.join());
		assert.ok(!second.steps.includes('Of the user: On it'), second.steps.join());
	});
});
