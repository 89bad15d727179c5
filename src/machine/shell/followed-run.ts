/** Single run of a command as the user follows it: the end of its output, its followers, and its end. */
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { RawFollower, CommandRunEnd } from '../../contract/runs.ts';
import type { RunningCommand } from './command.ts';
import { FOLLOWED_CHARS, LEAD_CHARS } from './limits.ts';

export class FollowedRun {
	readonly threadId: ThreadId | null;
	readonly #followers = new Set<RawFollower>();
	readonly #left = Promise.withResolvers<void>();
	#kept = '';
	#isCut = false;
	#command: RunningCommand | undefined;
	#end: CommandRunEnd | undefined;
	#isInBackground: boolean;

	constructor(threadId: ThreadId | null, isInBackground: boolean) {
		this.threadId = threadId;
		this.#isInBackground = isInBackground;
	}

	get isInBackground(): boolean {
		return this.#isInBackground;
	}

	/** Undefined once it has ended, and until it has started. */
	get running(): RunningCommand | undefined {
		return this.#end === undefined ? this.#command : undefined;
	}

	/** Resolves when the user lets it go on in the background. */
	get leftForeground(): Promise<void> {
		return this.#left.promise;
	}

	push(text: string): void {
		this.#kept += text;
		if (this.#kept.length > LEAD_CHARS + 2 * FOLLOWED_CHARS) {
			this.#kept = this.#kept.slice(-(LEAD_CHARS + FOLLOWED_CHARS));
			this.#isCut = true;
		}
		for (const follower of [...this.#followers]) {
			follower.write(text);
		}
	}

	started(command: RunningCommand): void {
		this.#command = command;
		void command.ended.then(() => {
			const end = command.end;
			this.#end = end;
			for (const follower of [...this.#followers]) {
				follower.end(end);
			}
			this.#followers.clear();
		});
	}

	leaveForeground(): void {
		this.#isInBackground = true;
		this.#left.resolve();
	}

	follow(follower: RawFollower): Disposable {
		// Redaction must see where a secret begins.
		const lead = this.#isCut ? LEAD_CHARS : 0;
		if (lead > 0) {
			follower.lead(this.#kept.slice(0, lead));
		}
		if (this.#kept !== '') {
			follower.write(this.#kept.slice(lead));
		}
		if (this.#end === undefined) {
			this.#followers.add(follower);
		} else {
			follower.end(this.#end);
		}
		return toDisposable(() => this.#followers.delete(follower));
	}
}
