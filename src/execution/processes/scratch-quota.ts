/** Watches what an executor leaves in the folder it works in: so much and no more. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { SCRATCH_BYTES, SCRATCH_FILES, SCRATCH_LOOK_MS } from './limits.ts';

interface ScratchQuota {
	/** Most bytes, counted in blocks on the disk, so that a file with holes counts only for what it holds. */
	readonly bytes: number;
	/** And folders. */
	readonly files: number;
	readonly lookMs: number;
}

const QUOTA: ScratchQuota = { bytes: SCRATCH_BYTES, files: SCRATCH_FILES, lookMs: SCRATCH_LOOK_MS };

/** Calls back once, with what is too much; then it looks no more. */
export function watchScratch(
	folder: string,
	onExceeded: (problem: string) => void,
	quota: ScratchQuota = QUOTA,
): Disposable {
	let isOver = false;
	let timer = setTimeout(() => void checkQuota(), quota.lookMs);
	const checkQuota = async () => {
		const problem = await findQuotaProblem(folder, quota);
		if (isOver) return;
		if (problem === undefined) timer = setTimeout(() => void checkQuota(), quota.lookMs);
		else onExceeded(problem);
	};
	return toDisposable(() => {
		isOver = true;
		clearTimeout(timer);
	});
}

/** Stops counting at the limit. */
async function findQuotaProblem(folder: string, quota: ScratchQuota): Promise<string | undefined> {
	let bytes = 0;
	let files = 0;
	const open = [folder];
	for (let at = open.pop(); at !== undefined; at = open.pop()) {
		// A folder that is gone, or cannot be entered, holds nothing that could be counted.
		const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
		for (const entry of entries) {
			const path = join(at, entry.name);
			files += 1;
			if (entry.isDirectory()) open.push(path);
			else bytes += ((await lstat(path).catch(() => undefined))?.blocks ?? 0) * 512;
			if (files > quota.files) return `more than ${quota.files} files`;
			if (bytes > quota.bytes) return `more than ${quota.bytes} bytes`;
		}
	}
	return undefined;
}
