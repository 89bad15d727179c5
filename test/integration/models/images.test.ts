/** Pictures from the command line to the model: the real CLI, its server, its store, and an endpoint over HTTP. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';
import { jpeg, largePng, png, webp } from '../../support/pictures.ts';
import { type CliResult, commandLimitMs, eventsOf, User } from '../cli/cli-process.ts';

describe('A picture', function () {
	this.timeout(2 * commandLimitMs);
	let server: ModelServer | undefined;
	let user: User;
	beforeEach(() => {
		user = new User();
	});
	afterEach(async () => {
		await server?.close();
		server = undefined;
	});

	const base64 = (bytes: Buffer) => bytes.toString('base64');
	const draws = (path: string, bytes: Buffer) => writeFileSync(join(user.workspace, path), bytes);
	const prompts = async (script: Script, prompt: string, words: readonly string[]): Promise<CliResult> => {
		server = await startModelServer(script);
		return await user.prompts(server.baseUrl, prompt, ['--json', ...words]).ended;
	};
	const sent = (at: number) => JSON.stringify(server?.requests[at]?.body['messages']);
	const endOf = (result: CliResult) => eventsOf(result).findLast((event) => event.type === 'turn.end');
	const itemsOf = (result: CliResult) =>
		eventsOf(result).flatMap((event) => (event.type === 'item.start' ? [event.item] : []));
	const threadOf = (result: CliResult) => {
		const first = eventsOf(result).find((event) => event.type === 'thread.changed');
		return first?.type === 'thread.changed' ? first.info.id : '';
	};

	describe('given with --image', () => {
		for (const [what, bytes, code] of [
			['a text by the name of a picture', Buffer.from('just a text'), 'NOT_AN_IMAGE'],
			['a picture that is cut off', png().subarray(0, 40), 'NOT_AN_IMAGE'],
			['an empty file', Buffer.of(), 'NOT_AN_IMAGE'],
			['a picture above 5 MB', largePng(5 * 1024 * 1024 + 1), 'IMAGE_TOO_LARGE'],
		] as const) {
			it(`is refused where it is ${what}, and no model is asked`, async () => {
				draws('a.png', bytes);
				const result = await prompts([], 'look', ['--image', 'a.png']);
				const end = endOf(result);
				assert.deepEqual([result.code, server?.requests.length], [1, 0], result.stderr);
				assert.equal(end?.type === 'turn.end' && end.error?.code, code);
				assert.match(result.stderr, /a\.png/);
			});
		}

		it('is refused where there is no such file, as a wrong command', async () => {
			const result = await prompts([], 'look', ['--image', 'none.png']);
			assert.equal(result.code, 2);
			assert.match(result.stderr, /--image: there is no file "none\.png"/);
		});

		it('is refused as the 21st', async () => {
			draws('a.png', png());
			const words = Array.from({ length: 21 }, () => ['--image', 'a.png']).flat();
			const result = await prompts([], 'look', words);
			const end = endOf(result);
			assert.equal(end?.type === 'turn.end' && end.error?.code, 'TOO_MANY_IMAGES');
			assert.match(result.stderr, /21 pictures; at most 20/);
		});

		it('is refused where the model is known to take none: nothing is sent', async () => {
			draws('a.png', png());
			server = await startModelServer([]);
			const model = ['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'gpt-3.5-turbo'];
			const result = await user.runs(['run', 'look', '--trust', '--json', '--image', 'a.png', ...model]);
			const end = endOf(result);
			assert.equal(end?.type === 'turn.end' && end.error?.code, 'IMAGES_NOT_TAKEN');
			assert.match(JSON.stringify(end), /gpt-3\.5-turbo does not accept pictures/);
			assert.deepEqual([result.code, server.requests.length], [1, 0]);
		});

		it('is left out where the model turns out to take none, and the user is told', async () => {
			draws('a.png', png());
			const refusal = { error: 500, message: 'image input is not supported - hint: provide the mmproj' };
			const result = await prompts([refusal, { text: 'I see none.' }], 'look', ['--image', 'a.png']);
			assert.equal(result.code, 0, result.stderr);
			assert.match(JSON.stringify(itemsOf(result)), /does not accept pictures, so they were left out/);
			assert.doesNotMatch(sent(1), /base64/);
			assert.match(sent(1), /picture a\.png 8x6 left out/);
		});

		it('is shown to the model with others, again in the next turn, and lies in the store and nowhere else', async () => {
			draws('a.png', png());
			draws('b.webp', webp);
			const answers = [{ text: 'Two pictures.' }, { text: 'Still two.' }];
			const result = await prompts(answers, 'what are these?', ['--image', 'a.png', '--image', 'b.webp']);
			assert.equal(result.code, 0, result.stderr);
			const urls = [`data:image/png;base64,${base64(png())}`, `data:image/webp;base64,${base64(webp)}`];
			for (const url of urls) {
				assert.ok(sent(0).includes(url));
			}
			const [item] = itemsOf(result);
			assert.deepEqual(
				item?.kind === 'user' && item.context.map((ref) => ref.kind === 'image' && [ref.name, ref.width, ref.height]),
				[
					['a.png', 8, 6],
					['b.webp', 1, 1],
				],
			);
			const again = await user.prompts(server?.baseUrl ?? '', 'and now?', ['--json', '--thread', threadOf(result)])
				.ended;
			assert.equal(again.code, 0, again.stderr);
			for (const url of urls) {
				assert.ok(sent(1).includes(url));
			}
			assert.equal(result.stdout.includes(base64(png())), false);
			const db = new DatabaseSync(join(user.home, 'threads.db'), { readOnly: true });
			assert.equal(db.prepare('SELECT count(*) AS n FROM images WHERE turn_id IS NOT NULL').get()?.['n'], 2);
			db.close();
			assert.deepEqual(filesWith(user.home, base64(png())), []);
			assert.deepEqual(filesWith(user.home, png()), ['threads.db']);
		});

		it('is gone from the store with its thread', async () => {
			draws('a.png', png());
			const result = await prompts([{ text: 'A picture.' }], 'look', ['--image', 'a.png']);
			const deleted = await user.runs(['thread', 'delete', threadOf(result)]);
			assert.equal(deleted.code, 0, deleted.stderr);
			const db = new DatabaseSync(join(user.home, 'threads.db'), { readOnly: true });
			assert.equal(db.prepare('SELECT count(*) AS n FROM images').get()?.['n'], 0);
			db.close();
		});
	});

	describe('that the model reads', () => {
		const read = (path: string) => ({ toolCalls: [{ name: 'fs_read', input: { path } }] });

		it('is refused with the reason where it is damaged or too large', async () => {
			draws('cut.png', png().subarray(0, 40));
			draws('large.png', largePng(5 * 1024 * 1024 + 1));
			await prompts([read('cut.png'), read('large.png'), { text: 'Neither.' }], 'read them', []);
			assert.match(sent(1), /cut\.png cannot be sent as a picture/);
			assert.match(sent(2), /large\.png has 5242881 bytes/);
		});

		it('is read as a text where it is one, whatever its name says', async () => {
			draws('notes.png', Buffer.from('just a text\n'));
			await prompts([read('notes.png'), { text: 'A text.' }], 'read it', []);
			assert.match(sent(1), /just a text/);
		});

		it('follows the result; ledger, trace and output have its size and none of its bytes', async () => {
			draws('shot.jpg', jpeg);
			const result = await prompts([read('shot.jpg'), { text: 'Grey.' }], 'which colour?', []);
			assert.equal(result.code, 0, result.stderr);
			assert.ok(sent(1).includes(`data:image/jpeg;base64,${base64(jpeg)}`));
			assert.match(sent(1), /\[picture, image\/jpeg, 16x9\]/);
			assert.equal(result.stdout.includes(base64(jpeg)), false);
			assert.deepEqual(filesWith(user.home, base64(jpeg)), []);
			assert.deepEqual(filesWith(user.home, jpeg), ['threads.db']);
		});
	});

	describe('named with @', () => {
		it('that is too large is told to the user as well as to the model', async () => {
			draws('large.png', largePng(5 * 1024 * 1024 + 1));
			const result = await prompts([{ text: 'I cannot.' }], 'what is in @large.png?', []);
			const notice = itemsOf(result).find(({ kind }) => kind === 'notice');
			assert.equal(notice?.kind === 'notice' && notice.error?.code, 'IMAGE_TOO_LARGE');
			assert.match(sent(0), /IMAGE_TOO_LARGE/);
		});

		it('goes along with the message, and so does a text; what is not there is a word', async () => {
			draws('shot.jpg', jpeg);
			user.writes('notes.txt', 'the notes\n');
			await prompts([{ text: 'Grey.' }], 'which colour has @shot.jpg, see @notes.txt. By @nobody', []);
			assert.ok(sent(0).includes(`data:image/jpeg;base64,${base64(jpeg)}`));
			assert.match(sent(0), /the notes/);
			assert.doesNotMatch(sent(0), /NOT_FOUND/);
		});
	});
});

/** Files of a home, and their logs, that have these bytes; logs under the name of their database. */
function filesWith(home: string, bytes: Buffer | string): string[] {
	const entries = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	const found = entries.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(bytes));
	return [...new Set(found.map(({ name }) => name.replace(/-wal$/, '')))];
}
