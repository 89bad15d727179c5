/** Reads the outcome of a run of `npm test` from the text that a model would read. */
import type { TourResult } from './tour-turn.ts';

export type TestReport =
	| { readonly kind: 'notRun'; readonly why: string; readonly isDenied: boolean }
	| { readonly kind: 'running'; readonly commandId: string }
	| { readonly kind: 'ended'; readonly why: string }
	/** The command succeeded, but found nothing to run. */
	| { readonly kind: 'noTests' }
	| { readonly kind: 'passed'; readonly count: number }
	| { readonly kind: 'failed'; readonly names: readonly string[]; readonly place: string | undefined };

export function readTestReport(result: TourResult): TestReport {
	const { text, isError } = result;
	const running = /\[still running as (cmd_[\w-]+)/.exec(text)?.[1];
	if (running !== undefined) {
		return { kind: 'running', commandId: running };
	}
	const exitCode = /\[exit code (-?\d+)\]\s*$/.exec(text)?.[1];
	if (exitCode === undefined) {
		return isError
			? { kind: 'notRun', why: readFirstResultLine(text), isDenied: isDenialText(text) }
			: { kind: 'ended', why: lastLine(text) };
	}
	if (exitCode === '0') {
		const passed = Number(/^(?:ℹ|#) pass (\d+)/m.exec(text)?.[1] ?? Number.NaN);
		return passed > 0 ? { kind: 'passed', count: passed } : { kind: 'noTests' };
	}
	const names = failedNames(text);
	if (names.length === 0) {
		return { kind: 'ended', why: `exit code ${exitCode}: ${findFailureReason(text)}` };
	}
	const place = /((?:[\w.-]+\/)*test\/[\w.-]+\.ts:\d+)/.exec(text)?.[1];
	return { kind: 'failed', names, place: place?.slice(place.lastIndexOf('test/')) };
}

/** Both reporters of Node: `✖ name (1.2ms)` and `not ok 2 - name`. A suite fails with its tests and is no test. */
function failedNames(text: string): readonly string[] {
	const spec = [...text.matchAll(/^\s+✖ (.+?) \([\d.]+ms\)$/gm)];
	const tap = [...text.matchAll(/^\s+not ok \d+ - (.+)$/gm)];
	return [...new Set([...spec, ...tap].map(([, name]) => name ?? ''))];
}

/** A person or a rule said no; trying again would be asking twice. */
export function isDenialText(text: string): boolean {
	return /DENIED_BY|APPROVAL_EXPIRED|WORKSPACE_UNTRUSTED|\b(denied|rejected|declined|forbid(s|den)|not allowed|not trusted)\b/i.test(
		text,
	);
}

/** For people: without what is added for the model. */
export function readFirstResultLine(text: string): string {
	const line = text.trim().split('\n')[0] ?? '';
	return line
		.replace(/\. (?:Ask what they want|Explain what you need|Follow what they say|Go on without it).*$/, '')
		.slice(0, 300);
}

function lastLine(text: string): string {
	return text.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
}

function findFailureReason(text: string): string {
	return (/^.*\berror\b.*$/im.exec(text)?.[0] ?? readFirstResultLine(text)).trim().slice(0, 300);
}
