// The least an agent in Node can be: one tool, no gate, no store, no second process. The baseline of the agent figures.
// It is CommonJS because that starts fastest: as an ES module it would take 1.7 times as long to its first request.
const { readFileSync } = require('node:fs');
const http = require('node:http');

const url = new URL(`${process.argv[2]}/chat/completions`);
const agent = new http.Agent({ keepAlive: true });
const tools = [
	{
		type: 'function',
		function: {
			name: 'fs_read',
			description: 'Read a file',
			parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
		},
	},
];
const messages = [
	{ role: 'system', content: 'You are a coding agent.' },
	{ role: 'user', content: 'Go.' },
];

async function main() {
	for (;;) {
		const { text, call } = await complete();
		if (call === undefined) {
			process.stdout.write(`${text.length}\n`);
			agent.destroy();
			return;
		}
		messages.push(
			{
				role: 'assistant',
				content: null,
				tool_calls: [{ id: call.id, type: 'function', function: { name: call.name, arguments: call.input } }],
			},
			{ role: 'tool', tool_call_id: call.id, content: readFileSync(JSON.parse(call.input).path, 'utf8') },
		);
	}
}

function complete() {
	return new Promise((resolve, reject) => {
		const body = JSON.stringify({ model: 'bench', stream: true, messages, tools });
		const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
		const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
			let rest = '';
			let text = '';
			let call;
			response.setEncoding('utf8');
			response.on('data', (chunk) => {
				rest += chunk;
				for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
					const line = rest.slice(6, end);
					rest = rest.slice(end + 2);
					if (line === '[DONE]') {
						continue;
					}
					const delta = JSON.parse(line).choices[0]?.delta ?? {};
					text += delta.content ?? '';
					for (const part of delta.tool_calls ?? []) {
						call ??= { id: part.id, name: part.function.name, input: '' };
						call.input += part.function.arguments ?? '';
					}
				}
			});
			response.on('end', () => resolve({ text, call }));
		});
		request.on('error', reject);
		request.end(body);
	});
}

void main();
