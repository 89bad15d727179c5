/** Reads `capability.yaml`: the core schema of YAML, no tags of its own, nothing twice, few aliases. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { LineCounter, parseDocument, visit } from 'yaml';
import { ProwessError } from '../../protocol/errors.ts';
import { CapabilityManifest, MANIFEST_FILE } from '../../protocol/manifest.ts';
import { errnoOf } from '../paths/file-error.ts';
import { MAX_ALIASES, MAX_MANIFEST_BYTES } from './limits.ts';

/** Rejects with CAPABILITY_NOT_FOUND when there is none, with INVALID_CAPABILITY_CONFIG and the line when it is wrong. */
export async function readManifest(folder: string): Promise<CapabilityManifest> {
	const path = join(folder, MANIFEST_FILE);
	return parseManifest(await manifestText(path), path);
}

export function parseManifest(text: string, path: string): CapabilityManifest {
	const lines = new LineCounter();
	const document = parseDocument(text, {
		schema: 'core',
		version: '1.2',
		customTags: null,
		merge: false,
		uniqueKeys: true,
		strict: true,
		stringKeys: true,
		prettyErrors: false,
		lineCounter: lines,
	});
	// A warning is a tag that nobody knows.
	const [problem] = [...document.errors, ...document.warnings];
	if (problem !== undefined) {
		throw invalid(path, lines.linePos(problem.pos[0]).line, problem.message);
	}
	let aliases = 0;
	visit(document, { Alias: () => void (aliases += 1) });
	if (aliases > MAX_ALIASES) {
		throw invalid(path, 1, `${aliases} aliases, the limit is ${MAX_ALIASES}`);
	}
	let value: unknown;
	try {
		value = document.toJS({ maxAliasCount: MAX_ALIASES });
	} catch (error) {
		throw invalid(path, 1, error instanceof Error ? error.message : String(error));
	}
	const parsed = CapabilityManifest.safeParse(value);
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		const node = document.getIn(issue?.path ?? [], true);
		const offset = typeof node === 'object' && node !== null && 'range' in node ? (node.range as number[])[0] : 0;
		throw invalid(path, lines.linePos(offset ?? 0).line, `${(issue?.path ?? []).join('.')}: ${issue?.message ?? ''}`);
	}
	return parsed.data;
}

async function manifestText(path: string): Promise<string> {
	try {
		const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
		try {
			const { size } = await file.stat();
			if (size > MAX_MANIFEST_BYTES) {
				throw invalid(path, 1, `${size} bytes, the limit is ${MAX_MANIFEST_BYTES}`);
			}
			return new TextDecoder('utf-8', { fatal: true }).decode(await file.readFile());
		} finally {
			await file.close();
		}
	} catch (error) {
		if (error instanceof ProwessError) throw error;
		const errno = errnoOf(error);
		throw errno === 'ENOENT' || errno === 'ENOTDIR'
			? new ProwessError('CAPABILITY_NOT_FOUND', `${path}: there is no such file`, { path })
			: invalid(path, 1, error instanceof Error ? error.message : String(error));
	}
}

function invalid(path: string, line: number, problem: string): ProwessError {
	return new ProwessError('INVALID_CAPABILITY_CONFIG', `${path}:${line}: ${problem}`, { path, line });
}
