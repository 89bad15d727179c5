import assert from 'node:assert/strict';
import { join } from 'node:path';
import { newId } from '../../protocol/rpc/ids.ts';
import { threadNotifications, threadRequests } from '../../protocol/thread/thread-requests.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import { waitUntilGone } from '../../../test/support/processes.ts';
import { CliServerProcess } from './server-process.ts';

const never = new AbortController().signal;
const question = { threadId: newId('thr'), format: 'json' as const };

describe('ServerProcess', () => {
	let server: CliServerProcess;
	let logged: string[];
	function spawn(program: string): CliServerProcess {
		logged = [];
		const line = (message: string) => void logged.push(message);
		const log: LogPort = { debug: line, info: line, warn: line, error: line };
		server = new CliServerProcess({
			program: join(import.meta.dirname, '../../../test/fixtures/processes', program),
			home: '/nonexistent',
			environment: process.env,
			log,
			redact: (text) => text.replaceAll('threads.db', '[redacted]'),
		});
		return server;
	}
	const start = (signal = never) => server.start(async () => {}, signal);
	afterEach(async () => {
		const { pid } = server;
		await server.close();
		await waitUntilGone([pid], 1_000);
	});

	it('says how a server ended that dies at its start, with its last words redacted', async () => {
		spawn('server-that-dies-at-start.ts');
		await assert.rejects(start(), {
			code: 'SERVER_GONE',
			message: 'the server process is gone: exit code 3; its last output: cannot open [redacted]: disk I/O error',
		});
		assert.deepEqual(logged, ['server: cannot open [redacted]: disk I/O error']);
	});

	it('says of a program that is not there that it could not start', async () => {
		spawn('no-such-program.ts');
		await assert.rejects(start(), { code: 'SERVER_GONE', message: /exit code 1; its last output: .*no-such-program/s });
	});

	it('waits for a server that never answers no longer than it is told', async () => {
		spawn('server-that-never-answers.ts');
		await assert.rejects(start(AbortSignal.timeout(200)), { name: 'TimeoutError' });
	});

	it('settles every call with the end of the server', async () => {
		spawn('server-that-dies-in-a-call.ts');
		await start();
		const calls = [1, 2, 3].map(() => server.call(threadRequests.export, question, never));
		for (const result of await Promise.allSettled(calls)) {
			assert.equal(result.status, 'rejected');
			assert.match(
				String(result.reason),
				/the server process is gone: ended by SIGABRT; its last output: .*out of memory/s,
			);
		}
		await assert.rejects(server.call(threadRequests.export, question, never), { code: 'SERVER_GONE' });
		server.peer.notify(threadNotifications.update, {
			threadId: question.threadId,
			seq: 1,
			events: [{ type: 'thread.deleted' }],
		});
	});

	it('kills a server that will not end, and is closed once', async () => {
		spawn('server-that-ignores-shutdown.ts');
		await start();
		await Promise.all([server.close(), server.close()]);
		assert.match(String(server.gone.reason), /ended by SIGKILL/);
	});

	it('hears the answers between frames that are none', async () => {
		spawn('server-that-sends-garbage.ts');
		server.peer.on(threadNotifications, { update: () => assert.fail('no update was sent') });
		await start();
		assert.deepEqual(await server.call(threadRequests.export, question, never), {
			fileName: 'thread/export',
			text: 'answer',
		});
		assert.ok(logged.some((line) => line.startsWith('server: thread/update: ')));
	});
});
