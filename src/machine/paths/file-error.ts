/** Errors of the system's file calls in our own words. */
import { toErrorMessage } from '../../base/text/message-of.ts';
import { type ErrorCode, isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { inEnglish, text, type Text } from '../../protocol/text/text.ts';

const codesByErrno: Readonly<Record<string, { readonly code: ErrorCode; readonly why: Text }>> = {
	ENOENT: { code: 'NOT_FOUND', why: text('it does not exist') },
	ENOTDIR: { code: 'NOT_A_FOLDER', why: text('a part of the path is not a folder') },
	EISDIR: { code: 'NOT_A_FILE', why: text('it is a folder') },
	ELOOP: { code: 'PATH_OUTSIDE_WORKSPACE', why: text('a symbolic link appeared on the way or loops') },
	ENAMETOOLONG: { code: 'PATH_INVALID', why: text('a name in it is too long for this disk') },
	EACCES: { code: 'IO_ERROR', why: text('the system does not permit it') },
	EPERM: { code: 'IO_ERROR', why: text('the system does not permit it') },
	EROFS: { code: 'IO_ERROR', why: text('the disk is read-only') },
	ENOSPC: { code: 'IO_ERROR', why: text('the disk is full') },
	EDQUOT: { code: 'IO_ERROR', why: text('the disk quota is used up') },
	EMFILE: { code: 'IO_ERROR', why: text('this process has too many files open') },
	ENFILE: { code: 'IO_ERROR', why: text('the system has too many files open') },
	ENXIO: { code: 'NOT_A_FILE', why: text('it is a device, a socket or a pipe') },
};

export function findErrno(error: unknown): string | undefined {
	return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Result of looking at a file; undefined when there is none. Rejects as `looked` does for any other reason. */
export async function unlessMissing<T>(looked: Promise<T>): Promise<T | undefined> {
	try {
		return await looked;
	} catch (error) {
		if (findErrno(error) === 'ENOENT' || findErrno(error) === 'ENOTDIR') {
			return undefined;
		}
		throw error;
	}
}

/** `doing` is a verb in its base form: "read", "write", "list". */
export function fileError(doing: string, path: string, error: unknown): ProwessError {
	if (isProwessError(error)) {
		return error;
	}
	const errno = findErrno(error);
	const known = errno === undefined ? undefined : codesByErrno[errno];
	const why = known?.why ?? toErrorMessage(error);
	const code = known?.code ?? 'IO_ERROR';
	const said = code === 'IO_ERROR' ? { said: text('"{path}": {why}', { path, why }) } : {};
	const facts = { path, ...(errno === undefined ? {} : { errno }), ...said };
	const message = `cannot ${doing} ${path}: ${typeof why === 'string' ? why : inEnglish(why)}`;
	return new ProwessError(code, message, facts, error);
}
