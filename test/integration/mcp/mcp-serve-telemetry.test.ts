/** Calls of an MCP client, as the user's collector is told of them. */
import assert from 'node:assert/strict';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { type HttpSite, httpSite } from '../../support/http-site.ts';
import { LinesHere } from '../../support/lines-here.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const named = { traceparent: `00-${TRACE}-${SPAN}-01` };

interface ToldSpan {
	readonly traceId: string;
	readonly parentSpanId?: string;
	readonly name: string;
	readonly kind: number;
	readonly status?: { readonly message: string };
}

describe('A call of an MCP client', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let collector: HttpSite;
	let client: Client | undefined;
	let running: { stop(): void; readonly ended: Promise<unknown> } | undefined;
	beforeEach(async () => {
		user = new User();
		user.trusts();
		collector = await httpSite();
	});
	afterEach(async () => {
		await client?.close();
		running?.stop();
		await running?.ended;
		await collector.close();
	});

	async function connects(telemetry: object): Promise<Client> {
		user.sets({ 'prowess.telemetry': { endpoint: `http://127.0.0.1:${collector.port}`, ...telemetry } });
		const command = user.startsHere(['mcp', 'serve', '--workspace', user.workspace], { isProgram: true });
		running = command;
		client = new Client({ name: 'spec', version: '1' });
		await client.connect(new LinesHere(command) as unknown as Transport);
		return client;
	}
	const lists = (made: Client, meta?: Readonly<Record<string, unknown>>) =>
		made.callTool({ name: 'fs_list', arguments: { path: '.' }, ...(meta && { _meta: meta }) });
	const spans = () =>
		collector.received
			.filter(({ path }) => path === '/v1/traces')
			.flatMap(({ body }) => {
				const told = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: ToldSpan[] }[] }[] };
				return told.resourceSpans.flatMap((each) => each.scopeSpans.flatMap((scope) => scope.spans));
			});

	it('is told to nobody while no collector is named', async () => {
		await lists(await connects({ endpoint: '' }), named);
		await client?.close();
		await running?.ended;
		assert.deepEqual(collector.received, []);
	});

	it('hangs below the span that the client names, and below none where it names what is no span', async () => {
		const made = await connects({});
		await lists(made, named);
		for (const meta of [undefined, { traceparent: 'mine' }, { traceparent: 7 }]) await lists(made, meta);
		await made.callTool({ name: 'fs_read', arguments: { path: 'gone.txt' }, _meta: named });
		await waitFor('the spans', () => spans().length === 5);
		const [first, ...others] = spans();
		assert.deepEqual(
			[first?.traceId, first?.parentSpanId, first?.name, first?.kind, first?.status],
			[TRACE, SPAN, 'tools/call fs_list', 2, undefined],
		);
		assert.deepEqual(
			others.map(({ traceId, parentSpanId, status }) => [traceId === TRACE, parentSpanId, status?.message]),
			[
				[false, undefined, undefined],
				[false, undefined, undefined],
				[false, undefined, undefined],
				[true, SPAN, 'NOT_FOUND'],
			],
		);
		assert.doesNotMatch(JSON.stringify(collector.received.map(({ body }) => body)), /gone\.txt/);
	});

	it('is told with its inputs and its result where the user wants contents told', async () => {
		const made = await connects({ content: true });
		await made.callTool({ name: 'fs_read', arguments: { path: 'gone.txt' } });
		await waitFor('the span', () => spans().length === 1);
		assert.match(collector.received[0]?.body ?? '', /gen_ai\.tool\.call\.arguments.*gone\.txt/);
	});
});
