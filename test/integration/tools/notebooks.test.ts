/** A notebook through the CLI and real processes: shown as cells, edited as the JSON that it is. */
import assert from 'node:assert/strict';
import {
	type ModelServer,
	type RecordedRequest,
	type ScriptEntry,
	startModelServer,
} from '../../support/model-server.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const call = (name: string, input: unknown): ScriptEntry => ({ toolCalls: [{ name, input }] });
const lastOf = (request: RecordedRequest | undefined) =>
	(request?.body['messages'] as readonly { readonly content: string }[] | undefined)?.at(-1)?.content ?? '';

const secret = `ghp_${'a1B2'.repeat(9)}`;
const notebook = JSON.stringify(
	{
		nbformat: 4,
		nbformat_minor: 5,
		metadata: {},
		cells: [
			{
				cell_type: 'code',
				execution_count: 1,
				metadata: {},
				// The JSON has the token in two strings, the cell in one.
				source: ['print(', `"${secret.slice(0, 20)}`, `${secret.slice(20)}")`],
				outputs: [{ output_type: 'display_data', metadata: {}, data: { 'image/png': 'aaaa' } }],
			},
		],
	},
	undefined,
	1,
);

describe('prowess run, with a notebook', function () {
	this.timeout(commandLimitMs);
	let server: ModelServer | undefined;
	afterEach(async () => {
		await server?.close();
		server = undefined;
	});

	it('shows the model its cells without secrets, and its JSON on request', async () => {
		const user = new User();
		user.writes('a.ipynb', notebook);
		user.writes('broken.ipynb', notebook.slice(0, 30));
		server = await startModelServer([
			call('fs_read', { path: 'a.ipynb' }),
			call('fs_read', { path: 'a.ipynb', raw: true, limit: 3 }),
			call('fs_read', { path: 'broken.ipynb' }),
			{ text: 'Read.' },
		]);
		const { code, stderr } = await user.prompts(server.baseUrl, 'Look into it', ['--json']).ended;
		assert.equal(code, 0, stderr);
		const [cells, raw, broken] = server.requests.slice(1).map(lastOf);
		assert.match(
			cells ?? '',
			/^1\t\[cell 1, code\]\n2\tprint\("<redacted:[^>]+>"\)\n3\t\[output of cell 1\]\n4\t\[left out: image\/png\]\n\[the cells of a notebook; /,
		);
		assert.match(
			raw ?? '',
			/^1\t\{\n2\t "nbformat": 4,\n3\t "nbformat_minor": 5,\n\[lines 1-3 of \d+; read on with offset 4\]$/,
		);
		assert.match(broken ?? '', /^1\t\{\n2\t "nbformat": 4,\n3\t "nbform/);
	});

	it('shows a person who asks for the file its cells', async () => {
		const user = new User();
		user.writes('a.ipynb', notebook);
		server = await startModelServer([]);
		const { stdout } = await user.prompts(server.baseUrl, 'read a.ipynb').ended;
		assert.match(stdout, /`a\.ipynb` is a notebook\. These are its cells:[^]*\[cell 1, code\]/);
		assert.equal(server.requests.length, 0);
	});
});
