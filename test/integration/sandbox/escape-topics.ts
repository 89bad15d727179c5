/** Attempts to get out of the sandbox of commands, by topic, made for real by several hosts side by side. */
import { daemons } from '../../fixtures/escapes/daemons.ts';
import type { Escape } from '../../fixtures/escapes/escape.ts';
import { files } from '../../fixtures/escapes/files.ts';
import { network } from '../../fixtures/escapes/network.ts';
import { planted } from '../../fixtures/escapes/planted.ts';
import { processes } from '../../fixtures/escapes/processes.ts';
import { kindOf } from '../../fixtures/escapes/kinds.ts';
import { EscapeAttempts, type EscapeOptions } from '../../support/escape-attempts.ts';

export const topics: Readonly<Record<string, readonly Escape[]>> = { files, network, processes, planted, daemons };

/** An attempt, or another thing that was tried with the sandbox and without it. */
export interface Tried {
	readonly kind: string;
	/** Undefined: not tried there. */
	readonly reachedOutside: boolean | undefined;
	readonly reachedInside: boolean;
}

export interface EscapesMade {
	readonly tried: Tried[];
	/** Attempts that reached something from inside, and what. */
	readonly through: string[];
	/** Attempts that reached nothing without the sandbox either: they prove nothing. */
	readonly blunt: string[];
}

const kinds = new Map(
	Object.entries(topics).flatMap(([topic, escapes]) =>
		escapes.map(({ title }) => [title, kindOf(topic, title)] as const),
	),
);

/** Hosts that make attempts, each in a world of its own; a world is as it was after each attempt. */
interface EscapeHosts {
	/** Two at a time. */
	make(escapes: readonly Escape[]): Promise<EscapesMade>;
	close(): Promise<void>;
}

export async function openEscapeHosts(options: EscapeOptions): Promise<EscapeHosts> {
	const opening = await Promise.allSettled([EscapeAttempts.create(options), EscapeAttempts.create(options)]);
	const hosts = opening.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
	const close = async () => void (await Promise.all(hosts.map((each) => each.close())));
	const failed = opening.find(({ status }) => status === 'rejected');
	if (failed?.status === 'rejected') {
		await close();
		throw failed.reason;
	}
	return { make: (escapes) => makeWith(hosts, escapes), close };
}

/** With hosts of their own. */
export async function makeEscapes(escapes: readonly Escape[], options: EscapeOptions): Promise<EscapesMade> {
	const hosts = await openEscapeHosts(options);
	try {
		return await hosts.make(escapes);
	} finally {
		await hosts.close();
	}
}

async function makeWith(hosts: readonly EscapeAttempts[], escapes: readonly Escape[]): Promise<EscapesMade> {
	const made: EscapesMade = { tried: [], through: [], blunt: [] };
	const waiting = [...escapes];
	const work = async (attempts: EscapeAttempts) => {
		for (let escape = waiting.shift(); escape !== undefined; escape = waiting.shift()) {
			const { title, outside, inside, said } = await attempts.both(escape);
			const reachedOutside = outside === undefined ? undefined : outside.length > 0;
			made.tried.push({ kind: kinds.get(title) ?? '', reachedOutside, reachedInside: inside.length > 0 });
			if (inside.length > 0) made.through.push(`${title}: ${inside.join(', ')} (${said.slice(0, 300)})`);
			if (outside?.length === 0) made.blunt.push(title);
		}
	};
	await Promise.all(hosts.map(work));
	return made;
}

/** A row for each kind: how many were tried, and how many of them reached something. */
export function tableOfTried(tried: readonly Tried[]): string {
	const rows = [...Map.groupBy(tried, ({ kind }) => kind)].map(([kind, each]) => row(kind, each));
	return [
		'| Kind | Tried | Reached something without the sandbox | In it |',
		'| --- | --- | --- | --- |',
		...rows.sort(),
		row('**all**', tried),
	].join('\n');
}

function row(kind: string, tried: readonly Tried[]): string {
	const outside = tried.filter(({ reachedOutside }) => reachedOutside !== undefined);
	const reached = outside.filter(({ reachedOutside }) => reachedOutside === true).length;
	const inside = tried.filter(({ reachedInside }) => reachedInside).length;
	return `| ${kind} | ${tried.length} | ${reached} of ${outside.length} | ${inside} |`;
}
