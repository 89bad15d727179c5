/**
 * Executions of all hosts of one home, as other processes see them: a record for each in `executions/`, and beside it a
 * file that stands for the wish to stop it. No port listens and nobody is sent a signal: only the host of an execution
 * ends it.
 */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from '../../protocol/text/zod.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { LeftProcess } from '../../protocol/execution/execution.ts';
import { text } from '../../protocol/text/text.ts';
import { LEFT_ELSEWHERE_MS, listLeftBehind, ownName } from '../../store/left-behind.ts';
import { isRunningSince, readProcessStart, visibleHere } from '../../store/running-process.ts';
import { readIfThere } from '../../machine/home-files/durable-file.ts';
import { STOP_ANSWER_MS, STOP_ANSWER_POLL_MS } from '../processes/limits.ts';

export const EXECUTION_ID = /^cap_\d{1,16}_[0-9a-f]{8}$/;

const RunningRecord = z.object({
	executionId: z.string().regex(EXECUTION_ID),
	type: z.string().max(200),
	name: z.string().max(200),
	startedAt: z.string().max(40),
	/** Process id of the host that runs the execution. */
	hostPid: z.int().positive(),
	/** Tells it from a later process of that number; null where the system does not say. */
	hostStart: z.string().max(40).nullable(),
	/** Where that number means something; older versions did not say. */
	hostPlace: z.string().max(200).optional(),
});
export type RunningRecord = z.infer<typeof RunningRecord>;

const Leftovers = z.array(z.object({ pid: z.int().positive(), name: z.string().max(100) })).min(1);

const RECORD = '.json';
const WISH = '.stop';
const DRAFT = '.draft';

const resolveRecordsFolder = (home: string) => join(home, 'executions');

/** Private to the user (0700). */
export async function writeRecord(
	home: string,
	record: Omit<RunningRecord, 'hostPid' | 'hostStart' | 'hostPlace'>,
): Promise<void> {
	const { pid } = process;
	await mkdir(resolveRecordsFolder(home), { recursive: true, mode: 0o700 });
	const draft = join(resolveRecordsFolder(home), `${ownName()}${record.executionId}${DRAFT}`);
	const whole: RunningRecord = {
		...record,
		hostPid: pid,
		hostStart: readProcessStart(pid) ?? null,
		hostPlace: visibleHere(),
	};
	await writeFile(draft, JSON.stringify(whole), { mode: 0o600 });
	await rename(draft, join(resolveRecordsFolder(home), record.executionId + RECORD));
}

/**
 * Removes the record, which those who wait for the end take for the end. Leftover processes are written into the wish
 * to stop, if there is such a wish, for the process that wished it.
 */
export async function removeRecord(
	home: string,
	executionId: string,
	leftovers: readonly LeftProcess[],
): Promise<void> {
	const path = join(resolveRecordsFolder(home), executionId);
	if (leftovers.length > 0 && (await readIfThere(path + WISH)) !== undefined) {
		await writeFile(path + WISH, JSON.stringify(leftovers), { mode: 0o600 });
	} else {
		await rm(path + WISH, { force: true });
	}
	await rm(path + RECORD, { force: true });
}

/** Ids of executions that somebody wants to be stopped, of this host or another. */
export async function wishesToStop(home: string): Promise<string[]> {
	const names = await listRecordNames(home);
	return names.filter((name) => name.endsWith(WISH)).map((name) => name.slice(0, -WISH.length));
}

/** Lists the running executions, oldest first. Removes the files of hosts that ended without cleaning up. */
export async function executionsOfHosts(home: string): Promise<RunningRecord[]> {
	const names = await listRecordNames(home);
	const left = [
		...listLeftBehind(resolveRecordsFolder(home)),
		...names.filter((name) => name.endsWith(WISH) && !names.includes(name.replace(WISH, RECORD))),
	];
	await Promise.all(left.map((name) => rm(join(resolveRecordsFolder(home), name), { force: true })));
	const found = await Promise.all(
		names.filter((name) => name.endsWith(RECORD)).map((name) => liveRecord(home, name.slice(0, -RECORD.length))),
	);
	return found
		.filter((each) => each !== undefined)
		.sort((a, b) => a.startedAt.localeCompare(b.startedAt) || a.executionId.localeCompare(b.executionId));
}

interface StoppedRecord extends RunningRecord {
	/** Processes that it started and that had left its group; absent when there were none. */
	readonly leftovers?: readonly LeftProcess[];
}

/**
 * Asks the host of an execution to stop it; resolves when nothing of it is left. Rejects with INVALID_REQUEST when no such one
 * runs, and with TIMEOUT when its host does not do it in time; the wish stays, for when that wakes up.
 */
export async function stopInItsHost(home: string, executionId: string, signal: AbortSignal): Promise<StoppedRecord> {
	const record = EXECUTION_ID.test(executionId) ? await liveRecord(home, executionId) : undefined;
	if (record === undefined) {
		throw new ProwessError('INVALID_REQUEST', `no execution "${executionId}" is running`, {
			executionId,
			said: text('No execution {id} is running.', { id: executionId }),
		});
	}
	await writeFile(join(resolveRecordsFolder(home), executionId + WISH), '', { mode: 0o600 });
	const until = performance.now() + STOP_ANSWER_MS;
	while ((await liveRecord(home, executionId)) !== undefined) {
		signal.throwIfAborted();
		if (performance.now() > until) {
			const { type, name, hostPid } = record;
			const message = `the host of ${type} ${name}, process ${hostPid}, did not stop it within ${STOP_ANSWER_MS / 1_000} s; it may be halted or very busy. Ending that process ends the execution with it`;
			throw new ProwessError('TIMEOUT', message, { executionId, hostPid });
		}
		await wait(STOP_ANSWER_POLL_MS);
	}
	const leftovers = leftoversIn(await readIfThere(join(resolveRecordsFolder(home), executionId + WISH)));
	// The wish is also there when the execution ended by itself just before the wish was written.
	await rm(join(resolveRecordsFolder(home), executionId + WISH), { force: true });
	return leftovers === undefined ? record : { ...record, leftovers };
}

/** None when nothing was ever started. */
async function listRecordNames(home: string): Promise<string[]> {
	return await readdir(resolveRecordsFolder(home)).catch(() => []);
}

/** True while its host may run where it cannot be seen from here. */
function mayRunElsewhere({ hostPlace, startedAt }: Partial<RunningRecord> = {}): boolean {
	const isOld = Date.now() - Date.parse(startedAt ?? '') > LEFT_ELSEWHERE_MS;
	return hostPlace !== undefined && hostPlace !== visibleHere() && !isOld;
}

/** Undefined when there is none whose host can be seen to run. */
async function liveRecord(home: string, executionId: string): Promise<RunningRecord | undefined> {
	const text = await readIfThere(join(resolveRecordsFolder(home), executionId + RECORD));
	const record = text === undefined ? undefined : parseRecordText(RunningRecord, text);
	const isHere = record?.hostPlace === undefined || record.hostPlace === visibleHere();
	const isLive =
		isHere && record?.executionId === executionId && isRunningSince(record.hostPid, record.hostStart ?? undefined);
	if (text !== undefined && !isLive && !mayRunElsewhere(record)) {
		await removeRecord(home, executionId, []);
	}
	return isLive ? record : undefined;
}

function leftoversIn(text = ''): readonly LeftProcess[] | undefined {
	return text === '' ? undefined : parseRecordText(Leftovers, text);
}

function parseRecordText<T>(shape: z.ZodType<T>, text: string): T | undefined {
	try {
		return shape.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}
