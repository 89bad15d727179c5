/** Why an execution did not come to its own end, in words for whoever asked for it. */
import { type ErrorCode, ProwessError } from '../../../protocol/errors/errors.ts';
import { type FailedOp, LOAD_CODES } from '../../../protocol/execution/execution.ts';
import { nameBelow, readSyntaxReport, syntaxErrorText } from '../../../protocol/text/syntax-report.ts';
import type { ProcessEnd } from '../../processes/executor-process.ts';
import { MAX_EXECUTOR_ERROR_CHARS } from '../../processes/limits.ts';
import { text } from '../../../protocol/text/text.ts';

/** `output`: what it printed last, as the end of a sentence. */
export function whyItExited({ code, signal }: ProcessEnd, hadConnected: boolean, output: string): ProwessError {
	const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
	const errorCode =
		signal !== null || code !== 0 ? 'PROCESS_CRASHED' : hadConnected ? 'EXECUTION_FAILED' : 'CONNECTION_FAILED';
	const early =
		code === 0 ? 'before returning a result; something in it called process.exit' : 'before returning a result';
	const when = hadConnected ? early : 'before it connected';
	return new ProwessError(errorCode, `the executor ${how} ${when}${output}`, { code, signal });
}

/**
 * Node ends a process by a module that does not parse, and says so last of all. Undefined when it ended otherwise.
 * `capability`: where it ran from.
 */
export function doesNotParse({ code }: ProcessEnd, capability: string, output: string): ProwessError | undefined {
	const end = output.lastIndexOf('\nNode.js v');
	const report = code === null || code === 0 || end === -1 ? undefined : readSyntaxReport(output.slice(0, end));
	if (report === undefined) {
		return undefined;
	}
	const { file = '', line, column } = report;
	const own = nameBelow(capability, report);
	const name = own ?? file.replace(COPY, '');
	const text = syntaxErrorText(report, name);
	const message = own === undefined ? `a module of the executor does not parse: ${text}` : text;
	return new ProwessError('SYNTAX_ERROR', message, { file: name, line: line ?? null, column: column ?? null });
}

/** Where `makeSnapshot` puts what it copies. */
const COPY = /^.*[\\/]snapshots[\\/][0-9a-f]{64}[\\/]capability[\\/]/;

/**
 * Builds the error for an executor that answers with a failure. The executor is believed only in what prevented it from
 * loading its capability (`LOAD_CODES`); the failed op is known here.
 */
export function answeredFailure(
	{ message, code }: { readonly message: string; readonly code?: unknown },
	failedOp: FailedOp | undefined,
): ProwessError {
	const known: ErrorCode = LOAD_CODES.find((each) => each === code) ?? 'EXECUTION_FAILED';
	return new ProwessError(
		known,
		message.slice(0, MAX_EXECUTOR_ERROR_CHARS),
		failedOp === undefined ? {} : { failedOp },
	);
}

export function notConnected(program: string, limitMs: number, output: string): ProwessError {
	const message = `the executor did not connect within ${limitMs} ms: ${program}${output}`;
	return new ProwessError('CONNECTION_FAILED', message, {
		limitMs,
		said: text('The capability could not be started: its executor did not connect within {ms} ms.', { ms: limitMs }),
	});
}

export function createTooLongError(executionId: string, timeoutMs: number): ProwessError {
	const message = `execution ${executionId} took longer than ${timeoutMs} ms`;
	const said = text('The capability was stopped: it took longer than {timeoutMs} ms.', { timeoutMs });
	return new ProwessError('EXECUTION_TIMEOUT', message, { timeoutMs, said });
}

export function createUnresponsiveError(executionId: string, silentMs: number): ProwessError {
	const message = `execution ${executionId} did not answer for ${silentMs} ms: it stood still, or never let its own loop run`;
	const said = text('The capability was stopped: it did not answer for {silentMs} ms.', { silentMs });
	return new ProwessError('EXECUTION_TIMEOUT', message, { silentMs, said });
}
