import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { JudgedServer } from '../../contract/ports/organisation.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import type { OrganisationRules } from '../../protocol/settings/organisation-rules.ts';
import { readSettings } from '../../protocol/settings/read-settings.ts';
import { inEnglish, type Text } from '../../protocol/text/text.ts';
import { loadOrganisation } from './load-organisation.ts';
import { ManagedRules } from './managed-rules.ts';
import { organisationFile, ownershipProblem, systemPlace } from './system-file.ts';

const never = new AbortController().signal;
const rulesOf = (rules: Partial<OrganisationRules>) =>
	new ManagedRules({ organisation: 'Example', ...rules }, '/etc/x');
const isAllowed = (refusal: Text | undefined) => refusal === undefined;
const mine = process.getuid?.() ?? 0;

describe('The rules of an organisation', () => {
	const places: readonly (readonly [NodeJS.Platform, file: string, owners: readonly number[] | undefined])[] = [
		['linux', '/etc/prowess/organisation.json', [0]],
		['darwin', '/Library/Application Support/Prowess/organisation.json', [0]],
		['win32', 'C:\\Program Files\\Prowess\\organisation.json', undefined],
	];
	for (const [platform, file, owners] of places) {
		it(`lie in the folder of the system on ${platform}`, () => {
			const place = systemPlace(platform);
			assert.equal(organisationFile(place), file);
			assert.deepEqual(place.owners, owners);
		});
	}

	const facts: readonly (readonly [
		uid: number,
		mode: number,
		owners: readonly number[] | undefined,
		isSafe: boolean,
	])[] = [
		[0, 0o100644, [0], true],
		[0, 0o100600, [0], true],
		[1000, 0o100644, [0], false],
		[0, 0o100664, [0], false],
		[0, 0o100646, [0], false],
		[0, 0o100666, undefined, true],
	];
	for (const [uid, mode, owners, isSafe] of facts) {
		it(`${isSafe ? 'count' : 'are refused'} as user ${uid} with mode ${mode.toString(8)} where ${owners?.join() ?? 'no one'} must own them`, () => {
			assert.equal(ownershipProblem({ uid, mode }, owners) === undefined, isSafe);
		});
	}

	describe('on the disk', () => {
		function systemWith(content: string | undefined): { folder: string; owners: readonly number[]; file: string } {
			const folder = join(tempDir('system'), 'prowess');
			mkdirSync(folder, { mode: 0o755 });
			const file = join(folder, 'organisation.json');
			if (content !== undefined) writeFileSync(file, content, { mode: 0o644 });
			return { folder, owners: [mine], file };
		}
		const load = (system: { folder: string; owners: readonly number[] }) =>
			loadOrganisation(system, tempDir('home'), never);
		const refusedWith = (why: RegExp) => (error: unknown) =>
			isProwessError(error) && error.code === 'ORGANISATION_RULES_REFUSED' && why.test(error.message);

		it('are none where there is no file, and none where there is no folder', async () => {
			assert.equal(await load(systemWith(undefined)), undefined);
			assert.equal(await load({ folder: join(tempDir('system'), 'none'), owners: [mine] }), undefined);
		});

		it('are read with their place', async () => {
			const system = systemWith('{"organisation": "Example", "widestLevel": "edit"}');
			const organisation = await load(system);
			assert.equal(organisation?.place, system.file);
			assert.deepEqual(organisation.words().map(inEnglish), ['Widest permission level: Edit freely']);
		});

		const broken: readonly (readonly [what: string, content: string, why: RegExp])[] = [
			[
				'invalid JSON',
				'{"organisation": "Example",\n "models": [}',
				/organisation\.json: it is not valid JSON: .*Unexpected token/,
			],
			['an unknown key', '{"organisation": "Example", "model": ["x"]}', /there is no "model", did you mean "models"\?/],
			['an unknown level', '{"organisation": "Example", "widestLevel": "wide"}', /widestLevel: /],
			['no name', '{"models": []}', /organisation: /],
			['a list', '[]', /it holds no object/],
			['an end that is past', '{"organisation": "Example", "validUntil": "2020-01-31"}', /valid until 2020-01-31/],
			['an address without a key', '{"address": "https://example.org/r.json"}', /publicKey: /],
			['a fraction of days', '{"organisation": "Example", "ledger": {"leastDays": 90, "mostDays": 30}}', /leastDays: /],
		];
		for (const [what, content, why] of broken) {
			it(`are refused as a whole with ${what}`, async () => {
				await assert.rejects(load(systemWith(content)), refusedWith(why));
			});
		}

		it('are refused where somebody else could have written the file or its folder, or put a link there', async () => {
			const good = '{"organisation": "Example"}';
			const writable = systemWith(good);
			chmodSync(writable.file, 0o666);
			await assert.rejects(load(writable), refusedWith(/its group or others may write it/));
			const open = systemWith(good);
			chmodSync(open.folder, 0o777);
			await assert.rejects(load(open), refusedWith(/its folder is not safe/));
			await assert.rejects(load({ ...systemWith(good), owners: [mine + 1] }), refusedWith(/belongs to user/));
			const linked = systemWith(undefined);
			symlinkSync(systemWith(good).file, linked.file);
			await assert.rejects(load(linked), refusedWith(/it is a link/));
		});
	});

	it('tighten settings, whichever side is tighter', () => {
		const { settings } = readSettings(
			(_name, key) =>
				({
					'prowess.approvals.widestLevel': 'auto',
					'prowess.quotas.dollarsPerDay': 5,
					'prowess.quotas.tokensPerHour': 1_000,
					'prowess.ledger.keepDays': 7,
					'prowess.ledger.anchor': 'git-note:/mine',
					'prowess.providers': [
						{ id: 'a', kind: 'anthropic' },
						{ id: 'o', kind: 'openai' },
						{ id: 'own', kind: 'openai-compatible', baseUrl: 'https://llm.example.org/v1' },
						{ id: 'other', kind: 'openai-compatible', baseUrl: 'https://llm.example.org.evil.test/v1' },
					],
					'prowess.hooks': [
						{ when: 'before', run: ['guard'], sandbox: false, needs: { network: ['a.test', 'b.test'] } },
					],
				})[key],
		);
		const rules = rulesOf({
			widestLevel: 'edit',
			sandbox: 'required',
			hosts: ['a.test'],
			providers: ['anthropic', 'https://llm.example.org/*'],
			models: ['anthropic/claude-*', 'openai-compatible/*'],
			quotas: { dollarsPerDay: 9, tokensPerHour: 500, dollarsPerMonth: 100 },
			ledger: { leastDays: 30, anchor: 'https://anchors.example.org/' },
		});
		const tight = rules.tighten(settings);
		assert.equal(tight['prowess.approvals.widestLevel'], 'edit');
		assert.deepEqual(
			(['dollarsPerDay', 'tokensPerHour', 'dollarsPerMonth'] as const).map((each) => tight[`prowess.quotas.${each}`]),
			[5, 500, 100],
		);
		assert.equal(tight['prowess.ledger.keepDays'], 30);
		assert.equal(tight['prowess.ledger.anchor'], 'https://anchors.example.org/');
		assert.deepEqual(
			tight['prowess.providers'].map(({ id, allowedModels }) => [id, allowedModels]),
			[
				['a', ['claude-*']],
				['o', []],
				['own', ['*']],
				['other', []],
			],
		);
		assert.deepEqual(tight['prowess.hooks'][0], {
			when: 'before',
			run: ['guard'],
			sandbox: true,
			needs: { network: ['a.test'] },
		});
		assert.equal(rulesOf({}).tighten(settings)['prowess.ledger.keepDays'], 7);
		assert.equal(
			rulesOf({ ledger: { mostDays: 90 } }).tighten({ ...settings, 'prowess.ledger.keepDays': 0 })[
				'prowess.ledger.keepDays'
			],
			90,
		);
	});

	it('let through hosts as they are named, and nothing that begins or ends like one', () => {
		const { refusalOfHost } = {
			refusalOfHost: (host: string) =>
				isAllowed(rulesOf({ hosts: ['api.example.org', '*.docs.test', 'local:3000'] }).refusalOfHost(host)),
		};
		const hosts = ['api.example.org', 'API.example.org:8443', 'a.docs.test', 'docs.test', 'local:3000'];
		const others = [
			'example.org',
			'api.example.org.evil.test',
			'evildocs.test',
			'local',
			'local:3001',
			'xapi.example.org',
		];
		assert.deepEqual(
			hosts.filter((host) => !refusalOfHost(host)),
			[],
		);
		assert.deepEqual(others.filter(refusalOfHost), []);
		assert.equal(isAllowed(rulesOf({}).refusalOfHost('any.test')), true);
		assert.equal(isAllowed(rulesOf({ hosts: [] }).refusalOfHost('any.test')), false);
	});

	it('let a server through by each word of its command line, its variables and its address', () => {
		const rules = rulesOf({
			mcpServers: [
				{ command: ['npx', '-y', '@modelcontextprotocol/server-*'], env: ['TOKEN'] },
				{ url: 'https://mcp.example.org/*' },
			],
		});
		const stdio = { kind: 'stdio', command: 'npx', env: {}, isSandboxed: true, network: [] } as const;
		const cases: readonly (readonly [JudgedServer, boolean])[] = [
			[{ ...stdio, args: ['-y', '@modelcontextprotocol/server-memory'] }, true],
			[{ ...stdio, args: ['-y', '@modelcontextprotocol/server-memory'], env: { TOKEN: 'x' } }, true],
			[{ ...stdio, args: ['-y', '@modelcontextprotocol/server-memory'], env: { NODE_OPTIONS: '-r ./x' } }, false],
			[{ ...stdio, args: ['-y', '@modelcontextprotocol/server-memory', '--root=/'] }, false],
			[{ ...stdio, args: ['-y', '@evil/server-memory'] }, false],
			[{ ...stdio, command: './npx', args: ['-y', '@modelcontextprotocol/server-memory'] }, false],
			[{ kind: 'http', url: 'https://mcp.example.org/a' }, true],
			[{ kind: 'http', url: 'https://mcp.example.org@evil.test/a' }, false],
			[{ kind: 'http', url: 'https://mcp.example.org.evil.test/a' }, false],
			[{ kind: 'http', url: 'http://mcp.example.org/a' }, false],
		];
		for (const [server, allowed] of cases) {
			assert.equal(isAllowed(rules.refusalOfServer(server)), allowed, JSON.stringify(server));
		}
		const walled = rulesOf({ sandbox: 'required', hosts: ['a.test'] });
		const server = { ...stdio, args: [] };
		assert.equal(isAllowed(walled.refusalOfServer(server)), true);
		assert.equal(isAllowed(walled.refusalOfServer({ ...server, isSandboxed: false })), false);
		assert.equal(isAllowed(walled.refusalOfServer({ ...server, network: ['b.test'] })), false);
		const addresses = [
			'https://a.test/mcp',
			'https://A.TEST/mcp',
			'https://b.test/mcp',
			'https://a.test@b.test/',
			'none',
		];
		assert.deepEqual(
			addresses.map((url) => isAllowed(walled.refusalOfServer({ kind: 'http', url }))),
			[true, true, false, false, false],
		);
	});

	it('take the models of the editor like those of a provider', () => {
		assert.equal(isAllowed(rulesOf({ providers: ['openai'] }).refusalOfEditorModel('editor/gpt')), false);
		assert.equal(
			isAllowed(rulesOf({ providers: ['editor'], models: ['editor/gpt*'] }).refusalOfEditorModel('gpt-5')),
			true,
		);
		assert.equal(isAllowed(rulesOf({ models: ['openai/*'] }).refusalOfEditorModel('gpt-5')), false);
	});

	it('judge a model of a provider before it is connected', () => {
		const rules = rulesOf({ providers: ['openai', 'http://127.0.0.1:*'], models: ['openai/gpt-*'] });
		const here = { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1' } as const;
		assert.equal(isAllowed(rules.refusalOfModel({ kind: 'openai' }, 'gpt-5')), true);
		assert.equal(isAllowed(rules.refusalOfModel({ kind: 'openai' }, 'o9')), false);
		assert.equal(isAllowed(rules.refusalOfModel(here, 'gpt-5')), false);
		assert.equal(isAllowed(rules.refusalOfModel({ kind: 'anthropic' }, 'gpt-5')), false);
		assert.equal(isAllowed(rulesOf({}).refusalOfModel(here, 'any')), true);
	});

	it('judge packages by marketplace, key of the publisher and revocation; what ships only by revocation', () => {
		const key = 'A'.repeat(43) + '=';
		const rules = rulesOf({
			marketplaces: ['https://market.test/*'],
			publishers: [key],
			revoked: ['skill/bad', 'skill/old@1.0.0'],
		});
		const good = { key: 'skill/x', version: '1.0.0', index: 'https://market.test/i', signedBy: key };
		const judge = (over: object) => isAllowed(rules.refusalOfPackage({ ...good, ...over }));
		assert.deepEqual(
			[
				{},
				{ signedBy: undefined },
				{ index: 'https://evil.test/i' },
				{ key: 'skill/bad' },
				{ key: 'skill/old' },
				{ key: 'skill/old', version: '1.0.1' },
				{ index: 'built-in', signedBy: undefined },
				{ index: 'built-in', key: 'skill/bad' },
			].map(judge),
			[true, false, false, false, false, true, true, false],
		);
	});
});
