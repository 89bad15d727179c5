/**
 * The polls of watches that this host makes. A poll with the result of the one before leaves no row in the ledger: the
 * rows are numbered by polls, which shows how many there were in between.
 */
import { deriveSignal } from '../../base/time/derived-signal.ts';
import type { OpSeries, PerformOp } from '../../contract/ops/perform-op.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { newId, type ThreadId } from '../../protocol/rpc/ids.ts';
import { filesPollWords } from '../../protocol/schedule/poll-words.ts';
import { beginsAsCondition, readCondition, readDuration } from '../../protocol/schedule/watch-condition.ts';
import { text, type Text } from '../../protocol/text/text.ts';
import { scheduleLimits } from './limits.ts';
import { checkCondition, describeProblem, hostOfCondition } from './check-condition.ts';
import type { PollAsked } from './poll-watch.ts';
import type { NewWatch, SeenPoll, Watch } from './schedule.ts';
import { readTiming } from './timing.ts';

interface WatchPollsDeps {
	perform: PerformOp;
	/** From now on ops of that thread are polls in the name of the schedule. */
	begin(threadId: ThreadId, scheduleId: string): void;
	recordPoll(scheduleId: string, words: string): Promise<void>;
}

/** State of the polls of one watch in this host. */
interface LiveSeries {
	readonly recorded: OpSeries['recorded'];
	/** Result in the last row; undefined: there is none yet. */
	said: string | undefined;
	/** Polls since then that found the same. */
	same: number;
}

export class WatchPolls {
	readonly #deps: WatchPollsDeps;
	readonly #live = new Map<string, LiveSeries>();

	constructor(deps: WatchPollsDeps) {
		this.#deps = deps;
	}

	/** Makes the first poll of a condition, which shows that it can be polled. Rejects with why it cannot. */
	async first(
		id: string,
		{ condition, place }: Pick<PollAsked, 'condition' | 'place'>,
		signal: AbortSignal,
	): Promise<{ readonly threadId: ThreadId; readonly seen: SeenPoll; readonly next: number }> {
		const threadId = newId('thr');
		try {
			const seen = await this.#poll(id, { condition, threadId, place, number: 1 }, signal);
			if (condition.kind === 'files' && seen.result === filesPollWords(0)) {
				const { recorded } = this.#seriesOf(id, threadId);
				const series = { number: 1, recorded, rules: [] };
				const { refuseIgnored } = await import('./poll-watch.ts');
				await refuseIgnored(this.#deps.perform, { condition, threadId, place, series }, signal);
			}
			return { threadId, seen, next: Date.now() + scheduleLimits.leastPauseMs[condition.kind] };
		} catch (error) {
			this.#live.delete(id);
			throw error;
		}
	}

	/** Rejects where nothing could be found out, or not be recorded. */
	poll(
		id: string,
		{ condition, threadId, place, polls, seen }: Watch & Pick<PollAsked, 'place'>,
		signal: AbortSignal,
	): Promise<SeenPoll> {
		// The result that an earlier host found has its row.
		this.#seriesOf(id, threadId).said ??= seen?.mark;
		return this.#poll(id, { condition, threadId, place, number: polls + 1 }, signal);
	}

	async #poll(
		id: string,
		{ number, ...asked }: Omit<PollAsked, 'series'> & Pick<OpSeries, 'number'>,
		signal: AbortSignal,
	): Promise<SeenPoll> {
		const live = this.#seriesOf(id, asked.threadId);
		const limit = deriveSignal(signal, { what: 'a poll', timeoutMs: scheduleLimits.pollMs });
		const host = hostOfCondition(asked.condition);
		const rules = host === undefined ? [] : [`http.get ${host}`];
		const series: OpSeries = { number, rules, recorded: live.recorded };
		try {
			const { pollCondition } = await import('./poll-watch.ts');
			const seen = await pollCondition(this.#deps.perform, { ...asked, series }, limit.signal);
			await this.#record(id, live, number, { found: seen.mark, words: seen.result });
			return seen;
		} catch (error) {
			signal.throwIfAborted();
			const problem = describeProblem(error);
			await this.#record(id, live, number, { found: problem, words: problem });
			throw error;
		} finally {
			limit.dispose();
		}
	}

	async #record(
		id: string,
		live: LiveSeries,
		number: number,
		{ found, words }: { found: string; words: string },
	): Promise<void> {
		if (live.said === found && live.same + 1 < scheduleLimits.pollsPerRow) {
			live.same += 1;
			return;
		}
		// The numbers of the rows say how many there were in between.
		await this.#deps.recordPoll(id, `Poll ${number} found: ${words}`);
		live.said = found;
		live.same = 0;
	}

	#seriesOf(id: string, threadId: ThreadId): LiveSeries {
		const known = this.#live.get(id);
		if (known !== undefined) {
			return known;
		}
		const live: LiveSeries = { recorded: new Map(), said: undefined, same: 0 };
		this.#live.set(id, live);
		this.#deps.begin(threadId, id);
		return live;
	}
}

interface WantedWatch {
	readonly words: string;
	readonly end?: string | undefined;
	readonly mostHolds?: number | undefined;
}

/** Undefined: the words name no condition. Throws INVALID_PARAMS what begins as one and cannot be read, and an end that is over. */
export function readWatch({ words, end, mostHolds }: WantedWatch, zone: string, now: number): NewWatch | undefined {
	const createWatchError = (why: string, said: Text) => new ProwessError('INVALID_PARAMS', why, { when: words, said });
	const read = readCondition(words);
	if (read === undefined) {
		if (beginsAsCondition(words)) {
			throw createWatchError(
				`"${words}" is not a condition: expected when \`<command>\` succeeds|fails|says "…", when <path> changes, when <url> answers 200, or when branch <name> moves`,
				text(
					'"{words}" is not a condition. Write it like: when `git status` says "clean", when src/** changes, when https://example.org answers 200, when branch main moves.',
					{ words },
				),
			);
		}
		if (end !== undefined || mostHolds !== undefined) {
			throw createWatchError(
				'only a condition has an end and a number of runs',
				text('Only a schedule that waits for a condition has an end and a number of runs.'),
			);
		}
		return undefined;
	}
	const { condition, isRepeated } = read;
	checkCondition(condition);
	const most = mostHolds ?? (isRepeated ? scheduleLimits.usualHolds : 1);
	if (!isRepeated && most > 1) {
		throw createWatchError(
			'"when" holds once: write "whenever" for more runs',
			text('"when" waits once. Write "whenever" for more runs.'),
		);
	}
	const lasts = end === undefined ? scheduleLimits.watchMs : readDuration(end);
	const endsAt = lasts === undefined ? readWatchEnd(end ?? '', zone, now) : now + lasts;
	if (endsAt - now > scheduleLimits.longestWatchMs) {
		const days = scheduleLimits.longestWatchMs / 86_400_000;
		throw createWatchError(`a watch lasts ${days} days at most`, text('A watch lasts {n} days at most.', { n: days }));
	}
	return { condition, endsAt, most };
}

function readWatchEnd(words: string, zone: string, now: number): number {
	try {
		return readTiming(words, zone, now).next;
	} catch (error) {
		if (!isProwessError(error) || error.facts['isUnreadable'] !== true) throw error;
		throw new ProwessError('INVALID_PARAMS', `"${words}" is neither a length of time nor a time`, {
			when: words,
			said: text('"{words}" is neither a length of time, such as "3 days", nor a time, such as "tomorrow at 17".', {
				words,
			}),
		});
	}
}
