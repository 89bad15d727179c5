/** Why the process of a capability was ended that took more than it may, in words for whoever waits for it. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { type Text, text } from '../../protocol/text/text.ts';
import { type Excess, excessInWords } from '../../machine/sandbox/watch/process-watch.ts';

/** Returns the error for a capability that, together with all it started, took more of the machine than allowed. */
export function overLimit(excess: Excess): ProwessError {
	const message = `the capability was ended with all that it started: ${excessInWords(excess)}. Have it do less at once`;
	return new ProwessError('EXECUTION_FAILED', message, { ...excess, said: describeExcess(excess) });
}

/** `problem`: what is too much in the folder it works in. */
export function overQuota(problem: string): ProwessError {
	return new ProwessError('EXECUTION_FAILED', `the capability was ended: it left ${problem} in its folder`, {
		said: text('The capability was stopped: it left {problem} in its folder.', { problem }),
	});
}

function describeExcess({ of, limit: n }: Excess): Text {
	switch (of) {
		case 'processes':
			return text('The capability was stopped: it ran more than {n} processes at once. Have it do less at once.', {
				n,
			});
		case 'memory':
			return text('The capability was stopped: it used more than {n} MB of memory. Have it do less at once.', {
				n: Math.round(n / 1_048_576),
			});
		case 'files':
			return text('The capability was stopped: it had more than {n} files open. Have it do less at once.', { n });
	}
}
