/**
 * Hashes of the texts that models know: those a model has read, or has written itself. A model may replace no other
 * text. Lives in the host, so that neither a model nor its server can claim to have read. Reads are forgotten with this
 * process, writes are not.
 */
import { isBlank } from '../base/text/one-line.ts';
import type { BeforeImages } from '../contract/ops/op-implementation.ts';
import { ProwessError } from '../protocol/errors/errors.ts';
import { type Caller, toCallerIdentity } from '../contract/ops/caller.ts';
import type { Located } from '../machine/paths/workspace-paths.ts';
import { sha256 } from '../trust/record/store/chain/canonical-json.ts';
import { SEEN_TEXTS } from './limits.ts';

/** In the place of a hash. */
const UNKNOWN = '';

type SeenTextPlace = Pick<Located, 'path' | 'realPath' | 'absolutePath'>;

export class SeenTexts {
	readonly #beforeImages: Pick<BeforeImages, 'lastWritten'>;
	/** The one that was seen longest ago comes first, and goes first. */
	readonly #hashes = new Map<string, string>();

	constructor(beforeImages: Pick<BeforeImages, 'lastWritten'>) {
		this.#beforeImages = beforeImages;
	}

	/** Notes that the caller has read the whole of that text, or a page of it, or has written it. */
	saw(caller: Caller, place: SeenTextPlace, text: string): void {
		this.#note(createSeenKey(caller, place), sha256(text));
	}

	/** Notes that the caller has changed a part of a text that it does not know. */
	touched(caller: Caller, place: SeenTextPlace): void {
		this.#note(createSeenKey(caller, place), UNKNOWN);
	}

	async knows(caller: Caller, place: SeenTextPlace, text: string): Promise<boolean> {
		return isBlank(text) || (await this.#known(caller, place)) === sha256(text);
	}

	/** Rejects with FILE_NOT_READ or FILE_CHANGED when a model would replace a text that it does not know. */
	async refuseUnknown(caller: Caller, place: SeenTextPlace, text: string): Promise<void> {
		if (!isModel(caller) || isBlank(text)) {
			return;
		}
		const { path } = place;
		const known = await this.#known(caller, place);
		if (known === UNKNOWN) {
			throw new ProwessError('FILE_NOT_READ', `${path} exists, and was not read here before it is replaced`, { path });
		}
		if (known !== sha256(text)) {
			throw new ProwessError('FILE_CHANGED', `${path} has changed since it was read: read it again`, { path });
		}
	}

	/**
	 * Rejects with FILE_CHANGED when a command of a model would empty a text that has changed since the model read or wrote it. Outputs
	 * that nobody has read are written anew all day, and what they held is kept for undo.
	 */
	async refuseChanged(caller: Caller, place: SeenTextPlace, text: string): Promise<void> {
		if (isModel(caller) && !isBlank(text) && ![UNKNOWN, sha256(text)].includes(await this.#known(caller, place))) {
			const { path } = place;
			throw new ProwessError('FILE_CHANGED', `${path} has changed since it was read: read it again`, { path });
		}
	}

	#note(key: string, hash: string): void {
		this.#hashes.delete(key);
		this.#hashes.set(key, hash);
		if (this.#hashes.size > SEEN_TEXTS) {
			this.#hashes.delete(this.#hashes.keys().next().value ?? '');
		}
	}

	async #known(caller: Caller, place: SeenTextPlace): Promise<string> {
		const seen = this.#hashes.get(createSeenKey(caller, place));
		if (seen !== undefined || caller.kind !== 'agent') {
			return seen ?? UNKNOWN;
		}
		return (await this.#beforeImages.lastWritten(caller.threadId, place.absolutePath)) ?? UNKNOWN;
	}
}

/** The agent, or a model that works for a capability. The code of a capability, and the user, know what they do. */
export function isModel(caller: Caller): boolean {
	return caller.kind === 'agent' || (caller.kind === 'execution' && caller.ops !== undefined);
}

function createSeenKey(caller: Caller, { realPath }: SeenTextPlace): string {
	return `${toCallerIdentity(caller)} ${realPath}`;
}
