/**
 * `secrets.json` in PROWESS_HOME: secrets that `prowess secrets set` keeps. The file is plain text, as the credentials
 * of other command lines are, so it counts only while the system keeps everybody else out: a file of ours, no link, for
 * us alone.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../../machine/home-files/file-lock.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { SecretName } from '../../protocol/ops/definitions/network/http.ts';
import { cliLimits } from '../terminal/limits.ts';
import { parseJsonObject, replaceFile } from './json-file.ts';

export class SecretsFile {
	readonly path: string;
	readonly #home: string;
	readonly #name: string;

	/** `name`: `sign-ins` for those that are no secrets of the user's own. */
	constructor(home: string, name: 'secrets' | 'sign-ins' = 'secrets') {
		this.#home = home;
		this.#name = name;
		this.path = join(home, `${name}.json`);
	}

	/** Values by name, read anew. Throws INVALID_STATE when others could read or change it, INVALID_PARAMS when it is damaged. */
	read(): ReadonlyMap<string, string> {
		const text = this.#text();
		if (text === undefined) {
			return new Map();
		}
		const { secrets = {} } = parseJsonObject(this.path, text);
		const isRecord = typeof secrets === 'object' && secrets !== null && !Array.isArray(secrets);
		const entries = isRecord ? Object.entries(secrets) : undefined;
		if (entries === undefined || !entries.every(isSecretEntry)) {
			const message = `${this.path}: secrets: expected texts by name; repair it, or remove it and set them again`;
			throw new ProwessError('INVALID_PARAMS', message, { path: this.path });
		}
		return new Map(entries);
	}

	/** The case of a name does not count, as in the environment. Undefined removes it; false when it was not there. */
	async set(name: string, value: string | undefined, signal: AbortSignal): Promise<boolean> {
		return await withLock(
			join(this.#home, `${this.#name}.lock`),
			() => {
				const before = this.read();
				const others = [...before].filter(([each]) => each.toUpperCase() !== name.toUpperCase());
				const after = value === undefined ? others : [...others, [name, value] as const];
				if (value !== undefined || others.length < before.size) {
					replaceFile(this.path, `${JSON.stringify({ secrets: Object.fromEntries(after) }, null, 2)}\n`);
				}
				return Promise.resolve(others.length < before.size);
			},
			signal,
		);
	}

	#text(): string | undefined {
		let file: number;
		try {
			file = openSync(this.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		} catch (error) {
			const code = error instanceof Error && 'code' in error ? error.code : undefined;
			if (code === 'ENOENT') {
				return undefined;
			}
			throw code === 'ELOOP'
				? this.#refused(this.path, 'it is a link', 'replace it with the file itself')
				: this.#refused(this.path, error instanceof Error ? error.message : String(error), 'repair its permissions');
		}
		try {
			this.#check(file);
			return readFileSync(file, 'utf8');
		} finally {
			closeSync(file);
		}
	}

	/**
	 * Checks the file that is open, so that it cannot be another one afterwards. Throws when it is not a file of ours
	 * for us alone, or is too large. Windows has no such bits; there the profile guards it.
	 */
	#check(file: number): void {
		const found = fstatSync(file);
		if (!found.isFile()) {
			throw this.#refused(this.path, 'it is not a file', 'remove it');
		}
		if (found.size > cliLimits.secretsFileBytes) {
			throw this.#refused(this.path, `it is larger than ${cliLimits.secretsFileBytes} bytes`, 'remove it');
		}
		const user = process.getuid?.();
		if (user === undefined) {
			return;
		}
		for (const [path, { uid, mode }, others, right] of [
			[this.path, found, 0o077, '600'],
			[this.#home, statSync(this.#home), 0o022, '700'],
		] as const) {
			if (uid !== user) {
				throw this.#refused(path, 'it belongs to another user', 'move it away and set the secrets again');
			}
			if ((mode & others) !== 0) {
				const which = (mode & 0o777).toString(8);
				throw this.#refused(path, `other users can reach it (mode ${which})`, `chmod ${right} ${JSON.stringify(path)}`);
			}
		}
	}

	#refused(path: string, why: string, remedy: string): ProwessError {
		const message = `${path}: ${why}, so no secret is read from ${this.path}. To continue: ${remedy}`;
		return new ProwessError('INVALID_STATE', message, { path });
	}
}

function isSecretEntry(entry: readonly [string, unknown]): entry is [string, string] {
	return SecretName.safeParse(entry[0]).success && typeof entry[1] === 'string';
}
