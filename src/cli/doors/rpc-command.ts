/** `prowess rpc`: a program drives Prowess in one folder. All but the host is loaded for it alone. */
import { PermissionLevel } from '../../protocol/ops/permission-level.ts';
import { packageVersion } from '../home/installation.ts';
import type { CommandAction, Invocation } from '../invocation/command.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';
import { withHost } from '../ports/cli-host.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { UsageError } from '../terminal/usage-error.ts';

export const serveRpcCommand: CommandAction = async (invocation, context) => {
	const { terminal, signal } = context;
	if (terminal.stdin.isTTY === true) {
		throw new UsageError('rpc: a program starts this command and speaks to it; see docs/rpc.md');
	}
	const folder = trustedWorkspace(invocation, context, 'rpc');
	const behind = { client: { principal: 'rpc', ...readWidest(invocation) } } as const;
	return await withHost(invocation, context, { workspace: folder, approvalMode: 'ask', behind }, async (host) => {
		const { client, settings, choice } = host;
		if (client === undefined) return exitCodes.failed;
		const { serveProgram } = await import('../../host/doors/rpc/serve-program.ts');
		const served = {
			input: terminal.stdin,
			write: async (text: string) => {
				terminal.out(text);
				await terminal.flush();
			},
			client,
			base: await host.trustedBase(),
			server: (within: AbortSignal) => host.server(within),
			prowess: packageVersion,
			folder,
			modelId: choice.modelId ?? null,
			mode: settings.current['prowess.mode'],
		};
		await serveProgram(served, signal);
		return exitCodes.done;
	});
};

/** Widest level that the command line names, as a part of what the client wishes. */
function readWidest({ values }: Invocation): { readonly widest?: PermissionLevel } {
	const { level } = values;
	return level === undefined ? {} : { widest: PermissionLevel.parse(level) };
}
