/** Advice for the model, added once behind the results of an answer's calls when not all of them came through. */
import type { LoadedSection } from '../../history/kept/told-skills.ts';
import type { ToolResultPart } from '../../models/model-port.ts';

/** A call of an answer, after it was run or refused. */
export interface SettledCall {
	readonly result: ToolResultPart;
	/** A person or a rule said no. */
	readonly isDenied: boolean;
	/** Instructions that came with the result; absent: none. */
	readonly instructions?: LoadedSection;
}

const FAILED = 'Do not invent what a failed call would have given.';
const DENIED_GUIDANCE = 'Do not repeat a denied call or get around it.';

/** Empty when every call came through. */
export function guidanceAfter(calls: readonly SettledCall[]): string {
	const said = [
		...(calls.some(({ result }) => result.isError) ? [FAILED] : []),
		...(calls.some(({ isDenied }) => isDenied) ? [DENIED_GUIDANCE] : []),
	];
	return said.length === 0 ? '' : `\n[${said.join(' ')}]`;
}
