import assert from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { zipBytes, type ZipEntry, type ZipOptions } from '../../../../test/support/zip-bytes.ts';
import { checkEntryNames } from './entry-names.ts';
import { contentHash, type PackageFile } from '../../package-file.ts';
import { readZip } from './read-zip.ts';
import { writeZip } from './write-zip.ts';

const never = new AbortController().signal;
const good: ZipEntry = { name: 'capability.yaml', content: 'name: x\n' };
const MIB = 1_048_576;

function extraField(id: number, data: Buffer): Buffer {
	const head = Buffer.alloc(4);
	head.writeUInt16LE(id, 0);
	head.writeUInt16LE(data.length, 2);
	return Buffer.concat([head, data]);
}

/** Name of the attack, entries of the archive, expected message, and options of the archive. */
type Attack = readonly [string, readonly ZipEntry[], RegExp, ZipOptions?];

const names: readonly Attack[] = [
	['climbs with ..', [{ name: '../up.txt' }], /holds "\.\."/],
	['climbs in the middle', [{ name: 'a/../../up.txt' }], /holds "\.\."/],
	['climbs with a backslash', [{ name: String.raw`..\up.txt` }], /backslash/],
	['mixes slashes', [{ name: String.raw`a/..\..\up.txt` }], /backslash/],
	['is absolute', [{ name: '/etc/passwd' }], /absolute/],
	['names a drive', [{ name: 'C:/x.txt' }], /absolute/],
	['names a drive without a slash', [{ name: 'c:x.txt' }], /absolute/],
	['names a share', [{ name: '//server/share/x' }], /absolute/],
	['has empty names', [{ name: 'a//b' }], /empty name/],
	['has a dot for a name', [{ name: 'a/./b' }], /"\."/],
	['has no name', [{ name: '' }], /absolute|empty/],
	['holds NUL', [{ name: 'a\0.txt' }], /not seen/],
	['holds a line end', [{ name: 'a\n.txt' }], /not seen/],
	['holds an escape of the terminal', [{ name: 'a\u001b[2J.txt' }], /not seen/],
	['turns its text around', [{ name: 'a\u202Etxt.exe' }], /not seen/],
	['has a blank without width', [{ name: 'a\u200b.txt' }], /not seen/],
	['has a tag character', [{ name: 'a\u{e0041}.txt' }], /not seen/],
	['is a device', [{ name: 'con' }], /device/],
	['is a device with an ending', [{ name: 'a/nul.txt' }], /device/],
	['is a stream of a file', [{ name: 'a.txt:hidden' }], /not every disk takes/],
	['ends with a dot', [{ name: 'a./b' }], /ends with a dot/],
	['ends with a blank', [{ name: 'a ' }], /ends with a dot or a space/],
	['holds a question mark', [{ name: 'what?' }], /not every disk takes/],
	['is not composed', [{ name: 'e\u0301.txt' }], /not composed/],
	['is no UTF-8', [{ name: Buffer.from([0x61, 0xff]) }], /not UTF-8/],
	['is in an old code page', [{ name: Buffer.from('ä'), flags: 0 }], /neither ASCII nor marked/],
	['is longer than a disk takes', [{ name: 'a'.repeat(201) }], /more than 200 bytes/],
	['is deeper than is run', [{ name: `${'a/'.repeat(12)}b` }], /deeper than 12/],
	['has a second name in an extra field', [{ name: 'a', extra: extraField(0x7075, Buffer.alloc(9)) }], /second name/],
	['is written twice', [{ name: 'a' }, { name: 'a' }], /same name/],
	['differs in case only', [{ name: 'Read.md' }, { name: 'read.md' }], /same name/],
	['differs in what some disks ignore', [{ name: 'straße' }, { name: 'STRASSE' }], /same name/],
	['writes its folder in two ways', [{ name: 'Lib/a' }, { name: 'lib/b' }], /also written/],
	['is a file and a folder', [{ name: 'a' }, { name: 'a/b' }], /is a file and a folder/],
	['is a file and a folder in other letters', [{ name: 'A/b' }, { name: 'a' }], /is a file and a folder/],
	...['.git/config', '.git/hooks/post-checkout', 'a/.GIT/x', '.vscode/tasks.json', '.bashrc', '.npmrc', '.env'].map(
		(name): Attack => [`is ${name}`, [{ name }], /steers what other tools run/],
	),
	['is a program of node_modules', [{ name: 'node_modules/.bin/npm' }], /steers what other tools run/],
	['is __proto__', [{ name: '__proto__/x' }], /__proto__/],
];

