/** Anchors of the ledger, kept where whoever changes the home cannot reach them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const certificates = join(import.meta.dirname, '../../fixtures/tls');

describe('anchors of the ledger', function () {
	this.timeout(2 * commandLimitMs);

	/** A user whose agent has written one file. */
	async function userWith(
		anchor: string,
		env: Readonly<Record<string, string>> = {},
	): Promise<User & { readonly log: string }> {
		const user = new User();
		mkdirSync(user.home, { recursive: true });
		const settings = { 'prowess.ledger.anchor': anchor, 'prowess.http.allowHosts': anchorHosts(anchor) };
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify(settings));
		const model = await startModelServer([
			{ toolCalls: [{ name: 'fs_write', input: { path: 'a.txt', content: 'one\n' } }] },
			{ text: 'Good.' },
		]);
		const { code, stderr } = await user.promptsApart(model.baseUrl, 'x', ['--approve', 'auto', '--verbose'], { env })
			.ended;
		await model.close();
		assert.equal(code, 0, stderr);
		return Object.assign(user, { log: stderr });
	}

	/** Deletes rows and anchors together, like an attacker who has read how the home is kept. */
	function forgetAll(user: User): void {
		for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm', 'ledger-anchors.jsonl']) {
			rmSync(join(user.home, name), { force: true });
		}
	}

	it('show in verify and in the doctor that the last rows were cut off', async () => {
		const user = await userWith('');
		const db = new DatabaseSync(join(user.home, 'ledger.db'));
		db.exec('DROP TRIGGER ledger_no_delete; DELETE FROM ledger WHERE seq > 2');
		db.close();
		const { code, stdout } = await user.runs(['ledger', 'verify']);
		assert.equal(code, 1);
		assert.match(
			stdout,
			/^chain host_\S+ has \d+ rows fewer than in the anchor of 20.* UTC in ledger-anchors\.jsonl\n/,
		);
		assert.match((await user.runs(['doctor'])).stdout, /FAILED {3}Ledger .* rows fewer than in the anchor/);
		const acknowledged = await user.runs(['ledger', 'acknowledge']);
		assert.match(acknowledged.stdout, /^acknowledged: chain host_/);
		assert.equal((await user.runs(['ledger', 'verify'])).code, 0);
	});

	it('that are kept as Git notes show what was removed with its anchors', async () => {
		const repository = tempDir('notes');
		const fired = join(repository, 'fired');
		execFileSync('git', ['init', '-q', repository]);
		const hook = join(repository, '.git/hooks/reference-transaction');
		mkdirSync(join(repository, '.git/hooks'), { recursive: true });
		writeFileSync(hook, `#!/bin/sh\ntouch ${fired}\n`, { mode: 0o755 });
		const user = await userWith(`git-note:${repository}`);
		assert.equal((await user.runs(['ledger', 'verify'])).code, 0);
		forgetAll(user);
		const { code, stdout } = await user.runs(['ledger', 'verify']);
		assert.equal(code, 1, stdout);
		assert.match(stdout, /^chain host_\S+ is gone: it had \d+ rows in the anchor of .* in the Git notes of /);
		assert.throws(() => readFileSync(fired), 'no hook of the repository has run');

		rmSync(repository, { recursive: true });
		const lost = await user.runs(['ledger', 'verify']);
		assert.equal(lost.code, 1);
		assert.match(lost.stdout, /^the anchors that prowess\.ledger\.anchor names cannot be read: /);
	});

	it('that were sent to an address of the user show what was removed with its anchors', async () => {
		const pem = readFileSync(join(certificates, 'for-localhost.pem'));
		const bodies: string[] = [];
		const server = createServer({ key: pem, cert: pem }, (request, response) => {
			let body = '';
			request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
			request.on('end', () => {
				bodies.push(`${request.method} ${request.headers['content-type']}`, body);
				response.end();
			});
		});
		await new Promise<void>((resolve) => void server.listen(0, 'localhost', resolve));
		const env = { NODE_EXTRA_CA_CERTS: join(certificates, 'private-ca.pem') };
		const user = await userWith(`https://localhost:${(server.address() as AddressInfo).port}/anchors`, env);
		server.close();
		assert.equal(bodies[0], 'POST application/x-ndjson');
		const kept = join(user.root, 'kept.jsonl');
		writeFileSync(kept, bodies.filter((_, index) => index % 2 === 1).join(''));
		assert.equal((await user.runs(['ledger', 'verify', '--anchors', kept])).code, 0);
		forgetAll(user);
		const { code, stdout } = await user.runs(['ledger', 'verify', '--anchors', kept]);
		assert.equal(code, 1, stdout);
		assert.match(stdout, /^chain host_\S+ is gone: it had \d+ rows in the anchor of .*kept\.jsonl\n/);
	});

	it('that cannot be kept outside keep nothing from being done, and the log says so', async () => {
		const user = await userWith('git-note:/nowhere/at/all');
		assert.equal(readFileSync(join(user.workspace, 'a.txt'), 'utf8'), 'one\n');
		assert.match(user.log, /\[warn\] anchors of the ledger could not be kept outside .*\/nowhere\/at\/all/);
	});
});

function anchorHosts(anchor: string): string[] {
	return anchor.startsWith('https:') ? [new URL(anchor).host] : [];
}
