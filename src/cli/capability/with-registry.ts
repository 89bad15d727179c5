/** State of the registry, for a command that shows or changes it. */
import {
	type CapabilityItem,
	describeItemErrors,
	type ExecutorItem,
	type RegistryState,
} from '../../catalog/registry/items.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import { withHost } from '../ports/cli-host.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { openHome } from '../home/home-folder.ts';
import { isTrusted, realFolder } from '../home/trusted-folders.ts';
import { visibleLine } from '../terminal/visible.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';

/** With `--trust` the folder must be one that can be; without it, one that is not trusted adds nothing, and that is said. */
export async function withRegistry(
	invocation: Invocation,
	context: CommandContext,
	command: string,
	work: (state: RegistryState, base: TrustedBase) => void | Promise<void>,
): Promise<number> {
	const folder = realFolder(invocation.values['workspace'] ?? '.');
	const isOurs = invocation.switches.has('trust') || isTrusted(openHome(context.environment), folder);
	const workspace = isOurs ? trustedWorkspace(invocation, context, command) : undefined;
	return await withHost(invocation, context, { workspace, approvalMode: 'never' }, async (host) => {
		const base = await host.trustedBase();
		await work(await base.registry.state(), base);
		if (workspace === undefined) {
			context.terminal.err(`prowess: ${visibleLine(folder)} is not trusted, so it was not read\n`);
		}
		return exitCodes.done;
	});
}

/** On standard error: what cannot be used, and what could not be read. */
export function sayProblems(
	{ terminal }: CommandContext,
	broken: readonly (CapabilityItem | ExecutorItem)[],
	problems: readonly string[],
): void {
	for (const item of broken) {
		terminal.err(`prowess: ${visibleLine(item.path)} has problems: ${visibleLine(describeItemErrors(item))}\n`);
	}
	for (const problem of problems) {
		terminal.err(`prowess: ${visibleLine(problem)}\n`);
	}
}
