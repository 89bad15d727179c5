import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { gif, jpeg, largePng, png, webp } from '../../../test/support/pictures.ts';
import { checkedImage, formatMediaFileName, MAX_IMAGE_BYTES, refuseManyImages } from './images.ts';

const refused = (bytes: Uint8Array, code: string) =>
	assert.throws(() => checkedImage(bytes, 'a.png'), { code, facts: { what: 'a.png', ...factsOf(bytes, code) } });

function factsOf(bytes: Uint8Array, code: string): object {
	return code === 'IMAGE_TOO_LARGE' ? { bytes: bytes.length, limit: MAX_IMAGE_BYTES } : {};
}

describe('A picture', () => {
	it('is refused when it is empty, a text, or another kind of file', () => {
		for (const bytes of [
			Buffer.of(),
			Buffer.from('just a text'),
			Buffer.from('%PDF-1.7'),
			Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
			Buffer.from('BM0000000000000000'),
		]) {
			refused(bytes, 'NOT_AN_IMAGE');
		}
	});

	it('is refused wherever it is cut off', () => {
		for (const whole of [png(), jpeg, webp]) {
			for (let length = 0; length < whole.length - 1; length += 1) {
				const cut = whole.subarray(0, length);
				assert.throws(() => checkedImage(cut, 'x'), { code: 'NOT_AN_IMAGE' }, `${whole.length} at ${length}`);
			}
		}
		for (let length = 0; length < gif.length - 1; length += 1) {
			assert.throws(() => checkedImage(gif.subarray(0, length), 'x'), { code: 'NOT_AN_IMAGE' }, `gif at ${length}`);
		}
	});

	it('is refused when it has no size', () => {
		const flat = png();
		flat.writeUInt32BE(0, 20);
		refused(flat, 'NOT_AN_IMAGE');
	});

	it('is refused above 5 MB, and taken at 5 MB', () => {
		refused(largePng(MAX_IMAGE_BYTES + 1), 'IMAGE_TOO_LARGE');
		assert.equal(checkedImage(largePng(MAX_IMAGE_BYTES), 'a.png').type, 'image/png');
	});

	it('is refused as the 21st of a message', () => {
		refuseManyImages(20);
		assert.throws(() => refuseManyImages(21), { code: 'TOO_MANY_IMAGES', facts: { count: 21, limit: 20 } });
	});

	it('is known by its bytes, with its size', () => {
		assert.deepEqual(checkedImage(png(640, 2), 'a.txt'), { type: 'image/png', width: 640, height: 2 });
		assert.deepEqual(checkedImage(jpeg, 'a.png'), { type: 'image/jpeg', width: 16, height: 9 });
		assert.deepEqual(checkedImage(gif, 'a.png'), { type: 'image/gif', width: 1, height: 1 });
		assert.deepEqual(checkedImage(webp, 'a.png'), { type: 'image/webp', width: 1, height: 1 });
	});

	it('is saved under a plain name with the ending of its type, whatever a tool calls it', () => {
		for (const [type, name, file] of [
			['image/png', undefined, 'picture.png'],
			['audio/wav', '', 'sound.wav'],
			['image/jpeg', 'Shot 1.JPEG', 'Shot 1.JPEG'],
			['image/png', 'file:///a/../run.sh', 'run.sh.png'],
			['audio/mpeg', '..\\..\\.bashrc', 'bashrc.mp3'],
			['audio/ogg', 'a\u202eb\n<c>', 'a-b-c.ogg'],
			['image/gif', `${'x'.repeat(300)}.gif`, `${'x'.repeat(100)}.gif`],
			['image/webp', './', 'picture.webp'],
		] as const) {
			assert.equal(formatMediaFileName({ type, name }), file);
		}
	});
});