const kinds: readonly Attack[] = [
	['a link', [{ name: 'a', content: '/etc/passwd', mode: 0o120777 }], /link or a special file/],
	['a device', [{ name: 'a', mode: 0o020666 }], /link or a special file/],
	['a pipe', [{ name: 'a', mode: 0o010666 }], /link or a special file/],
	['a socket', [{ name: 'a', mode: 0o140666 }], /link or a special file/],
	['a folder with the name of a file', [{ name: 'a', mode: 0o040755 }], /file and a folder/],
	['a folder by its DOS attribute', [{ name: 'a', mode: 0, dosAttributes: 0x10 }], /file and a folder/],
	['a file with the name of a folder', [{ name: 'a/', content: '' }], /file and a folder/],
	['a folder with content', [{ name: 'a/', mode: 0o040755, content: 'x' }], /file and a folder/],
	['an encrypted entry', [{ name: 'a', flags: 0x801, method: 8 }], /encrypted/],
	['a strongly encrypted entry', [{ name: 'a', flags: 0x841 }], /encryption/],
	['a masked header', [{ name: 'a', flags: 0x2800 }], /encrypted/],
	['a patch', [{ name: 'a', flags: 0x820 }], /encrypted/],
	...[1, 6, 9, 12, 14, 93, 95, 98, 99].map((method): Attack => [
		`compression method ${method}`,
		[{ name: 'a', method }],
		/compression method/,
	]),
];

const sizes: readonly Attack[] = [
	['a bomb by its ratio', [{ name: 'a', method: 8, content: Buffer.alloc(8 * MIB) }], /more than 100 times/],
	[
		'a bomb that says it is small',
		[{ name: 'a', method: 8, content: Buffer.alloc(8 * MIB), size: 10 }],
		/too many bytes|differ|checksum/i,
	],
	['less than it says', [{ name: 'a', method: 8, content: 'abc', size: 4 }], /not enough bytes|checksum/i],
	['two sizes of a stored entry', [{ name: 'a', content: 'abc', size: 4 }], /size mismatch/],
	['a wrong checksum', [{ name: 'a', crc: 1 }], /checksum/],
	[
		'bytes that are not deflated',
		[{ name: 'a', method: 8, packed: Buffer.from('no deflate') }],
		/EXTRACTION|invalid|unexpected/i,
	],
	[
		'a stream that is cut off',
		[
			{
				name: 'a',
				method: 8,
				packed: deflateRawSync(Buffer.alloc(900, 'x')).subarray(0, 4),
				content: Buffer.alloc(900, 'x'),
			},
		],
		/unexpected|not enough/i,
	],
	['too many entries', Array.from({ length: 2_001 }, (_, at) => ({ name: `f${at}`, content: '' })), /2001 entries/],
	[
		'more than 50 MiB in all',
		Array.from({ length: 51 }, (_, at) => ({ name: `f${at}`, method: 8, content: Buffer.alloc(MIB - 1) })),
		/more than 52428800/,
	],
];

