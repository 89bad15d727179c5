/**
 * Makes attempts to get out of the sandbox as the user that it runs as, and writes what came of them as one line of JSON.
 * Started as: node escapes-as-user-program.ts <JSON of OrdinaryRun>
 */
import type { OutsideParents } from '../../support/outside/outside-folders.ts';
import { asLine } from '../../support/command-host.ts';
import { makeEscapes, topics } from './escape-topics.ts';
import { runHostileLines } from './hostile-lines.ts';

export interface OrdinaryRun {
	readonly bubblewrap: string;
	readonly parents: OutsideParents;
	/** Titles of attempts. */
	readonly titles: readonly string[];
	/** Numbers of hostile lines. */
	readonly lines: readonly number[];
}

const { bubblewrap, parents, titles, lines } = JSON.parse(process.argv[2] ?? '') as OrdinaryRun;
const escapes = Object.values(topics).flatMap((each) => each.filter(({ title }) => titles.includes(title)));
const made = await makeEscapes(escapes, { bubblewrap, parents });
const hostile = await runHostileLines(lines, { bubblewrap, parents });
process.stdout.write(asLine({ user: process.getuid?.(), made, hostile }));
