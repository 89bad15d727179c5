/** A plugin of others as one thing: its skills are installed, enabled, disabled and removed together. */
import type { InstalledRef } from '../../capability-host/catalog/marketplace/installed-versions.ts';
import type { Marketplace } from '../../capability-host/catalog/marketplace/marketplace.ts';
import { isProwessError } from '../../protocol/errors.ts';
import type { InstalledCapability, InstallScope, OfferedPlugin } from '../../protocol/marketplace.ts';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import { exitCodes } from '../invocation/exit-codes.ts';
import { messageFor } from '../terminal/messages.ts';
import { visibleLine } from '../terminal/visible.ts';
import { lineOf, report } from './reports.ts';

/** Each of its skills by itself: one that cannot be installed keeps no other from it, and is told. */
export async function installPlugin(
	marketplace: Pick<Marketplace, 'install'>,
	{ name, skills, others }: OfferedPlugin,
	scope: InstallScope,
	invocation: Invocation,
	context: CommandContext,
): Promise<number> {
	const installed: InstalledCapability[] = [];
	let hasFailed = false;
	for (const capability of skills) {
		try {
			installed.push(await marketplace.install({ capability, scope }, context.signal));
		} catch (error) {
			context.signal.throwIfAborted();
			if (!isProwessError(error)) throw error;
			hasFailed = true;
			context.terminal.err(messageFor(error));
		}
	}
	const left = others.length === 0 ? '' : `not taken: its ${others.join(', ')}\n`;
	const shown = visibleLine(name);
	const text = `${installed.map(lineOf).join('')}${left}Enable them with: prowess marketplace enable ${shown}${scope === 'project' ? ' --scope project' : ''}\n`;
	const code = report(invocation, context, { plugin: name, installed, notTaken: others }, text);
	return hasFailed ? exitCodes.failed : code;
}

/** What a name means among what is installed: a capability, else all of the plugin of that name, else itself. */
export async function partsToChange(
	marketplace: Pick<Marketplace, 'installed'>,
	ref: InstalledRef,
): Promise<readonly InstalledRef[]> {
	const here = (await marketplace.installed()).filter(({ scope }) => scope === ref.scope);
	const parts = here.filter(({ plugin }) => plugin === ref.name);
	return here.some(({ name }) => name === ref.name) || parts.length === 0
		? [ref]
		: parts.map(({ name, type, scope }) => ({ name, type, scope }));
}
