/** `prowess code …` and an agent that searches code by what it is about: the real CLI, and a model server on this machine. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '../../support/model-server.ts';
import { writeFiles } from '../../support/workspace-on-disk.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('prowess code', function () {
	this.timeout(commandLimitMs);

	it('is refused where the index is off, and the model is not offered the search', async () => {
		const user = new User();
		mkdirSync(user.home);
		const server = await startModelServer([{ text: 'Hello.' }]);
		try {
			const refused = await user.runs(['code', 'search', 'where a mail is sent', '--trust']);
			assert.equal(refused.code, 1);
			assert.match(refused.stderr, /The code index is off\. Switch it on with the setting prowess\.search\.codeIndex/);
			await user.prompts(server.baseUrl, 'Where is a mail sent?').ended;
			assert.ok(!JSON.stringify(server.requests[0]?.body['tools'] ?? assert.fail('no tools')).includes('search_code'));
			assert.ok(!existsSync(join(user.home, 'code-index')));
		} finally {
			await server.close();
		}
	});

	it('is found by the embedding model that the user names, which sees no secret, and on this machine where it fails', async () => {
		const user = new User();
		mkdirSync(user.home);
		const token = `ghp_${'a1B2c3D4'.repeat(4)}abcd`;
		await writeFiles(user.workspace, {
			'src/mail.ts': `export function sendMail() {\n\t// Over SMTP, with ${token}.\n}\n`,
			'src/tax.ts': 'export function computeTax() {\n\t// Of an invoice, by country.\n}\n',
		});
		let status: number | undefined;
		const server = await startModelServer([], {
			embeds: (texts) => status ?? texts.map((text) => (/postman|SMTP/.test(text) ? [1, 0] : [0, 1])),
		});
		try {
			const provider = { id: 'local', kind: 'openai-compatible', baseUrl: server.baseUrl, models: ['m'] };
			const settings = {
				'prowess.providers': [provider],
				'prowess.search.codeIndex': true,
				'prowess.search.codeIndexEmbeddings': 'local/small',
			};
			writeFileSync(join(user.home, 'settings.json'), JSON.stringify(settings));
			const search = () => user.runs(['code', 'search', 'postman', '--trust']);
			assert.match((await search()).stdout, /^src\/mail\.ts:1-3 {2}sendMail/);
			assert.equal(((server.embedded[0]?.body['input'] ?? []) as string[]).length, 3);
			assert.ok(!JSON.stringify(server.embedded).includes(token));
			status = 500;
			assert.match((await search()).stderr, /embedding model did not answer, so places were compared on this machine/);
			assert.deepEqual(server.embedded[1]?.body['input'], ['postman']);
		} finally {
			await server.close();
		}
	});

	it('finds code for the user and for the agent, through the gate and in the ledger, and is deleted at once', async () => {
		const user = new User();
		mkdirSync(user.home);
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify({ 'prowess.search.codeIndex': true }));
		await writeFiles(user.workspace, {
			'src/mail.ts': 'export function sendMail() {\n\t// Delivers a message over SMTP, and tries again.\n}\n',
			'src/tax.ts': 'export function computeTax() {\n\t// Of an invoice, by country.\n}\n',
		});
		const server = await startModelServer([
			{ toolCalls: [{ name: 'search_code', input: { query: 'tax of an invoice' } }] },
			{ text: 'In src/tax.ts.' },
			{ text: 'In src/mail.ts.' },
		]);
		try {
			const found = await user.runs(['code', 'search', 'how is a message delivered', '--trust']);
			assert.match(found.stdout, /^src\/mail\.ts:1-3 {2}sendMail\n {4}export function sendMail/, found.stderr);
			const json = await user.runs(['code', 'search', 'invoice', '--in', 'src', '--limit', '1', '--json']);
			const { places } = JSON.parse(json.stdout) as { places: { path: string }[] };
			assert.deepEqual(
				places.map(({ path }) => path),
				['src/tax.ts'],
			);
			assert.match((await user.runs(['code', 'update'])).stderr, /^The index holds 2 of 2 files\.\n$/);
			await user.prompts(server.baseUrl, 'Where is the tax computed?').ended;
			assert.match(server.requests[1]?.text ?? '', /src\/tax\.ts:1-3 computeTax/);
			await user.prompts(server.baseUrl, 'Who delivers a message? @codebase').ended;
			assert.match(server.requests[2]?.text ?? '', /<codebase>\\nsrc\/mail\.ts:1-3 sendMail/);
			const rows = await user.runs(['ledger', 'list', '--op', 'search.code']);
			assert.match(rows.stdout, /Find code about "tax of an invoice"/);
			assert.match((await user.runs(['code', 'remove'])).stderr, /^Deleted: the code index of all folders\n$/);
			assert.ok(!existsSync(join(user.home, 'code-index')));
		} finally {
			await server.close();
		}
	});
});
