import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { readTarball } from './read-tarball.ts';

/** Writes one entry of a tar file as npm does. */
function entry(name: string, content: string, type = '0'): Buffer {
	const header = Buffer.alloc(512);
	header.write(name, 0);
	header.write(content.length.toString(8).padStart(11, '0'), 124);
	header.write(' '.repeat(8), 148);
	header.write(type, 156);
	header.write('ustar', 257);
	const sum = header.reduce((total, byte) => total + byte, 0);
	header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
	const body = Buffer.alloc(512 * Math.ceil(content.length / 512));
	body.write(content);
	return Buffer.concat([header, body]);
}

function filesIn(...entries: readonly Buffer[]): readonly (readonly [string, string])[] {
	const files = readTarball(gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)])));
	return files.map(({ path, bytes }) => [path, bytes.toString('utf8')]);
}

describe('A package of npm', () => {
	for (const name of [
		'package/../../evil.txt',
		'package/skills/../../../evil.txt',
		'package/..',
		'package//etc/passwd',
		'package/',
		'evil.txt',
	]) {
		it(`gives no file for an entry named ${name}`, () => {
			assert.deepEqual(filesIn(entry(name, 'evil'), entry('package/a.txt', 'a')), [['a.txt', 'a']]);
		});
		it(`gives no file for an entry with the long name ${name}`, () => {
			const long = entry('././@LongLink', `${name}\0`, 'L');
			assert.deepEqual(filesIn(long, entry('package/x', 'evil'), entry('package/a.txt', 'a')), [['a.txt', 'a']]);
		});
	}

	it('gives no file for a link', () => {
		assert.deepEqual(filesIn(entry('package/link', '', '2'), entry('package/./a.txt', 'a')), [['a.txt', 'a']]);
	});
});
