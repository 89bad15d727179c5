/** Failure of something that a server was asked for: why it ended, if it did, or what it said. */
import { toErrorMessage } from '../../base/text/message-of.ts';
import { ProwessError } from '../../protocol/errors.ts';
import type { McpConnection } from './connection.ts';

export async function callFailure(
	{ server, what }: { readonly server: string; readonly what: string },
	connection: McpConnection,
	error: unknown,
): Promise<ProwessError> {
	const why = (await Promise.race([connection.ended, Promise.resolve(undefined)])) ?? toErrorMessage(error);
	const message = `the MCP server ${server} failed at ${what}: ${why}`;
	return new ProwessError('MCP_SERVER_FAILED', message, { server, why }, error);
}
