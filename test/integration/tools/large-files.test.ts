/** A file above the limit of texts through the CLI and real processes: read in parts, without its secrets, and changed by nothing. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	type ModelServer,
	type RecordedRequest,
	type ScriptEntry,
	startModelServer,
} from '../../support/model-server.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const MIB = 1024 * 1024;
const call = (name: string, input: unknown): ScriptEntry => ({ toolCalls: [{ name, input }] });
const lastOf = (request: RecordedRequest | undefined) =>
	(request?.body['messages'] as readonly { readonly content: string }[] | undefined)?.at(-1)?.content ?? '';

describe('prowess run, with a large file', function () {
	this.timeout(commandLimitMs);
	let server: ModelServer | undefined;
	afterEach(async () => {
		await server?.close();
		server = undefined;
	});

	it('shows the model the part that it asks for, and refuses to edit it', async () => {
		const user = new User();
		const secret = `ghp_${'a1B2'.repeat(9)}`;
		const lines = Array.from({ length: 400_000 }, (_, index) => `line ${index + 1} `.padEnd(63, '.'));
		// Places the secret across a piece boundary: its first half ends a piece of one MiB, the other half begins the
		// next.
		lines[MIB / 64 - 1] = '.'.repeat(40);
		lines[MIB / 64] = `token = ${secret}`;
		const text = `${lines.join('\n')}\n`;
		user.writes('big.log', text);
		server = await startModelServer([
			call('fs_read', { path: 'big.log', offset: MIB / 64, limit: 3 }),
			call('fs_edit', { path: 'big.log', edits: [{ find: 'line 1 ', replace: 'x' }] }),
			call('fs_read', { path: 'big.log', offset: 399_999 }),
			{ text: 'Read.' },
		]);
		const { code, stderr } = await user.prompts(server.baseUrl, 'Look into it', ['--json']).ended;
		assert.equal(code, 0, stderr);
		const [middle, refused, end] = server.requests.slice(1).map(lastOf);
		assert.match(
			middle ?? '',
			/^16384\t\.{40}\n16385\ttoken = <redacted:[^>]+>\n16386\tline 16386 \.+\n\[lines 16384-16386 of 400000; read on with offset 16387\]$/,
		);
		assert.ok(text.indexOf(secret) < MIB && text.indexOf(secret) + secret.length > MIB, String(text.indexOf(secret)));
		assert.match(refused ?? '', /FILE_TOO_LARGE.*can be read in parts but not edited or replaced here/);
		assert.match(end ?? '', /^399999\tline 399999 \.+\n400000\tline 400000 \.+\n\[lines 399999-400000 of 400000\]$/);
		assert.equal(readFileSync(join(user.workspace, 'big.log'), 'utf8'), text);
	});
});
