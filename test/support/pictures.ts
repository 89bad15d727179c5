/** Small pictures with real bytes, one of each kind that can be sent. */
import { crc32, deflateSync } from 'node:zlib';

/** Returns a PNG of a single colour. */
export function png(width = 8, height = 6): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 2, 0, 0, 0], 8);
	const rows = Buffer.alloc((width * 3 + 1) * height, 0x40);
	for (let y = 0; y < height; y += 1) {
		rows[y * (width * 3 + 1)] = 0;
	}
	const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
	return Buffer.concat([
		signature,
		chunk('IHDR', header),
		chunk('IDAT', deflateSync(rows)),
		chunk('IEND', Buffer.of()),
	]);
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const frame = Buffer.alloc(8);
	frame.writeUInt32BE(data.length, 0);
	frame.writeUInt32BE(crc32(body), 4);
	return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A PNG of so many bytes: its picture, and a text chunk that fills it up. */
export function largePng(bytes: number): Buffer {
	const small = png();
	const end = small.length - 12;
	const filler = chunk('tEXt', Buffer.alloc(bytes - small.length - 12, 0x61));
	return Buffer.concat([small.subarray(0, end), filler, small.subarray(end)]);
}

export const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64');

export const webp = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');

/** 16 by 9, its header only: enough for whoever looks at sizes. */
export const jpeg = Buffer.from(
	'ffd8ffe000104a46494600010100000100010000ffc0001108000900100301220002110103110' +
		'1ffda000c03010002110311003f00d2cf20ffd9',
	'hex',
);
