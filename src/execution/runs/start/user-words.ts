/**
 * Last words of the user in each thread, as the host itself saw them: no server can claim them. Some ops are done only
 * on these words.
 */
import { type NamedResource, namedResources } from '../../../protocol/thread/message/named-offers.ts';
import {
	type PauseWish,
	pauseWish,
	rememberWish,
	type CapabilitySwitchWish,
	switchWish,
} from '../../../protocol/thread/message/user-wishes.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import type { Caller } from '../../../contract/ops/caller.ts';

interface UserWishes {
	readonly remember: string | undefined;
	readonly toSwitch: CapabilitySwitchWish | undefined;
	readonly toPause: PauseWish | undefined;
	readonly resources: readonly NamedResource[];
}

export class UserWords {
	readonly #wishes = new Map<ThreadId, UserWishes>();

	/** In place of what was said before. */
	said(threadId: ThreadId, text: string): void {
		const wishes = {
			remember: rememberWish(text),
			toSwitch: switchWish(text),
			toPause: pauseWish(text),
			resources: namedResources(text),
		};
		const { remember, toSwitch, toPause, resources } = wishes;
		const isEmpty = [remember, toSwitch, toPause].every((wish) => wish === undefined) && resources.length === 0;
		if (isEmpty) this.#wishes.delete(threadId);
		else this.#wishes.set(threadId, wishes);
	}

	wantRemembered(caller: Caller, text: string): boolean {
		return this.#of(caller)?.remember?.trim() === text;
	}

	wantSwitched(caller: Caller, { name, type, isEnabled }: CapabilitySwitchWish): boolean {
		const wish = this.#of(caller)?.toSwitch;
		return wish !== undefined && wish.name === name && wish.type === type && wish.isEnabled === isEnabled;
	}

	wantPaused(caller: Caller, { name, isPaused }: PauseWish): boolean {
		const wish = this.#of(caller)?.toPause;
		return wish !== undefined && wish.name === name && wish.isPaused === isPaused;
	}

	/** True when the user wrote this very address. */
	wantResource(caller: Caller, server: string, uri: string): boolean {
		return this.#of(caller)?.resources.some((named) => named.server === server && named.uri === uri) === true;
	}

	forget(threadId: ThreadId): void {
		this.#wishes.delete(threadId);
	}

	#of(caller: Caller): UserWishes | undefined {
		return caller.kind === 'agent' ? this.#wishes.get(caller.threadId) : undefined;
	}
}
