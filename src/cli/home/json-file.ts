/** JSON files of ours, read and replaced. A wrong one is an error that names the line, and the file is left as it is. */
import { withoutByteOrderMark } from '../../base/text/lenient.ts';
import {
	closeSync,
	fsyncSync,
	openSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { parseJsonc, withoutComments } from '../../base/text/jsonc.ts';
import { cliLimits } from '../terminal/limits.ts';

/** Undefined when there is no such file. Comments and a last comma are passed over, as editors allow them. */
export function readJsonObject(path: string): Record<string, unknown> | undefined {
	const text = readHomeText(path);
	return text === undefined ? undefined : parseJsonObject(path, text);
}

/** Undefined when there is no such file. */
export function readHomeText(path: string): string | undefined {
	try {
		if (statSync(path).size > cliLimits.settingsFileBytes) {
			throw createFileError(path, `it is larger than ${cliLimits.settingsFileBytes} bytes`);
		}
		return withoutByteOrderMark(readFileSync(path, 'utf8'));
	} catch (error) {
		if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
			return undefined;
		}
		throw isProwessError(error) ? error : createFileError(path, error instanceof Error ? error.message : String(error));
	}
}

/** Parses a text that was read from `path` as a JSON object; an empty text counts as `{}`. Throws for anything else. */
export function parseJsonObject(path: string, text: string): Record<string, unknown> {
	if (withoutComments(text).trim() === '') {
		return {};
	}
	const value = parseHomeJson(path, text);
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw createFileError(path, 'expected a JSON object');
	}
	return value as Record<string, unknown>;
}

function parseHomeJson(path: string, text: string): unknown {
	try {
		return parseJsonc(text);
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		const position = /position (\d+)/.exec(message)?.[1];
		const at = position === undefined ? text.length : Number(position);
		const line = text.slice(0, at).split('\n').length;
		const column = at - text.lastIndexOf('\n', at - 1);
		// The library quotes the text around the fault; only what it says of the fault is wanted.
		const fault = message.replace(/ in JSON at position .*/s, '').replace(/, (?:\.\.\.)?".*/s, '');
		throw createFileError(`${path}:${line}:${column}`, `not valid JSON: ${fault}`);
	}
}

function createFileError(path: string, why: string): ProwessError {
	return new ProwessError('INVALID_PARAMS', `${path}: ${why}`, { path });
}

/** Replaces a file whole or not at all. A link is followed: what it points at is replaced. */
export function replaceFile(path: string, text: string): void {
	const target = realPathOr(path);
	const temporary = join(dirname(target), `.${process.pid}-${Date.now()}.tmp`);
	try {
		const file = openSync(temporary, 'wx', 0o600);
		try {
			writeFileSync(file, text);
			fsyncSync(file);
		} finally {
			closeSync(file);
		}
		renameSync(temporary, target);
	} catch (error) {
		rmSync(temporary, { force: true });
		throw error;
	}
}

function realPathOr(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		// Not there yet: it is made where it was asked for.
		return path;
	}
}
