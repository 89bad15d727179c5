/** Tells which secrets were taken out of what the user has said; empty when none were. */
import type { FoundSecrets } from '../../protocol/thread/thread-requests.ts';

/** Names the way to send what only looks like a secret, unless it was sent. */
export function promptRemovalText({ known, lookalikes }: FoundSecrets, keepsSecrets: boolean): string {
	const stored = `prowess: ${describeRemoval(known, 'stored key', 'the prompt')}. Stored keys are never sent.\n`;
	const alike = `prowess: ${describeRemoval(lookalikes, 'key', 'the prompt')}. To send the prompt as it is, add --keep-secrets.\n`;
	return `${known === 0 ? '' : stored}${lookalikes === 0 || keepsSecrets ? '' : alike}`;
}

export function answerRemovalText({ known, lookalikes }: FoundSecrets): string {
	const count = known + lookalikes;
	return count === 0 ? '' : `prowess: ${describeRemoval(count, 'key', 'your answer')}.\n`;
}

function describeRemoval(count: number, noun: string, from: string): string {
	return `${count} ${noun}${count === 1 ? ' was' : 's were'} removed from ${from}`;
}
