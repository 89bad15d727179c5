/**
 * Names the files of the user's package caches that the lock files of a workspace need. A lock file is written by whoever
 * wrote the project: from it come names and hashes, never a path.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readRegularFileSync } from '../../paths/reading/read-regular-file.ts';
import { MAX_LOCK_BYTES } from '../limits.ts';

interface PackageTool {
	/** Names of the tool on a command line. */
	readonly names: RegExp;
	readonly locks: readonly string[];
	/** Files below `cache`, each as its steps, that `lock` needs. */
	files(lock: string, cache: string): readonly (readonly string[])[];
}

/** Tools by the path of their cache in the table of the home. */
export const packageTools: Readonly<Record<string, PackageTool>> = {
	'.npm': {
		names: /\b(?:npm|npx)\b/,
		locks: ['package-lock.json', 'npm-shrinkwrap.json'],
		files: ofNpm,
	},
	'.cargo/registry': { names: /\bcargo\b/, locks: ['Cargo.lock'], files: ofCargo },
};

/** The text of a lock file of the workspace; undefined for a link, what is no file or too large, or none. */
export function lockText(path: string): string | undefined {
	try {
		if (!lstatSync(path).isFile()) return undefined;
		return readRegularFileSync(path, MAX_LOCK_BYTES, [dirname(path)]).toString('utf8');
	} catch {
		return undefined;
	}
}

/** npm finds the content of a package by its hash alone. */
function ofNpm(lock: string): string[][] {
	return Array.from(lock.matchAll(/"integrity":\s*"([^"]{1,500})"/g), ([, hashes = '']) => hashes.split(' '))
		.flat()
		.flatMap((hash) => {
			const [, algorithm, digest] = /^(sha1|sha512)-([A-Za-z0-9+/]{20,}={0,2})$/.exec(hash) ?? [];
			if (algorithm === undefined || digest === undefined) {
				return [];
			}
			const hex = Buffer.from(digest, 'base64').toString('hex');
			return [['_cacache', 'content-v2', algorithm, hex.slice(0, 2), hex.slice(2, 4), hex.slice(4)]];
		});
}

const cratesIo = /^(?:index\.crates\.io|github\.com)-[0-9a-f]{16}$/;
const crate =
	/^name = "([A-Za-z0-9_-]{1,64})"\nversion = "(\d[\w.+-]{0,64})"\nsource = "registry\+https:\/\/github\.com\/rust-lang\/crates\.io-index"$/gm;

/** Only of crates.io: a crate of another registry may be somebody's secret, and its name says all. */
function ofCargo(lock: string, cache: string): string[][] {
	const crates = [...lock.replaceAll('\r\n', '\n').matchAll(crate)];
	return foldersIn(join(cache, 'index'))
		.filter((name) => cratesIo.test(name))
		.flatMap((index) => [
			['index', index, 'config.json'],
			...crates.flatMap(([, name = '', version = '']) => [
				['index', index, '.cache', ...indexSteps(name.toLowerCase())],
				['cache', index, `${name}-${version}.crate`],
			]),
		]);
}

function indexSteps(name: string): string[] {
	if (name.length < 4) {
		return name.length < 3 ? [String(name.length), name] : ['3', name.slice(0, 1), name];
	}
	return [name.slice(0, 2), name.slice(2, 4), name];
}

function foldersIn(path: string): string[] {
	try {
		return readdirSync(path);
	} catch {
		// The folder was never made.
		return [];
	}
}
