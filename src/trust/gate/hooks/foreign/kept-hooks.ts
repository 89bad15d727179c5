/** Files of hooks that the user has agreed to, each by its content then. Shared by all hosts of the user. */
import { join } from 'node:path';
import { text } from '../../../../protocol/text/text.ts';
import * as z from '../../../../protocol/text/zod.ts';
import { SharedJson } from '../../../../machine/home-files/shared-json.ts';
import { KEPT_HOOK_FILES } from '../limits.ts';

const KeptFile = z.object({ path: z.string().max(4_096), hash: z.string().max(100), at: z.iso.datetime() });
const KeptFiles = z.object({ files: z.array(KeptFile).max(KEPT_HOOK_FILES) });
type KeptFiles = z.infer<typeof KeptFiles>;

export class KeptHooks {
	readonly #file: SharedJson<KeptFiles>;

	constructor(home: string) {
		this.#file = new SharedJson({
			path: join(home, 'hook-consents.json'),
			schema: KeptFiles,
			empty: { files: [] },
			consequence: text('no hook of a project runs'),
			misfit: `more than ${KEPT_HOOK_FILES} files of hooks cannot be kept. Revoke some first`,
		});
	}

	/**
	 * Returns the hash of the content the user agreed to; undefined: the file is not agreed to. Rejects with
	 * INVALID_STATE when it cannot be read.
	 */
	async hashOf(path: string): Promise<string | undefined> {
		return (await this.#file.read()).files.find((each) => each.path === path)?.hash;
	}

	async put(path: string, hash: string, signal: AbortSignal): Promise<void> {
		const entry = { path, hash, at: new Date().toISOString() };
		await this.#file.change(({ files }) => ({ files: [...files.filter((each) => each.path !== path), entry] }), signal);
	}

	/** False when it was not agreed to. */
	async remove(path: string, signal: AbortSignal): Promise<boolean> {
		let isThere = false;
		await this.#file.change((before) => {
			const files = before.files.filter((each) => each.path !== path);
			isThere = files.length < before.files.length;
			return isThere ? { files } : before;
		}, signal);
		return isThere;
	}
}
