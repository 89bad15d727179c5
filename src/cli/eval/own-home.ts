/** Homes of an evaluation: whatever is done in one has no place in the user's own. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import type { EvalHost } from './eval-host.ts';

/** Settings that never count: what the user has agreed to in all projects, and where anchors of the user's ledger go. */
const NOT_MEANT: readonly string[] = ['prowess.approvals.allow', 'prowess.ledger.anchor'];

/**
 * Makes a home at `path` with the user's settings, and returns the context of a command there. `isMeant`: which settings count;
 * what the user agreed to elsewhere never does.
 */
export async function makeOwnHome(
	path: string,
	host: Pick<EvalHost, 'openHome' | 'readJsonObject'>,
	context: CommandContext,
	isMeant: (name: string) => boolean = () => true,
): Promise<CommandContext> {
	const users = host.readJsonObject(join(host.openHome(context.environment), 'settings.json')) ?? {};
	await mkdir(path, { mode: 0o700 });
	const own = Object.fromEntries(Object.entries(users).filter(([name]) => isMeant(name) && !NOT_MEANT.includes(name)));
	await writeFile(join(path, 'settings.json'), JSON.stringify(own));
	return { ...context, server: undefined, environment: { ...context.environment, PROWESS_HOME: path } };
}

/** A command line with no option. */
export const bareInvocation: Invocation = { operands: [], values: {}, lists: {}, switches: new Set() };
