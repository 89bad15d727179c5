/**
 * Which of SQLite's journals a disk can bear. The write-ahead log keeps its index in memory that all who use the file share,
 * which does not exist between machines: two of them would damage the file, and neither would be told.
 */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

type JournalMode = 'WAL' | 'TRUNCATE';

/**
 * Types of shared disks, as Linux numbers them in statfs(2): disks of other machines, and those of programs, whose
 * place nobody knows.
 */
const SHARED_DISKS: ReadonlySet<number> = new Set([
	0x6969, // NFS
	0x517b, // SMB
	0xfe534d42, // SMB 2 and 3
	0xff534d42, // CIFS
	0x01021997, // 9P, as Windows shows its disks to WSL
	0x65735546, // FUSE
	0x786f4256, // shared folders of VirtualBox
	0x5346414f, // AFS
	0x00c36400, // Ceph
	0x0bd00bd0, // Lustre
	0x47504653, // GPFS
]);

export function journalFor(path: string): JournalMode {
	return journalOn(path, statfsSync(dirname(path)).type, process.platform);
}

/** `type`: of the disk, as statfs(2) has it. Elsewhere than on Linux it says nothing about where a disk lies. */
export function journalOn(path: string, type: number, platform: NodeJS.Platform): JournalMode {
	const isShared = platform === 'linux' ? SHARED_DISKS.has(type >>> 0) : platform === 'win32' && /^[\\/]{2}/.test(path);
	return isShared ? 'TRUNCATE' : 'WAL';
}
