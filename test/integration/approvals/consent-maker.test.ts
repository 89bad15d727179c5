/**
 * Tests the maker of a capability that its consent names: the one an installation has verified, with real processes and
 * signatures.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capabilityFiles, writeFiles } from '../../support/marketplace-scene.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

describe('The consent to a capability', function () {
	this.timeout(5 * commandLimitMs);
	async function installed(isSigned: boolean): Promise<User> {
		const user = new User();
		const key = join(user.root, 'key.pem');
		const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
		writeFileSync(key, pem, { mode: 0o600 });
		writeFiles(join(user.root, 'greet'), capabilityFiles({ version: '1.0.0' }));
		const packed = join(user.root, 'public');
		for (const words of [
			['pack', join(user.root, 'greet'), '--out', packed],
			['index', packed, '--name', 'ours', ...(isSigned ? ['--key', key] : [])],
			['install', 'greet', '--from', packed],
			['enable', 'greet'],
		]) {
			const { code, stderr } = await user.runs(['marketplace', ...words]);
			assert.equal(code, 0, stderr);
		}
		return user;
	}

	/** Returns the terminal's text from before anybody has answered; then answers no. */
	async function asked(user: User): Promise<string> {
		let isAnswered = false;
		const terminal = user.sitsAt(['capability', 'run', 'greet', '--trust'], ({ shown }) => {
			if (!isAnswered && shown.includes('Allow? ')) {
				isAnswered = true;
				terminal.types('n\n');
			}
		});
		await terminal.ended;
		return terminal.shown;
	}

	it('claims nothing of the publisher once a file has changed', async () => {
		const user = await installed(true);
		appendFileSync(join(user.home, 'capabilities/skill/greet/index.js'), '\n');
		const shown = await asked(user);
		assert.match(shown, /It is from your own folder of capabilities/);
		assert.doesNotMatch(shown, /Installed from|Signed/);
	});

	it('says that a package was not signed', async () => {
		assert.match(
			await asked(await installed(false)),
			/Installed from \S*public\S*, unchanged since\.[^]*Not signed: nothing/,
		);
	});

	it('names the key that has signed it', async () => {
		assert.match(
			await asked(await installed(true)),
			/Installed from \S*public\S*, unchanged since\.[^]*Signed by its publisher\.[^]*Signed with the key: [\w+/=-]{43,}/,
		);
	});
});
