/** Asks what becomes of the data of a plugin that is removed. */
import type { PluginData } from '../../protocol/marketplace.ts';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import { visibleLine } from '../terminal/visible.ts';

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
