/** Two programs at the doors of one host, on one thread: real doors, gate, server and store; their pipes are in memory. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Clients } from '../../../src/host/doors/clients.ts';
import { serveProgram } from '../../../src/host/doors/rpc/serve-program.ts';
import type { Approval, ClosedQuestion } from '../../../src/protocol/approvals/approvals.ts';
import { TurnScene } from '../../support/turn-scene.ts';
import { waitFor } from '../../support/wait-for.ts';

type Told = { readonly id?: number; readonly method?: string; readonly params?: unknown; readonly result?: unknown };

class Program {
	readonly told: Told[] = [];
	readonly #input = new PassThrough();
	readonly #ended: Promise<void>;
	#last = 0;

	constructor({ host, base, server }: TurnScene, clients: Clients) {
		const served = {
			input: this.#input,
			write: (text: string) => {
				for (const line of text.split('\n').filter(Boolean)) this.told.push(JSON.parse(line) as Told);
				return Promise.resolve();
			},
			client: clients.admit({ principal: 'rpc' }),
			base,
			server: () => Promise.resolve(server),
			...{ prowess: '0.0.0', folder: host.workspace, modelId: 'test/scripted', mode: 'agent' as const },
		};
		this.#ended = serveProgram(served, new AbortController().signal);
	}

	async call(method: string, params: object): Promise<unknown> {
		const id = (this.#last += 1);
		this.#input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
		const answer = await waitFor(`an answer to ${method}`, () => this.told.find((each) => each.id === id));
		assert.ok('result' in answer, JSON.stringify(answer));
		return answer.result;
	}

	async greets(): Promise<this> {
		await this.call('rpc/hello', { version: 1, client: { name: 'spec' } });
		return this;
	}

	async asked(): Promise<Approval> {
		return await waitFor('a question', async () => {
			const { approvals } = (await this.call('desk/list', {})) as { readonly approvals: readonly Approval[] };
			return approvals[0];
		});
	}

	/** Ends of questions that it was told. */
	get closed(): ClosedQuestion[] {
		return this.told.flatMap(({ method, params }) => (method === 'desk/closed' ? [params as ClosedQuestion] : []));
	}

	has(type: string): boolean {
		return this.told.some(({ method, params }) => method === 'thread/update' && JSON.stringify(params).includes(type));
	}

	async leaves(): Promise<void> {
		this.#input.end();
		await this.#ended;
	}
}

describe('Two programs on one thread', () => {
	it('are both asked, the first answer counts, and the other is told through whom it came', async () => {
		const clients = new Clients({
			get current() {
				return scene.host.ports.settings.current;
			},
		});
		const write = { name: 'fs_write', input: { path: 'new.txt', content: 'hello\n' } };
		const scene: TurnScene = await TurnScene.open({
			script: [{ toolCalls: [write] }, { text: 'Written.' }],
			person: clients.person,
		});
		try {
			const [one, other] = await Promise.all([
				new Program(scene, clients).greets(),
				new Program(scene, clients).greets(),
			]);
			const { id: threadId } = (await one.call('thread/create', {})) as { readonly id: string };
			await other.call('thread/open', { threadId });
			await one.call('thread/prompt', { threadId, text: 'write it' });
			const [here, there] = await Promise.all([one.asked(), other.asked()]);
			assert.equal(here.id, there.id);
			assert.deepEqual(await other.call('desk/approve', { id: here.id, answer: { kind: 'once' } }), { taken: true });
			assert.deepEqual(await one.call('desk/approve', { id: here.id, answer: { kind: 'deny' } }), { taken: false });
			assert.equal(await scene.ended(), 'done');
			assert.equal(readFileSync(join(scene.host.workspace, 'new.txt'), 'utf8'), 'hello\n');
			for (const each of [one, other]) {
				assert.deepEqual(
					each.closed.map(({ id, how, by }) => [id, how, by]),
					[[here.id, 'answered', 'rpc']],
				);
				await waitFor('the end of the turn', () => each.has('turn.end'));
			}
			await Promise.all([one.leaves(), other.leaves()]);
		} finally {
			await scene.close();
		}
	});
});