const layouts: readonly Attack[] = [
	['bytes before it', [good], /does not lie between/, { prefix: Buffer.from('#!/bin/sh\n') }],
	['bytes after it', [good], /is no zip that ends where it should/, { suffix: Buffer.from('x') }],
	['a comment', [good], /ends where it should/, { comment: 'hello' }],
	[
		'another archive behind it',
		[good],
		/no entry|between|differ|signature/i,
		{ suffix: zipBytes([{ name: 'other' }]) },
	],
	['bytes before the directory', [good], /belong to no entry/, { beforeDirectory: Buffer.from('hidden') }],
	['bytes between two entries', [good, { name: 'a', gap: Buffer.from('hidden') }], /belong to no entry/],
	[
		'an entry the directory does not have',
		[good, { name: 'hidden', isHidden: true }, { name: 'z' }],
		/belong to no entry/,
	],
	[
		'two entries with the same bytes',
		[good, { name: 'capability.yaml2', content: 'name: x\n', isOnlyInDirectory: true, offset: 0 }],
		/differ/,
	],
	[
		'an entry inside another',
		[
			{ name: 'a', content: zipBytes([{ name: 'b' }]) },
			{ name: 'b', isOnlyInDirectory: true, offset: 31 },
		],
		/overlaps/,
	],
	['an entry beyond its end', [{ ...good, offset: 1_000_000 }], /signature|bounds|range|EOF|invalid/i],
	['another name in the local header', [{ ...good, local: { name: 'capability.yamX' } }], /differ/],
	['another size in the local header', [{ ...good, local: { size: 3 } }], /differ/],
	['another method in the local header', [{ ...good, local: { method: 8 } }], /differ/],
	['another checksum in the local header', [{ ...good, local: { crc: 3 } }], /differ/],
	['fewer entries than it says', [good], /unexpected EOF/, { entryCount: 2 }],
	['more entries than it says', [good, { name: 'b' }], /entr|directory|belong/i, { entryCount: 1 }],
	['a directory of another size', [good], /does not lie between/, { directorySize: 3 }],
	['several disks', [good], /split/, { disk: 1 }],
	['the zip64 form', [good], /zip64/, { entryCount: 0xffff }],
	['sizes in the zip64 form', [{ ...good, extra: extraField(1, Buffer.alloc(16)) }], /zip64|Zip64/],
];

const texts: readonly Attack[] = [
	[
		'turns the text around',
		[{ name: 'SKILL.md', content: 'a\u202eb' }],
		/SKILL\.md:1:2: it holds the character U\+202E/,
	],
	['has tag characters', [{ name: 'README.md', content: 'ok\nhi\u{e0041}' }], /README\.md:2:3: .*U\+E0041/],
	['has blanks without width', [{ name: 'a.yaml', content: 'a\u200bb' }], /U\+200B/],
	['has variation selectors for bytes', [{ name: 'a.json', content: '"\u{e0101}"' }], /U\+E0101/],
	['has variation selectors in a row', [{ name: 'a.md', content: '😀\ufe01\ufe0f\ufe0a' }], /U\+FE01/],
	['says something in joiners', [{ name: 'a.md', content: 'ok \u200c\u200d\u200d\u200c' }], /U\+200C/],
	['has joiners between letters', [{ name: 'a.ts', content: 'is\u200dAdmin' }], /U\+200D/],
	['has letters that are blank', [{ name: 'a.js', content: 'const \u3164 = 1' }], /U\+3164/],
	['has an escape of the terminal', [{ name: 'README.md', content: '\u001b[8mhidden' }], /U\+001B/],
	[
		'hides behind bytes that are no text',
		[{ name: 'a.md', content: Buffer.from([0xff, 0xe2, 0x80, 0xae]) }],
		/U\+202E/,
	],
];

for (const [what, attacks] of [
	['a name that', names],
	['', kinds],
	['', sizes],
	['', layouts],
	['text that', texts],
] as const) {
	describe(`an archive is refused with ${what}`.trimEnd(), () => {
		for (const [how, entries, about, options] of attacks) {
			it(how, async () => {
				await assert.rejects(readZip(zipBytes(entries, options), never), (error: Error & { code?: string }) => {
					assert.equal(error.code, 'EXTRACTION_FAILED', error.stack);
					assert.match(error.message, about);
					return true;
				});
			});
		}
	});
}

