/** Where a background host listens, by platform. */
import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { backgroundLimits } from './limits.ts';
import { freshAddress, removeSocket } from './proven-socket.ts';

describe('The address of a background host', () => {
	const short = '/home/ada/.prowess/background/socket';
	const long = `/home/${'a'.repeat(backgroundLimits.socketPathBytes)}/socket`;
	const rows = [
		['win32', short, /^\\\\\.\\pipe\\prowess-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/],
		['win32', long, /^\\\\\.\\pipe\\prowess-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/],
		['linux', short, /^\/home\/ada\/\.prowess\/background\/socket$/],
		['darwin', short, /^\/home\/ada\/\.prowess\/background\/socket$/],
	] as const;
	for (const [platform, socket, address] of rows) {
		it(`fits the system on ${platform}${socket === long ? ', also for a home with a long name' : ''}`, () => {
			assert.match(freshAddress(socket, platform), address);
		});
	}

	it('is no pipe that somebody could have guessed from the last one', () => {
		assert.notEqual(freshAddress(short, 'win32'), freshAddress(short, 'win32'));
	});

	for (const platform of ['linux', 'darwin'] as const) {
		it(`is short enough on ${platform}, in a folder of its own that goes with it`, () => {
			const address = freshAddress(long, platform);
			try {
				assert.ok(Buffer.byteLength(address) <= backgroundLimits.socketPathBytes);
				removeSocket(address, platform);
				assert.equal(existsSync(dirname(address)), false);
			} finally {
				rmSync(dirname(address), { recursive: true, force: true });
			}
		});
	}

	it('is no file on Windows that could be removed', () => {
		const file = join(tempDir('pipe'), 'file');
		writeFileSync(file, '');
		removeSocket(file, 'win32');
		assert.ok(existsSync(file));
	});
});
