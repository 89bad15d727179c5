/**
 * Addresses of each `prowess web` that serves now: a file in the home for each, beside a lock that the system takes away with the
 * process, however that ends.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Disposable, toDisposable } from '../../../base/disposable.ts';
import { readIfThere, replaceDurably } from '../../../machine/home-files/durable-file.ts';
import { holdLock } from '../../../machine/home-files/file-lock.ts';
import { makePrivateFolder } from '../../../machine/home-files/private-folder.ts';
import { parseJsonOrUndefined } from '../../../base/text/lenient.ts';
import * as z from '../../../protocol/text/zod.ts';

const ServedRecord = z.object({ urls: z.array(z.string()).readonly() });

const SERVED_ENDING = '.json';

/** The addresses are listed until it is disposed, or this process has ended. */
export async function noteServedAddresses(home: string, urls: readonly string[]): Promise<Disposable> {
	const place = placeOf(home, randomUUID());
	const lock = await holdLock(place.lock);
	const served = toDisposable(() => {
		rmSync(place.record, { force: true });
		lock?.dispose();
		rmSync(place.lock, { force: true });
	});
	try {
		await replaceDurably(place.record, JSON.stringify({ urls } satisfies z.infer<typeof ServedRecord>));
		return served;
	} catch (error) {
		served.dispose();
		throw error;
	}
}

/** At which browsers reach Prowess now; none: no `prowess web` runs. Takes away what killed ones have left. */
export async function listServedAddresses(home: string): Promise<readonly string[]> {
	const names = readdirSync(servingFolder(home)).filter((name) => name.endsWith(SERVED_ENDING));
	const urls: string[] = [];
	for (const name of names) {
		const place = placeOf(home, name.slice(0, -SERVED_ENDING.length));
		const left = await holdLock(place.lock);
		if (left === undefined) {
			const record = ServedRecord.safeParse(parseJsonOrUndefined((await readIfThere(place.record)) ?? ''));
			if (record.success) urls.push(...record.data.urls);
		} else {
			rmSync(place.record, { force: true });
			left.dispose();
			rmSync(place.lock, { force: true });
		}
	}
	return [...new Set(urls)];
}

function servingFolder(home: string): string {
	return makePrivateFolder(join(home, 'web', 'serving'));
}

function placeOf(home: string, id: string) {
	const folder = servingFolder(home);
	return { record: join(folder, `${id}${SERVED_ENDING}`), lock: join(folder, `${id}.lock`) };
}
