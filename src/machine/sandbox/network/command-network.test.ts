import assert from 'node:assert/strict';
import { parseTargetUrl } from '../../http/target-url.ts';
import { type Admission, CommandNetwork, type HostGate } from './command-network.ts';
import { HOSTS_PER_COMMAND } from './limits.ts';

const target = (host: string) => parseTargetUrl(`https://${host}/`);

/** Answers every host alike, and notes it. */
class OneAnswer implements HostGate {
	readonly asked: string[] = [];
	readonly #answer: Admission;

	constructor(answer: Admission) {
		this.#answer = answer;
	}

	admit({ host }: { readonly host: string }): Promise<Admission> {
		this.asked.push(host);
		return Promise.resolve(this.#answer);
	}
}

function networkOf(gate: HostGate): CommandNetwork {
	return new CommandNetwork(['nsenter'], gate, () => undefined);
}

describe('The network of a command', () => {
	it('asks once for a host that is not found, however often it is tried, and does not call it refused', async () => {
		const gate = new OneAnswer({ kind: 'failed', why: 'there is no such host' });
		const network = networkOf(gate);
		for (let times = 0; times < 3; times++) {
			assert.equal((await network.admit(target('a.test'))).kind, 'failed');
		}
		assert.deepEqual([gate.asked, network.refused], [['a.test'], []]);
		network.dispose();
	});

	it('asks for a limited number of hosts, and remembers no more than those', async () => {
		const gate = new OneAnswer({ kind: 'refused', why: 'no' });
		const network = networkOf(gate);
		for (let number = 0; number < 2 * HOSTS_PER_COMMAND; number++) {
			assert.equal((await network.admit(target(`h${number}.test`))).kind, 'refused');
		}
		assert.deepEqual([gate.asked.length, network.refused.length], [HOSTS_PER_COMMAND, HOSTS_PER_COMMAND]);
		network.dispose();
	});

	it('reaches nothing any more when its command has ended, not even what was just admitted', async () => {
		const answer = Promise.withResolvers<Admission>();
		const network = networkOf({ admit: () => answer.promise });
		const admission = network.admit(target('a.test'));
		network.dispose();
		const counted: unknown[] = [];
		const addresses = [{ address: '203.0.113.1', family: 4 }] as const;
		answer.resolve({ kind: 'admitted', addresses, settle: (traffic) => void counted.push(traffic) });
		assert.equal((await admission).kind, 'refused');
		assert.deepEqual(counted, [{ connections: 0, sent: 0, received: 0 }]);
	});
});
