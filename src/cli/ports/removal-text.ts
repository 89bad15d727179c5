/** Tells which secrets were taken out of what the user has said; empty when none were. */
import type { FoundSecrets } from '../../protocol/thread/thread-requests.ts';

/** Names the way to send what only looks like a secret, unless it was sent. */
export function promptRemovalText({ known, lookalikes }: FoundSecrets, keepsSecrets: boolean): string {
	const stored = `prowess: ${removed(known, 'stored key', 'the prompt')}. Stored keys are never sent.\n`;
	const alike = `prowess: ${removed(lookalikes, 'key', 'the prompt')}. To send the prompt as it is, add --keep-secrets.\n`;
	return `${known === 0 ? '' : stored}${lookalikes === 0 || keepsSecrets ? '' : alike}`;
}

export function answerRemovalText({ known, lookalikes }: FoundSecrets): string {
	const count = known + lookalikes;
	return count === 0 ? '' : `prowess: ${removed(count, 'key', 'your answer')}.\n`;
}

function removed(count: number, noun: string, from: string): string {
	return `${count} ${noun}${count === 1 ? ' was' : 's were'} removed from ${from}`;
}
