import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { parsePlist } from './parse-plist.ts';

/** Made by Python's plistlib. */
const binary = Buffer.from(
	'YnBsaXN0MDDeAQIDBAUGBwgJCgsMDQ4PEBESExgZGhscHR4fIFlfX3Byb3RvX19VYXNjaWlTYmlnVWJ5dGVzVGxpc3RUbG9uZ1FuVG5hbWVTbm' +
		'VnUm5vVHJlYWxTdWlkVHdoZW5TeWVzUXBTYWJjE3//////////QgD/oxQVFxABoRZReNBfEBR5eXl5eXl5eXl5eXl5eXl5eXl5eRAqaABHAHIA' +
		'9gDfAGUAINg93M8T//////////kIIz/4AAAAAAAAgAUzQchYNuAAAAAJCCUvNTk/RElLUFRXXGBlaWtveHt/gYOFhp2fsLm6w8XOAAAAAAAAAQ' +
		'EAAAAAAAAAIQAAAAAAAAAAAAAAAAAAAM8=',
	'base64',
);

const expected = {
	name: 'Größe 📏',
	ascii: 'abc',
	n: 42,
	neg: -7,
	big: { $integer: '9223372036854775807' },
	real: 1.5,
	yes: true,
	no: false,
	when: { $date: '2026-11-20T12:00:00.000Z' },
	bytes: { $data: 'AP8=' },
	list: [1, ['x'], {}],
	long: 'y'.repeat(20),
};

const head =
	'<?xml version="1.0"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/x.dtd">\n';
const xml = (content: string) => parsePlist(Buffer.from(`${head}<plist version="1.0">${content}</plist>`));

/** Either a value or our own error. */
function isCalm(bytes: Buffer): boolean {
	try {
		parsePlist(bytes);
	} catch (error) {
		assert.ok(isProwessError(error) && error.code === 'DATA_MALFORMED', String(error));
	}
	return true;
}

describe('a property list', () => {
	describe('in XML', () => {
		for (const content of [
			'',
			'text',
			'<string>',
			'<string>a</integer>',
			'<string>a<b/></string>',
			'<dict><string>a</string></dict>',
			'<dict><key>a</key></dict>',
			'<dict><key>a</key><key>b</key></dict>',
			'<array><string>a</string>',
			'<integer>1.5</integer>',
			'<integer>one</integer>',
			'<real>1,5</real>',
			'<real>nan</real>',
			'<date>yesterday</date>',
			'<date>2026-99-99T00:00:00Z</date>',
			'<data>*</data>',
			'<string>&xxe;</string>',
			'<string>&amp</string>',
			'<string>&#0;</string>',
			'<string>&#x110000;</string>',
			'<string>a</string><string>b</string>',
			'<script/>',
			'<!-- open',
			'<string><![CDATA[a</string>',
		]) {
			it(`is refused with ${JSON.stringify(content)}`, () => {
				assert.throws(() => xml(content), { code: 'DATA_MALFORMED' });
			});
		}

		for (const text of [
			'<!DOCTYPE plist [<!ENTITY a "b">]><plist><string>&a;</string></plist>',
			'<!DOCTYPE plist [<!ENTITY a SYSTEM "file:///etc/passwd">]><plist><string>&a;</string></plist>',
			'<plist><true/></plist><plist/>',
			'{"a":1}',
		]) {
			it(`is refused as ${text}`, () => {
				assert.throws(() => parsePlist(Buffer.from(text)), { code: 'DATA_MALFORMED' });
			});
		}

		it('is read, whatever it holds', () => {
			const value = xml(`
				<dict>
					<!-- a comment --><key>name</key><string>Größe 📏</string>
					<key>ascii</key><string><![CDATA[abc]]></string>
					<key>n</key><integer> 42 </integer><key>neg</key><integer>-7</integer>
					<key>big</key><integer>9223372036854775807</integer>
					<key>real</key><real>1.5</real><key>yes</key><true/><key>no</key><false />
					<key>when</key><date>2026-11-20T12:00:00Z</date>
					<key>bytes</key><data>\n AP8\n =</data>
					<key>list</key><array><integer>0x1</integer><array><string>x</string></array><dict/></array>
					<key>long</key><string>${'y'.repeat(20)}</string>
				</dict>`);
			assert.deepEqual(value, expected);
			assert.equal(xml('<string>&lt;a&gt; &amp; &#8364; &#x1F4CF;<!-- x --></string>'), '<a> & € 📏');
			assert.equal(xml('<string/>'), '');
		});

		it('is read in UTF-16 too', () => {
			const text = '\uFEFF<plist><string>ü</string></plist>';
			assert.equal(parsePlist(Buffer.from(text, 'utf16le')), 'ü');
			assert.equal(parsePlist(Buffer.from(text, 'utf16le').swap16()), 'ü');
		});

		it('is not read deeper than results go', () => {
			assert.throws(() => xml('<array>'.repeat(100_000)), { code: 'DATA_MALFORMED' });
		});
	});

	describe('in binary', () => {
		it('is read, whatever it holds, with names that mean something in JavaScript', () => {
			const { uid, ['__proto__']: name, ...rest } = parsePlist(binary) as Record<string, unknown>;
			assert.deepEqual({ ...rest }, expected);
			assert.deepEqual([uid, name], [{ $uid: 5 }, 'p']);
		});

		it('is refused when it is cut off anywhere', () => {
			for (let length = 0; length < binary.length; length++) {
				assert.throws(() => parsePlist(binary.subarray(0, length)), { code: 'DATA_MALFORMED' }, String(length));
			}
		});

		it('is read or refused when any byte is another one', () => {
			for (let at = 0; at < binary.length; at++) {
				for (const value of [0x00, 0x0f, 0x7f, 0xa1, 0xaf, 0xdf, 0xff]) {
					const changed = Buffer.from(binary);
					changed[at] = value;
					assert.ok(isCalm(changed), `${at} = ${value}`);
				}
			}
		});

		it('is read or refused when it is anything', () => {
			fc.assert(
				fc.property(fc.uint8Array({ minLength: 33, maxLength: 300 }), (bytes) =>
					isCalm(Buffer.concat([Buffer.from('bplist00'), bytes])),
				),
			);
		});

		it('that holds itself is refused', () => {
			assert.throws(() => parsePlist(made([0xa1, 0x00])), { code: 'DATA_MALFORMED' });
		});

		it('that names the same list over and over is refused before it fills the memory', () => {
			// Twenty lists, each of which holds the next one ten times.
			const objects = Array.from({ length: 20 }, (_, n) => [0xaa, ...Array.from({ length: 10 }, () => n + 1)]);
			assert.throws(() => parsePlist(made(...objects, [0x09])), { code: 'DATA_MALFORMED' });
		});
	});
});

/** Objects one after the other, with references of one byte. */
function made(...objects: readonly (readonly number[])[]): Buffer {
	const body = Buffer.from(objects.flat());
	let at = 8;
	const offsets = objects.map((object) => {
		const here = at;
		at += object.length;
		return [here >> 8, here & 0xff];
	});
	const trailer = Buffer.alloc(32);
	trailer[6] = 2;
	trailer[7] = 1;
	trailer.writeBigUInt64BE(BigInt(objects.length), 8);
	trailer.writeBigUInt64BE(BigInt(at), 24);
	return Buffer.concat([Buffer.from('bplist00'), body, Buffer.from(offsets.flat()), trailer]);
}