describe('an archive that is none', () => {
	for (const [what, bytes, about] of [
		['is empty', Buffer.alloc(0), /it is empty/],
		['is a web page', Buffer.from('<!doctype html><title>Sign in</title>'), /looks like a web page/],
		['is the answer of a service', Buffer.from('{"error":"not found"}'), /looks like JSON/],
		['is something else', Buffer.from('Rar!\u001a\u0007 and more of the same'), /it begins with/],
		['is larger than allowed', Buffer.alloc(20 * MIB + 1), /the limit is 20971520/],
	] as const) {
		it(`${what}: and that is said`, async () => {
			await assert.rejects(readZip(bytes, never), { code: 'EXTRACTION_FAILED', message: about });
		});
	}

	it('is refused at whichever byte it is cut off', async () => {
		const bytes = zipBytes([good, { name: 'a/b.txt', method: 8, content: 'x'.repeat(500) }]);
		for (let length = 0; length < bytes.length; length += 1) {
			await assert.rejects(readZip(bytes.subarray(0, length), never), { code: 'EXTRACTION_FAILED' });
		}
	});

	it('with any one bit another, is refused or has the same files (200 of them)', async () => {
		const entries = [
			good,
			{ name: 'a/', mode: 0o040755, content: '' },
			{ name: 'a/b.txt', method: 8, content: 'x'.repeat(5_000) },
		];
		const bytes = zipBytes(entries);
		const before = contentHash(await readZip(bytes, never));
		await fc.assert(
			fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
				const mutant = Buffer.from(bytes);
				mutant.writeUInt8(mutant.readUInt8(at) ^ (1 << bit), at);
				let files: PackageFile[];
				try {
					files = await readZip(mutant, never);
				} catch (error) {
					assert.equal((error as { code?: string }).code, 'EXTRACTION_FAILED', String(error));
					return;
				}
				assert.equal(contentHash(files), before);
			}),
			{ numRuns: 200, seed: 20_261_121 },
		);
	});
});

describe('an archive that is one', () => {
	it('is read with stored, deflated and empty files, folders, descriptors and emoji', async () => {
		const files = await readZip(
			zipBytes([
				good,
				{ name: 'a/', mode: 0o040755, content: '' },
				{ name: 'a/b.txt', method: 8, content: 'x'.repeat(500), mode: 0o104755 },
				{ name: 'a/empty', content: '' },
				{ name: 'README.md', content: '\ufeff👩‍🚀 grüßt' },
				{ name: 'scripts.md', content: '❤\ufe0f\u200d🔥 1\ufe0f\u20e3 می\u200cخواهم क्\u200dष \u200f' },
			]),
			never,
		);
		assert.deepEqual(
			files.map(({ path, bytes }) => [path, bytes.length]),
			[
				['capability.yaml', 8],
				['a/b.txt', 500],
				['a/empty', 0],
				['README.md', 22],
				['scripts.md', 56],
			],
		);
	});

	it('stops when it is told to', async () => {
		await assert.rejects(readZip(zipBytes([good]), AbortSignal.abort(new Error('stop'))), { message: 'stop' });
	});

	it('comes back as it was packed, whatever is in it, and is packed the same however it is ordered', async () => {
		const path = fc
			.array(fc.stringMatching(/^[a-z0-9]{1,8}$/), { minLength: 1, maxLength: 4 })
			.map((segments) => segments.join('/'))
			.filter((each) => {
				try {
					checkEntryNames([{ path: each, isFolder: false }]);
					return true;
				} catch {
					return false;
				}
			});
		const file = fc.record({ path, bytes: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) });
		const tree = fc.uniqueArray(file, { maxLength: 8, selector: (each) => each.path.split('/')[0] ?? '' });
		await fc.assert(
			fc.asyncProperty(tree, async (files) => {
				const zip = writeZip(files);
				assert.deepEqual(zip, writeZip(files.toReversed()));
				assert.equal(contentHash(await readZip(zip, never)), contentHash(files));
			}),
			{ numRuns: 100, seed: 1 },
		);
	});
});
