/** Marks by which the agent tells a client of version 2 more than one of version 1, in fields that are free for it. */
import type { ClientCapabilities } from '@agentclientprotocol/sdk';

/** Mark of the capabilities of a client of version 2; the translation sets it. */
export const SECOND_VERSION = 'prowess/second-version';

/** Mark of words of the user that are those of the prompt, which is now part of the thread. */
export const OWN_WORDS = 'prowess/own-words';

/** Field of a diff with the whole patch of the file, whose lines then stand nowhere else. */
export const WHOLE_PATCH = 'prowess/whole-patch';

export function isSecondVersion({ _meta }: ClientCapabilities): boolean {
	return _meta?.[SECOND_VERSION] === true;
}
