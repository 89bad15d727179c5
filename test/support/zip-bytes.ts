/** Writes a zip byte by byte, each field right or wrong. Omitted fields get their correct value. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
	readonly name: string | Buffer;
	readonly content?: string | Buffer;
	/** 0 stored, 8 deflated. */
	readonly method?: number;
	/** Bytes of the entry in the archive, in place of the output of the method. */
	readonly packed?: Buffer;
	readonly flags?: number;
	/** Unix mode, with the file type. */
	readonly mode?: number;
	readonly dosAttributes?: number;
	readonly crc?: number;
	readonly size?: number;
	readonly packedSize?: number;
	readonly extra?: Buffer;
	/** Where the local header says something else than the directory. */
	readonly local?: { readonly name?: string; readonly size?: number; readonly method?: number; readonly crc?: number };
	/** Bytes before its local header. */
	readonly gap?: Buffer;
	/** In the directory, in place of where it is. */
	readonly offset?: number;
	/** In the directory only. */
	readonly isOnlyInDirectory?: boolean;
	/** In the archive only. */
	readonly isHidden?: boolean;
}

export interface ZipOptions {
	readonly prefix?: Buffer;
	readonly suffix?: Buffer;
	readonly comment?: string;
	readonly beforeDirectory?: Buffer;
	readonly entryCount?: number;
	readonly directorySize?: number;
	readonly directoryStart?: number;
	readonly disk?: number;
}

const UTF8 = 0x800;

export function zipBytes(entries: readonly ZipEntry[], options: ZipOptions = {}): Buffer {
	const parts: Buffer[] = [options.prefix ?? Buffer.alloc(0)];
	const directory: Buffer[] = [];
	let at = 0;
	for (const entry of entries) {
		const raw = Buffer.from(entry.content ?? 'content');
		const method = entry.method ?? 0;
		const packed = entry.packed ?? (method === 8 ? deflateRawSync(raw) : raw);
		const name = Buffer.isBuffer(entry.name) ? entry.name : Buffer.from(entry.name, 'utf8');
		const extra = entry.extra ?? Buffer.alloc(0);
		const fields = (over: ZipEntry['local'] = {}, nameLength = name.length) => {
			const header = Buffer.alloc(26);
			header.writeUInt16LE(20, 0);
			header.writeUInt16LE(entry.flags ?? UTF8, 2);
			header.writeUInt16LE(over.method ?? method, 4);
			header.writeUInt16LE(0x21, 8);
			header.writeUInt32LE(over.crc ?? entry.crc ?? crc32(raw), 10);
			header.writeUInt32LE(entry.packedSize ?? packed.length, 14);
			header.writeUInt32LE(over.size ?? entry.size ?? raw.length, 18);
			header.writeUInt16LE(nameLength, 22);
			header.writeUInt16LE(extra.length, 24);
			return header;
		};
		const gap = entry.gap ?? Buffer.alloc(0);
		const localName = entry.local?.name === undefined ? name : Buffer.from(entry.local.name, 'utf8');
		if (entry.isOnlyInDirectory !== true) {
			parts.push(
				gap,
				Buffer.from('PK\u0003\u0004', 'latin1'),
				fields(entry.local, localName.length),
				localName,
				extra,
				packed,
			);
		}
		if (entry.isHidden !== true) {
			const own = Buffer.alloc(12);
			own.writeUInt32LE((((entry.mode ?? 0o100644) << 16) | (entry.dosAttributes ?? 0)) >>> 0, 4);
			own.writeUInt32LE(entry.offset ?? at + gap.length, 8);
			directory.push(Buffer.from('PK\u0001\u0002\u0014\u0003', 'latin1'), fields(), Buffer.alloc(2), own, name, extra);
		}
		if (entry.isOnlyInDirectory !== true) {
			at += gap.length + 30 + localName.length + extra.length + packed.length;
		}
	}
	const listed = Buffer.concat(directory);
	const before = options.beforeDirectory ?? Buffer.alloc(0);
	const count = options.entryCount ?? entries.filter(({ isHidden }) => isHidden !== true).length;
	const comment = Buffer.from(options.comment ?? '', 'utf8');
	const end = Buffer.alloc(18);
	end.writeUInt16LE(options.disk ?? 0, 0);
	end.writeUInt16LE(count, 4);
	end.writeUInt16LE(count, 6);
	end.writeUInt32LE(options.directorySize ?? listed.length, 8);
	end.writeUInt32LE(options.directoryStart ?? at + before.length, 12);
	end.writeUInt16LE(comment.length, 16);
	return Buffer.concat([
		...parts,
		before,
		listed,
		Buffer.from('PK\u0005\u0006', 'latin1'),
		end,
		comment,
		options.suffix ?? Buffer.alloc(0),
	]);
}
