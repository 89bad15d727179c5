/** `prowess approvals`: what is allowed until further notice, and the end of it, in the real CLI. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLimitMs, User } from './cli-process.ts';

interface Listed {
	readonly id: string;
	readonly in: { readonly kind: string };
	readonly what: string;
	readonly exact: string | null;
}

interface List {
	readonly approvals: readonly Listed[];
	readonly secrets: readonly string[];
	readonly problems: readonly string[];
}

describe('prowess approvals', function () {
	this.timeout(commandLimitMs);
	const hash = 'a'.repeat(64);

	function userWith(settings: object = {}): User {
		const user = new User();
		mkdirSync(user.home);
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify(settings));
		return user;
	}

	function allowing(): User {
		const user = userWith({
			'prowess.approvals.allow': ['shell.run make', 'http.request github@api.github.com'],
			'prowess.http.allowHosts': ['dev.local:8080'],
		});
		const projects = [{ folders: [{ path: '/srv/shop' }], rules: ['shell.run npm test', 'fs.edit src/**'] }];
		writeFileSync(join(user.home, 'project-rules.json'), JSON.stringify({ projects }));
		const consents = [`${hash}:skill/review:0123456789abcdef:bwrap`];
		writeFileSync(join(user.home, 'capability-consents.json'), JSON.stringify(consents));
		return user;
	}

	async function listOf(user: User): Promise<List> {
		return JSON.parse((await user.runs(['approvals', 'list', '--json'])).stdout) as List;
	}

	it('revokes nothing when one of the ids stands for nothing, and names it', async () => {
		const user = allowing();
		const [first] = (await listOf(user)).approvals;
		for (const missing of [['gone'], ['gone', 'missing']]) {
			const { code, stdout, stderr } = await user.runs(['approvals', 'revoke', first?.id ?? '', ...missing]);
			assert.deepEqual([code, stdout], [1, '']);
			const says = `No approval has the id ${missing.join(', ')}, so nothing was revoked; \`prowess approvals list\``;
			assert.ok(stderr.includes(says), stderr);
		}
		assert.equal((await listOf(user)).approvals.length, 6);
	});

	for (const words of [[], ['abc', '--all']]) {
		it(`is used wrongly with ${words.length === 0 ? 'neither ids nor --all' : 'both'}`, async () => {
			const { code, stderr } = await allowing().runs(['approvals', 'revoke', ...words]);
			assert.equal(code, 2);
			assert.match(stderr, /name the ids that `prowess approvals list` shows, or pass --all/);
		});
	}

	it('names a damaged file of rules, leaves it as it is, and lists and revokes the rest', async () => {
		const user = allowing();
		const path = join(user.home, 'project-rules.json');
		writeFileSync(path, '{"projects": [');
		const { code, stdout, stderr } = await user.runs(['approvals', 'list']);
		assert.equal(code, 0);
		assert.match(stderr, /project-rules\.json cannot be read, so no rule of a project is in effect/);
		assert.match(stdout, /Run "make"/);
		assert.equal((await user.runs(['approvals', 'revoke', '--all'])).code, 0);
		assert.deepEqual((await listOf(user)).approvals, []);
		assert.equal(readFileSync(path, 'utf8'), '{"projects": [');
	});

	it('says that nothing is allowed', async () => {
		const user = userWith();
		const { code, stdout, stderr } = await user.runs(['approvals', 'list']);
		assert.deepEqual([code, stdout], [0, '']);
		assert.match(stderr, /Nothing is allowed until further notice/);
		const revoked = await user.runs(['approvals', 'revoke', '--all']);
		assert.equal(revoked.code, 0);
		assert.match(revoked.stderr, /Nothing was allowed/);
	});

	it('lists everything by where it counts, in words and as it is kept, with the names of secrets and no value', async () => {
		const user = allowing();
		await user.runs(['secrets', 'set', 'github'], { input: 'ghp_value_of_the_secret\n' });
		const { stdout } = await user.runs(['approvals', 'list']);
		assert.doesNotMatch(stdout, /ghp_value/);
		assert.deepEqual(
			stdout
				.split('\n')
				.map((line) => line.replace(/^ {2}[0-9a-f]{12} {2}/, '  ID  ').trimEnd())
				.filter((line) => line !== ''),
			[
				'In the project /srv/shop:',
				'  ID  Run "npm test"',
				'                shell.run npm test',
				'  ID  Edit src/**',
				'                fs.edit src/**',
				'In all projects:',
				'  ID  Run "make"',
				'                shell.run make',
				'  ID  Send the secret "github" to api.github.com',
				'                http.request github@api.github.com',
				'Trusted capabilities:',
				'  ID  Run the skill review until its files change',
				`                sha256 ${hash.slice(0, 12)}`,
				'Addresses on this machine or its network:',
				'  ID  Ask for requests to dev.local:8080, on this machine or its network',
				'                dev.local:8080',
				'Stored secrets, each asked about by name:',
				'  github',
			],
		);
	});

	it('revokes what is named and nothing else, under the same id in each process, and records it', async () => {
		const user = allowing();
		const { approvals } = await listOf(user);
		const meant = approvals.filter(({ exact }) => exact === 'shell.run npm test' || exact === 'shell.run make');
		const { code, stderr } = await user.runs(['approvals', 'revoke', ...meant.map(({ id }) => id)]);
		assert.equal(code, 0);
		assert.match(stderr, /Asks again: Run "npm test"\nAsks again: Run "make"\nRevoked 2 approvals\./);
		const left = (await listOf(user)).approvals;
		assert.deepEqual(
			left,
			approvals.filter((each) => !meant.includes(each)),
		);
		const { stdout } = await user.runs(['ledger', 'list', '--op', 'approval.revoke']);
		assert.match(stdout, /no longer allow: Run "npm test" \(in the project \/srv\/shop\)/);
	});

	it('revokes everything with --all; secrets stay stored', async () => {
		const user = allowing();
		await user.runs(['secrets', 'set', 'github'], { input: 'ghp_value_of_the_secret\n' });
		assert.equal((await user.runs(['approvals', 'revoke', '--all'])).code, 0);
		assert.deepEqual(await listOf(user), { approvals: [], secrets: ['github'], problems: [] });
		const { stdout } = await user.runs(['ledger', 'list', '--op', 'approval.reset']);
		assert.match(stdout, /no longer allow anything that was allowed/);
	});
});
