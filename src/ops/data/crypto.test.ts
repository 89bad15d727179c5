import assert from 'node:assert/strict';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import { ops } from '../../protocol/op-table/ops.ts';
import { inEnglish } from '../../protocol/text/text.ts';

const hex = (text: string) => ({ base64: Buffer.from(text, 'hex').toString('base64') });
const toHex = ({ base64 }: { readonly base64: string }) => Buffer.from(base64, 'base64').toString('hex');

describe('crypto ops', () => {
	let disk: WorkspaceOnDisk;

	beforeEach(async () => {
		disk = await workspaceOnDisk();
	});
	afterEach(() => disk.close());

	const key = Buffer.alloc(32, 7).toString('base64');

	it('refuse to decrypt what was changed, sealed with less, or is of another key', async () => {
		const sealed = await disk.perform('crypto.aesGcmEncrypt', {
			key,
			data: { text: 'private' },
			additional: { text: 'a' },
		});
		const open = (change: Partial<typeof sealed & { key: string; additional: { text: string } }>) =>
			disk.perform('crypto.aesGcmDecrypt', { key, additional: { text: 'a' }, ...sealed, ...change });
		const flipped = (base64: string) => {
			const bytes = Buffer.from(base64, 'base64');
			bytes[0] = (bytes[0] ?? 0) ^ 1;
			return bytes.toString('base64');
		};
		const code = 'DATA_MALFORMED';
		await assert.rejects(open({ data: flipped(sealed.data) }), { code });
		await assert.rejects(open({ tag: flipped(sealed.tag) }), { code });
		await assert.rejects(open({ iv: flipped(sealed.iv) }), { code });
		await assert.rejects(open({ additional: { text: 'b' } }), { code });
		await assert.rejects(open({ key: flipped(key) }), { code });
		const short = Buffer.from(sealed.tag, 'base64').subarray(0, 4).toString('base64');
		await assert.rejects(open({ tag: short }), { code: 'INVALID_PARAMS' });
		await assert.rejects(open({ key: 'AAAA' }), { code: 'INVALID_PARAMS' });
		assert.equal(Buffer.from((await open({})).base64, 'base64').toString(), 'private');
	});

	it('use a new iv each time', async () => {
		const seal = () => disk.perform('crypto.aesGcmEncrypt', { key, data: { text: 'x' } });
		assert.notEqual((await seal()).iv, (await seal()).iv);
	});

	it('decrypt what others encrypted (NIST, test case 14)', async () => {
		const opened = await disk.perform('crypto.aesGcmDecrypt', {
			key: Buffer.alloc(32).toString('base64'),
			iv: Buffer.alloc(12).toString('base64'),
			data: hex('cea7403d4d606b6e074ec5d3baf39d18').base64,
			tag: hex('d0d1c8a799996bf0265b98b5d48ab919').base64,
		});
		assert.equal(toHex(opened), '00'.repeat(16));
	});

	it('compute what the standards say', async () => {
		assert.equal(
			(await disk.perform('crypto.hash', { algorithm: 'sha256', data: { text: 'abc' } })).hex,
			'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
		);
		// RFC 4231, test case 2
		const signed = await disk.perform('crypto.hmac', {
			algorithm: 'sha256',
			key: { text: 'Jefe' },
			data: { text: 'what do ya want for nothing?' },
		});
		assert.equal(signed.hex, '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
		// RFC 7914, section 11
		const derived = await disk.perform('crypto.pbkdf2', {
			algorithm: 'sha256',
			password: { text: 'passwd' },
			salt: { text: 'salt' },
			iterations: 1,
			keyLength: 64,
		});
		assert.match(toHex(derived), /^55ac046e56e3089fec1691c22544b605/);
		// RFC 5869, test case 1
		const expanded = await disk.perform('crypto.hkdf', {
			algorithm: 'sha256',
			key: hex('0b'.repeat(22)),
			salt: hex('000102030405060708090a0b0c'),
			info: hex('f0f1f2f3f4f5f6f7f8f9'),
			keyLength: 42,
		});
		assert.match(toHex(expanded), /^3cb25f25faacd57a90434f64d0362f2a/);
		assert.equal(Buffer.from((await disk.perform('crypto.randomBytes', { length: 33 })).base64, 'base64').length, 33);
	});

	it('show nothing of keys and values where people and the ledger read', () => {
		const secret = 'canary-0123456789';
		const params = ops['crypto.hmac'].params.parse({ key: { text: secret }, data: { text: secret } });
		assert.equal(inEnglish(ops['crypto.hmac'].title(params)).includes(secret), false);
		assert.equal(ops['crypto.randomBytes'].present({ base64: secret }).includes(secret), false);
		for (const bad of [{ data: { base64: '***' } }, { data: 'text' }, { data: { text: 'a' }, algorithm: 'rot13' }]) {
			assert.equal(ops['crypto.hash'].params.safeParse(bad).success, false);
		}
	});
});
