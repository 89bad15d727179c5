/** A plugin as one thing: what it brings, and what else has to be allowed before its hooks and servers run. */
import type { InstalledRef } from '../../catalog/marketplace/installed-versions.ts';
import type { Marketplace } from '../../catalog/marketplace/marketplace.ts';
import type { PluginData } from '../../protocol/capability/marketplace.ts';
import type { PluginPart } from '../../protocol/capability/plugin.ts';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import { visibleLine } from '../terminal/visible.ts';

type ShownPluginPart = PluginPart & { readonly isEnabled?: boolean };

/**
 * Returns the installed item of that name, else all skills that came with the plugin of that name; with neither, `ref`
 * itself.
 */
export async function partsToChange(
	marketplace: Pick<Marketplace, 'installed'>,
	ref: InstalledRef,
): Promise<readonly [InstalledRef, ...InstalledRef[]]> {
	const here = (await marketplace.installed()).filter(({ scope }) => scope === ref.scope);
	const [first, ...others] = here
		.filter(({ plugin }) => plugin === ref.name)
		.map(({ name, type, scope }) => ({ name, type, scope }));
	return here.some(({ name }) => name === ref.name) || first === undefined ? [ref] : [first, ...others];
}

/** Each on a line, with what runs on this machine. */
export function partLines(parts: readonly ShownPluginPart[]): string {
	return parts.map((part) => `  ${visibleLine(partLine(part))}\n`).join('');
}

function partLine({ kind, name, says, runs, isEnabled = true }: ShownPluginPart): string {
	const what = kind === 'hook' || kind === 'server' ? `runs: ${says}` : `${says}${runs ? ' (with scripts)' : ''}`;
	return `${kind.padEnd(8)} ${name.padEnd(24)} ${what}${isEnabled ? '' : ' [disabled]'}`;
}

/** Programs of an enabled plugin ask for a yes of their own. */
export function runningText(name: string, parts: readonly ShownPluginPart[]): string {
	const hooks = parts.filter(({ kind }) => kind === 'hook');
	const servers = parts.filter(({ kind }) => kind === 'server');
	const shown = visibleLine(name);
	return [
		...(hooks.length === 0
			? []
			: [`Its hooks do not run yet:\n${partLines(hooks)}See them with: prowess hooks list\n`]),
		...servers.map(
			(server) =>
				`Its MCP server ${visibleLine(server.name)} starts after your consent: prowess mcp allow ${shown}.${visibleLine(server.name)}\n`,
		),
	].join('');
}

export function notTakenText(notTaken: readonly string[]): string {
	return notTaken.length === 0 ? '' : `not taken: ${visibleLine(notTaken.join(', '))}\n`;
}

/**
 * Returns true when the data is to be removed: as `--data` says; else as a person says. Data is kept where nobody can
 * be asked.
 */
export async function isDataRemoved(
	{ path, files, bytes }: PluginData,
	{ values }: Invocation,
	{ terminal, signal }: CommandContext,
): Promise<boolean> {
	if (values['data'] !== undefined || !terminal.isInteractive) {
		return values['data'] === 'remove';
	}
	const count = files === 1 ? '1 file' : `${files} files`;
	terminal.err(`It has kept ${count}, ${bytes} bytes, in ${visibleLine(path)}. Remove its data, too? y/n `);
	return /^y(es)?$/i.test((await terminal.lines.next(signal))?.trim() ?? '');
}
