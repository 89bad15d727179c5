/**
 * Each `prowess web` that serves now, its addresses and what its settings deny to browsers: a file in the home for each, beside a
 * lock that the system takes away with the process, however that ends.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Disposable, toDisposable } from '../../../base/disposable.ts';
import { readIfThere, replaceDurably } from '../../../machine/home-files/durable-file.ts';
import { holdLock } from '../../../machine/home-files/file-lock.ts';
import { makePrivateFolder } from '../../../machine/home-files/private-folder.ts';
import { parseJsonOrUndefined } from '../../../base/text/lenient.ts';
import { ClientRight } from '../../../protocol/approvals/access.ts';
import * as z from '../../../protocol/text/zod.ts';

const ServedRecord = z.object({
	urls: z.array(z.string()).readonly(),
	/** Rights that its settings leave to no browser. */
	denied: z.array(ClientRight).readonly().default([]),
});
type ServedRecord = z.infer<typeof ServedRecord>;

const SERVED_ENDING = '.json';

/** Lists that it serves until the result is disposed, or this process has ended. */
export async function noteServed(home: string, record: ServedRecord): Promise<Disposable> {
	const place = placeOf(home, randomUUID());
	const lock = await holdLock(place.lock);
	const served = toDisposable(() => {
		rmSync(place.record, { force: true });
		lock?.dispose();
		rmSync(place.lock, { force: true });
	});
	try {
		await replaceDurably(place.record, JSON.stringify(record));
		return served;
	} catch (error) {
		served.dispose();
		throw error;
	}
}

/**
 * Addresses at which browsers reach Prowess now; none: no `prowess web` runs. `denied`: rights that none of them leaves to a browser.
 * Takes away what killed ones have left.
 */
export async function findServed(home: string): Promise<ServedRecord> {
	const names = readdirSync(servingFolder(home)).filter((name) => name.endsWith(SERVED_ENDING));
	const records: ServedRecord[] = [];
	for (const name of names) {
		const place = placeOf(home, name.slice(0, -SERVED_ENDING.length));
		const left = await holdLock(place.lock);
		if (left === undefined) {
			const record = ServedRecord.safeParse(parseJsonOrUndefined((await readIfThere(place.record)) ?? ''));
			if (record.success) records.push(record.data);
		} else {
			rmSync(place.record, { force: true });
			left.dispose();
			rmSync(place.lock, { force: true });
		}
	}
	const [first, ...others] = records;
	return {
		urls: [...new Set(records.flatMap(({ urls }) => urls))],
		denied: first?.denied.filter((right) => others.every(({ denied }) => denied.includes(right))) ?? [],
	};
}

function servingFolder(home: string): string {
	return makePrivateFolder(join(home, 'web', 'serving'));
}

function placeOf(home: string, id: string) {
	const folder = servingFolder(home);
	return { record: join(folder, `${id}${SERVED_ENDING}`), lock: join(folder, `${id}.lock`) };
}
