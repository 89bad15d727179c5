// The least an MCP server over stdio can be that reads a file for `tools/call`: JSON-RPC in lines, without an SDK, a check of
// what it is asked, or a record of what it did. `bench/cpu` says how much processor time it has taken.
import { readFile } from 'node:fs/promises';

const [file] = process.argv.slice(2);
const answer = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
let rest = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
	const lines = (rest + text).split('\n');
	rest = lines.pop();
	for (const line of lines) void handle(JSON.parse(line));
});

async function handle({ id, method, params }) {
	switch (method) {
		case 'initialize':
			answer(id, {
				protocolVersion: params.protocolVersion,
				capabilities: { tools: {} },
				serverInfo: { name: 'reader', version: '1' },
			});
			break;
		case 'tools/call': {
			const text = await readFile(file, 'utf8');
			answer(id, { content: [{ type: 'text', text }], structuredContent: { path: params.arguments.path, text } });
			break;
		}
		case 'bench/cpu':
			answer(id, process.cpuUsage());
	}
}
