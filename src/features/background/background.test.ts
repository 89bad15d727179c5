/** Two ends of the conversation with a background host, over a real socket in a home of their own. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
	chmodSync,
	chownSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { backgroundNotifications, backgroundRequests, type EndedWork } from '../../protocol/background.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { Peer } from '../../protocol/rpc/peer.ts';
import { WIRE_CODES } from '../../protocol/rpc/wire.ts';
import { attachToBackground } from './attach.ts';
import type { BackgroundRecord } from './background-record.ts';
import { listenInBackground } from './listen.ts';
import { backgroundLimits } from './limits.ts';
import { socketWire } from './socket-wire.ts';

const never = new AbortController().signal;
const work: EndedWork = {
	kind: 'goal',
	folder: '/work',
	title: 'Ship it',
	threadId: 'thr_01a21ba0-dd3f-710c-98db-073be64c8a72' as ThreadId,
	state: 'done',
	at: 1,
};

describe('A background host', () => {
	let home: string;
	let life: DisposableStore;
	let stops: number;
	const ended = new Emitter<EndedWork>();
	beforeEach(() => {
		home = tempDir('home');
		life = new DisposableStore();
		stops = 0;
	});
	afterEach(() => life.dispose());

	const listen = async (place = home) =>
		life.add(
			await listenInBackground(
				place,
				{ version: '1.2.3', startedAt: 5 },
				{
					state: () => ({
						pid: process.pid,
						version: '1.2.3',
						startedAt: 5,
						working: [],
						waiting: [],
						nextDue: null,
						ended: [work],
					}),
					look: () => ended.fire(work),
					stop: () => (stops += 1),
					onDidEnd: ended.event,
				},
			),
		);
	const record = (place = home) =>
		JSON.parse(readFileSync(join(place, 'background/host.json'), 'utf8')) as BackgroundRecord;
	const changed = (change: Partial<BackgroundRecord>) =>
		writeFileSync(join(home, 'background/host.json'), JSON.stringify({ ...record(), ...change }));

	it('does not start in a folder that is a link, or that belongs to another user', async () => {
		if (process.platform === 'win32') return;
		symlinkSync(tempDir('elsewhere'), join(home, 'background'));
		await assert.rejects(listen(), { code: 'INVALID_STATE', message: /is a link, or no folder/ });
		if (process.getuid?.() !== 0) return;
		const other = tempDir('home');
		mkdirSync(join(other, 'background'));
		chownSync(join(other, 'background'), 65534, 65534);
		await assert.rejects(listen(other), { code: 'INVALID_STATE', message: /belongs to another user/ });
	});

	it('is not there for those who attach before it starts, after it has ended, and after a kill', async () => {
		assert.equal(await attachToBackground(home, never), undefined);
		const listening = await listen();
		const left = record();
		listening.dispose();
		assert.equal(await attachToBackground(home, never), undefined);
		assert.equal(existsSync(left.address), false);
		writeFileSync(join(home, 'background/host.json'), JSON.stringify(left));
		assert.equal(await attachToBackground(home, never), undefined);
	});

	it('tells those who attach its state and what ends, and stops for them', async () => {
		await listen();
		const attachment = life.add((await attachToBackground(home, never)) ?? assert.fail('nobody is there'));
		const { peer } = attachment;
		const heard = new Promise((resolve) => peer.on(backgroundNotifications, { ended: resolve }));
		assert.deepEqual((await peer.call(backgroundRequests.state, {}, never)).ended, [work]);
		await peer.call(backgroundRequests.look, {}, never);
		assert.deepEqual(await heard, work);
		await peer.call(backgroundRequests.stop, {}, never);
		await new Promise(setImmediate);
		assert.equal(stops, 1);
	});

	it('serves nothing to one that cannot prove that it reads the home, and lets go of it', async () => {
		await listen();
		const socket = connect(record().address);
		const closed = once(socket, 'close');
		const peer = new Peer(socketWire(socket, backgroundLimits.lineBytes));
		await assert.rejects(peer.call(backgroundRequests.stop, {}, never), { code: WIRE_CODES.methodNotFound });
		changed({ secret: 'guessed' });
		await assert.rejects(attachToBackground(home, never), /is not the host of this home/);
		socket.write(`no message\n`);
		await closed;
		assert.equal(stops, 0);
	});

	it('answers while 300 connections say nothing', async () => {
		await listen();
		const idle = Array.from({ length: 300 }, () => connect(record().address));
		life.add({ dispose: () => idle.forEach((socket) => socket.destroy()) });
		await Promise.all(
			idle.map((socket) =>
				once(
					socket.on('error', () => undefined),
					'connect',
				),
			),
		);
		const { peer } = life.add((await attachToBackground(home, never)) ?? assert.fail('nobody is there'));
		assert.equal((await peer.call(backgroundRequests.state, {}, never)).startedAt, 5);
	});

	it('is not taken for one by those who attach to a socket that others could have put there', async () => {
		await listen();
		chmodSync(join(home, 'background'), 0o755);
		await assert.rejects(attachToBackground(home, never), /others can write in the folder/);
		chmodSync(join(home, 'background'), 0o700);
		const impostor = createServer((socket) => socket.on('data', () => socket.write('{"kind":"result","id":1}\n')));
		const address = join(home, 'background', 'other');
		impostor.listen(address);
		await once(impostor, 'listening');
		life.add({ dispose: () => impostor.close() });
		changed({ address });
		await assert.rejects(attachToBackground(home, never));
	});

	it('is reached by a short path where that of the home is too long for a socket', async () => {
		const deep = join(home, 'x'.repeat(backgroundLimits.socketPathBytes));
		await listen(deep);
		const { address } = record(deep);
		assert.ok(Buffer.byteLength(address) <= backgroundLimits.socketPathBytes);
		assert.equal(lstatSync(dirname(address)).mode & 0o777, 0o700);
		life.add((await attachToBackground(deep, never)) ?? assert.fail('nobody is there'));
		life.dispose();
		assert.equal(existsSync(dirname(address)), false);
	});
});
