/** Attempts to get out of the sandbox of commands, by topic, made for real by several hosts side by side. */
import { daemons } from '../fixtures/escapes/daemons.ts';
import type { Escape } from '../fixtures/escapes/escape.ts';
import { files } from '../fixtures/escapes/files.ts';
import { network } from '../fixtures/escapes/network.ts';
import { planted } from '../fixtures/escapes/planted.ts';
import { processes } from '../fixtures/escapes/processes.ts';
import { EscapeAttempts, type EscapeOptions } from '../support/escape-attempts.ts';

export const topics: Readonly<Record<string, readonly Escape[]>> = { files, network, processes, planted, daemons };

export interface EscapesMade {
	/** Attempts that reached something from inside, and what. */
	readonly through: string[];
	/** Attempts that reached nothing without the sandbox either: they prove nothing. */
	readonly blunt: string[];
}

/** Two at a time. */
export async function makeEscapes(escapes: readonly Escape[], options: EscapeOptions): Promise<EscapesMade> {
	const made: EscapesMade = { through: [], blunt: [] };
	const waiting = [...escapes];
	const work = async () => {
		const attempts = await EscapeAttempts.create(options);
		try {
			for (let escape = waiting.shift(); escape !== undefined; escape = waiting.shift()) {
				const { title, outside, inside, said } = await attempts.both(escape);
				if (inside.length > 0) made.through.push(`${title}: ${inside.join(', ')} (${said.slice(0, 300)})`);
				if (outside?.length === 0) made.blunt.push(title);
			}
		} finally {
			await attempts.close();
		}
	};
	await Promise.all([work(), work()]);
	return made;
}
