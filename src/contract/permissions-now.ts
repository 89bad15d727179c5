/** Rights of an agent in a thread without an answer of a person, as its host gives them now. */
import type { LevelHere } from '../protocol/permission-level.ts';
import type { Mode } from '../protocol/thread/thread.ts';

export interface PermissionsNow extends LevelHere {
	readonly mode: Mode;
	/** Rules of the user may allow more than the level. */
	readonly hasRules: boolean;
}
