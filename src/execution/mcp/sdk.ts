/** The part of the MCP SDK that is used. Loaded with the first server, not with the host: it is a bundle of its own there. */
export {
	auth,
	Client,
	extractWWWAuthenticateParams,
	parseJSONRPCMessage,
	SSEClientTransport,
	StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
