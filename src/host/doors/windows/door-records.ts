/** Doors that windows of the editor attend to, as files in the home that only the user can open: one for each, while it is open. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessMissing } from '../../../machine/paths/file-error.ts';
import { readIfThere } from '../../../machine/home-files/durable-file.ts';
import * as z from '../../../protocol/text/zod.ts';

const OpenDoorRecord = z.object({
	pid: z.int(),
	/** Real path of the folder that it works in. */
	folder: z.string(),
	/** Path of its socket, or name of its pipe on Windows. */
	address: z.string(),
	secret: z.string(),
});
export type OpenDoorRecord = z.infer<typeof OpenDoorRecord>;

const RECORD_ENDING = '.json';

export function doorPlace(home: string, id: string) {
	const folder = join(home, 'doors');
	return { folder, record: join(folder, `${id}${RECORD_ENDING}`), socket: join(folder, id) };
}

/** Records by id, also of processes that were killed. A file that is no record is left out. */
export async function readDoorRecords(home: string): Promise<ReadonlyMap<string, OpenDoorRecord>> {
	const names = await unlessMissing(readdir(doorPlace(home, '').folder));
	const ids = (names ?? [])
		.filter((name) => name.endsWith(RECORD_ENDING))
		.map((name) => name.slice(0, -RECORD_ENDING.length));
	const records = await Promise.all(ids.map(async (id) => [id, await readDoorRecord(home, id)] as const));
	return new Map(records.flatMap(([id, record]) => (record === undefined ? [] : [[id, record]])));
}

async function readDoorRecord(home: string, id: string): Promise<OpenDoorRecord | undefined> {
	try {
		const text = await readIfThere(doorPlace(home, id).record);
		return text === undefined ? undefined : OpenDoorRecord.parse(JSON.parse(text));
	} catch {
		return undefined;
	}
}
