/** `prowess mcp serve`: other agents use what Prowess has, through its gate. Loaded for it alone, like what it serves. */
import { randomBytes } from 'node:crypto';
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { McpDoor } from '../../host/doors/mcp/mcp-door.ts';
import { PermissionLevel } from '../../protocol/ops/permission-level.ts';
import { packageVersion } from '../home/installation.ts';
import type { CommandAction, Invocation } from '../invocation/command.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';
import { withHost } from '../ports/cli-host.ts';
import { formatApproval } from '../ports/person.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { UsageError } from '../terminal/usage-error.ts';

const MAX_PORT = 65_535;

export const serveMcpCommand: CommandAction = async (invocation, context) => {
	const { terminal, signal } = context;
	const port = readPort(invocation);
	const isHttp = port !== undefined;
	if (!isHttp && terminal.stdin.isTTY === true) {
		throw new UsageError('mcp serve: an MCP client starts this command and speaks to it; see docs/mcp-server.md');
	}
	const level = PermissionLevel.parse(invocation.values['level'] ?? 'ask');
	const folder = trustedWorkspace(invocation, context, 'mcp serve');
	const door = await import('../../host/doors/mcp/serve-mcp.ts');
	const { calls, person } = door.createAskedCalls(formatApproval);
	const behind = { client: { principal: 'mcp', person, widest: level } } as const;
	return await withHost(invocation, context, { workspace: folder, approvalMode: 'ask', behind }, async (host) => {
		const { client } = host;
		if (client === undefined) return exitCodes.failed;
		const base = await host.trustedBase();
		const logLine = (message: string) => {
			if (invocation.switches.has('verbose')) terminal.err(`[info] mcp: ${base.redact(message)}\n`);
		};
		const windows = await door
			.openDoorToWindows({
				home: host.home,
				folder,
				admit: (atWindow) => host.clients.admit({ principal: 'editor', person: atWindow }),
				log: logLine,
			})
			.catch((error: unknown) => logLine(`windows of the editor are not asked: ${toErrorMessage(error)}`));
		try {
			const served = new door.McpDoor({ base, client, version: packageVersion, level, log: logLine }, calls);
			if (isHttp) return await serveOverHttp(served, port);
			const writeText = async (text: string) => {
				terminal.out(text);
				await terminal.flush();
			};
			await door.serveMcpOnStreams(served, { input: terminal.stdin, write: writeText, log: logLine }, signal);
			return exitCodes.done;
		} finally {
			windows?.dispose();
		}

		async function serveOverHttp(served: McpDoor, at: number) {
			const token = randomBytes(32).toString('base64url');
			base.addSecret(token);
			const listening = await door.listenForMcp(served, { port: at, token, log: logLine });
			try {
				terminal.out(`${JSON.stringify({ url: listening.url, token })}\n`);
				await new Promise<void>((resolve) => {
					signal.addEventListener('abort', () => resolve(), { once: true });
					if (signal.aborted) resolve();
				});
			} finally {
				served.close();
				listening.dispose();
			}
			return exitCodes.stopped;
		}
	});
};

/** Undefined: the client is on standard input and output. */
function readPort({ values }: Invocation): number | undefined {
	const { http } = values;
	if (http === undefined) return undefined;
	const port = /^\d{1,5}$/.test(http) ? Number(http) : Number.NaN;
	if (!(port <= MAX_PORT)) {
		throw new UsageError(`mcp serve: --http takes a port from 0 to ${MAX_PORT}; got "${http}"`);
	}
	return port;
}
