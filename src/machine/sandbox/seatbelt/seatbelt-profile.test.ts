import assert from 'node:assert/strict';
import { Profile } from '../../../../test/support/sbpl.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';

const places = {
	hidden: ['/Users', '/private/tmp'],
	tools: ['/Users/ada/.nvm'],
	own: ['/Users/ada/.prowess/sandbox/1/tmp'],
	workspace: ['/Users/ada/shop'],
	isWritable: true,
	reach: { read: [] as string[], write: [] as string[] },
	gitSettings: [] as string[],
};
const shop = '/Users/ada/shop';

function profileOf(other: Partial<typeof places> = {}): Profile {
	return new Profile(seatbeltProfile({ ...places, ...other }));
}

describe('A profile of Seatbelt', () => {
	const table: readonly (readonly [path: string, mayRead: boolean, mayWrite: boolean])[] = [
		['/usr/bin/git', true, false],
		['/etc/hosts', true, false],
		['/Users/ada', false, false],
		['/Users/ada/.ssh/id_ed25519', false, false],
		['/Users/ada/Library/Keychains/login.keychain-db', false, false],
		['/Users/eve/notes.txt', false, false],
		['/private/tmp/other', false, false],
		['/Users/ada/.nvm/versions/node', true, false],
		['/Users/ada/.nvmother', false, false],
		['/Users/ada/.prowess/sandbox/1/tmp/a', true, true],
		['/Users/ada/.prowess/ledger.db', false, false],
		[shop, true, true],
		[`${shop}/src/cart.ts`, true, true],
		[`${shop}2/src/cart.ts`, false, false],
		[`${shop}/.env`, false, false],
		[`${shop}/packages/a/.ENV.local`, false, false],
		[`${shop}/.env.example`, true, false],
		[`${shop}/server.pem`, false, false],
		[`${shop}/serverxpem`, true, true],
		[`${shop}/.vscode`, true, false],
		[`${shop}/.VSCode/tasks.json`, true, false],
		[`${shop}/packages/a/.husky/pre-commit`, true, false],
		[`${shop}/AGENTS.md`, true, false],
		[`${shop}/.github/workflows/ci.yml`, true, false],
		[`${shop}/.github/notes.md`, true, true],
		[`${shop}/node_modules/.bin/tsc`, true, true],
		[`${shop}/.git`, true, false],
		[`${shop}/nested/.git`, true, false],
		[`${shop}/.git/index`, true, true],
		[`${shop}/.git/objects/ab/cd`, true, true],
		[`${shop}/.git/refs/heads/hooks-branch`, true, true],
		[`${shop}/.git/config`, false, false],
		[`${shop}/.git/hooks/pre-commit`, true, false],
		[`${shop}/.git/modules/lib/hooks/post-checkout`, true, false],
		[`${shop}/.git/info/attributes`, true, false],
	];
	for (const [path, mayRead, mayWrite] of table) {
		it(`lets ${path} be ${mayRead ? '' : 'neither '}read${mayWrite ? ' and' : mayRead ? ', not' : ' nor'} changed`, () => {
			const profile = profileOf();
			assert.deepEqual(
				[profile.allows('file-read-data', path), profile.allows('file-write-data', path)],
				[mayRead, mayWrite],
			);
			assert.equal(profile.allows('file-write-create', path), mayWrite);
		});
	}

	it('lets nothing of the workspace be changed where the command may not', () => {
		const profile = profileOf({ isWritable: false });
		assert.equal(profile.allows('file-write-data', `${shop}/src/cart.ts`), false);
		assert.equal(profile.allows('file-read-data', `${shop}/src/cart.ts`), true);
	});

	it('lets be reached what a person let, and nothing beside it', () => {
		const profile = profileOf({ reach: { read: [`${shop}/.env`], write: ['/Users/ada/out'] } });
		assert.equal(profile.allows('file-read-data', `${shop}/.env`), true);
		assert.equal(profile.allows('file-write-data', `${shop}/.env`), false);
		assert.equal(profile.allows('file-read-data', `${shop}/.env.local`), false);
		assert.deepEqual(
			['/Users/ada/out/a', '/Users/ada/outside'].map((path) => profile.allows('file-write-create', path)),
			[true, false],
		);
	});

	it('shows the settings of Git that hold no credential', () => {
		const profile = profileOf({ gitSettings: [`${shop}/.git/config`] });
		assert.equal(profile.allows('file-read-data', `${shop}/.git/config`), true);
		assert.equal(profile.allows('file-write-data', `${shop}/.git/config`), false);
	});

	it('denies what it does not name: the network, services of the system, other programs', () => {
		const profile = profileOf();
		const operations = [
			'network-outbound',
			'network-bind',
			'mach-register',
			'mach-lookup',
			'appleevent-send',
			'job-creation',
		];
		assert.deepEqual(
			operations.filter((operation) => profile.allows(operation, '')),
			[],
		);
		assert.equal(profile.allows('file-write-setugid', `${shop}/a`), false);
	});

	it('lets the folders above be looked at, not listed', () => {
		const profile = profileOf();
		assert.equal(profile.allows('file-read-metadata', '/Users/ada'), true);
		assert.equal(profile.allows('file-read-data', '/Users/ada'), false);
	});

	for (const name of [
		'a"b',
		'a\\',
		'a\\" (allow default) "',
		'a)(allow default',
		'.*',
		'[^/]*',
		'a;b',
		'#"x"',
		'mäuse 🐭',
		"a'b",
	]) {
		it(`names a folder ${name} and no other`, () => {
			const workspace = `/Users/ada/${name}`;
			const profile = profileOf({ workspace: [workspace] });
			assert.equal(profile.allows('file-write-create', `${workspace}/a`), true);
			assert.equal(profile.allows('file-read-data', `${workspace}/.env`), false);
			for (const other of ['/Users/ada/other/a', '/Users/ada/b/a', '/etc/hosts', '/Users/ada/x']) {
				assert.equal(profile.allows('file-write-create', other), false, other);
			}
			assert.equal(profile.allows('network-outbound', ''), false);
		});
	}

	for (const name of ['a\nb', 'a\0b', 'a\u001b[0m', 'a\u0085b', 'a\ud800b', '']) {
		it(`is refused for a path that it cannot name for certain: ${JSON.stringify(name)}`, () => {
			assert.throws(() => seatbeltProfile({ ...places, workspace: [name] }), /cannot name/);
		});
	}
});
