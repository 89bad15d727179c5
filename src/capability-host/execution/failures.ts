/** Why an execution did not come to its own end, in words for whoever asked for it. */
import { ProwessError } from '../../protocol/errors.ts';
import type { ProcessEnd } from './executor-process.ts';

/** `output`: what it printed last, as the end of a sentence. */
export function whyItExited({ code, signal }: ProcessEnd, hadConnected: boolean, output: string): ProwessError {
	const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
	const errorCode =
		signal !== null || code !== 0 ? 'PROCESS_CRASHED' : hadConnected ? 'EXECUTION_FAILED' : 'CONNECTION_FAILED';
	const when = hadConnected ? 'before returning a result' : 'before it connected';
	return new ProwessError(errorCode, `the executor ${how} ${when}${output}`, { code, signal });
}

export function notConnected(program: string, limitMs: number, output: string): ProwessError {
	const message = `the executor did not connect within ${limitMs} ms: ${program}${output}`;
	return new ProwessError('CONNECTION_FAILED', message, { limitMs });
}

export function tooLong(executionId: string, timeoutMs: number): ProwessError {
	const message = `execution ${executionId} took longer than ${timeoutMs} ms`;
	return new ProwessError('EXECUTION_TIMEOUT', message, { timeoutMs });
}

export function unresponsive(executionId: string, silentMs: number): ProwessError {
	const message = `execution ${executionId} did not answer for ${silentMs} ms: it stood still, or never let its own loop run`;
	return new ProwessError('EXECUTION_TIMEOUT', message, { silentMs });
}

export function overQuota(executionId: string, problem: string): ProwessError {
	return new ProwessError('EXECUTION_FAILED', `execution ${executionId} left ${problem} in its folder`, {});
}
