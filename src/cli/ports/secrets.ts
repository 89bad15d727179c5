/** Secrets for capabilities: what the environment has goes before what `prowess secrets set` keeps in the home. */
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { SecretsPort } from '../../contract/ports/ports.ts';
import type { FoundSecrets } from '../../protocol/thread/thread-requests.ts';
import { capturedSecret, capturedSecretNames } from '../server/credentials.ts';
import type { SecretsFile } from '../home/secrets-file.ts';
import { cliLimits } from '../terminal/limits.ts';

/** The case of a name does not count: in the environment names have none of their own. */
export function createSecrets(file: SecretsFile): SecretsPort {
	return {
		get: async (name) => capturedSecret(name) ?? valueIn(file, name),
		async set(name, value) {
			const limit = { what: 'storing a secret', timeoutMs: cliLimits.requestMs };
			await withTimeLimit(limit, (signal) => file.set(name, value, signal));
		},
		async list() {
			const captured = capturedSecretNames();
			return [...captured, ...[...file.read().keys()].filter((name) => !captured.includes(name.toUpperCase()))];
		},
	};
}

function valueIn(file: SecretsFile, name: string): string | undefined {
	return [...file.read()].find(([each]) => each.toUpperCase() === name.toUpperCase())?.[1];
}

/**
 * Tells which secrets were taken out of a prompt, and how to send what only looks like one, unless it was sent. Empty when
 * none was found.
 */
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
