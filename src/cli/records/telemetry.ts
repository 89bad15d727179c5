/** `prowess telemetry test`: whether a collector takes what it would be told. Starts no server and reads no project. */
import type { CommandAction } from '../invocation/command.ts';
import { withHost } from '../ports/cli-host.ts';
import { exitCodes } from '../terminal/exit-codes.ts';

export const testTelemetry: CommandAction = async (invocation, context) =>
	await withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) => {
		const [endpoint] = invocation.operands;
		const place = await (await host.trustedBase()).telemetry.test(endpoint, context.signal);
		context.terminal.out(`${place} takes telemetry\n`);
		return exitCodes.done;
	});
