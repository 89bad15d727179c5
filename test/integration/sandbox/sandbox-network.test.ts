/** The network of sandboxed commands: real namespaces, real programs in them, and real sites on this machine. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import type {
	Admission,
	CommandNetwork,
	HostGate,
	Traffic,
} from '../../../src/machine/sandbox/network/command-network.ts';
import { SandboxNetworks } from '../../../src/machine/sandbox/network/sandbox-networks.ts';
import type { TargetUrl } from '../../../src/machine/http/target-url.ts';
import { newId, type ThreadId } from '../../../src/protocol/rpc/ids.ts';
import { type HttpSite, httpSite, rawSite } from '../../support/http-site.ts';
import { isRunning } from '../../support/processes.ts';
import { bubblewrap, networkListener } from '../../support/sandbox-scene.ts';
import { waitFor } from '../../support/wait-for.ts';

const bwrap = bubblewrap ?? '';
const walls = [
	'--ro-bind',
	'/',
	'/',
	'--dev',
	'/dev',
	'--proc',
	'/proc',
	'--tmpfs',
	'/tmp',
	// The repository, and this Node with it, may lie there.
	'--ro-bind',
	process.execPath,
	process.execPath,
	'--unshare-all',
	'--share-net',
];

/** Lets through to this machine what it was told, and notes what it is asked. */
class ListedHosts implements HostGate {
	readonly asked: string[] = [];
	readonly traffic: Traffic[] = [];
	readonly #allowed: readonly string[];

	constructor(...allowed: readonly string[]) {
		this.#allowed = allowed;
	}

	admit({ host, hostname }: TargetUrl): Promise<Admission> {
		this.asked.push(host);
		return Promise.resolve(
			this.#allowed.includes(hostname)
				? {
						kind: 'admitted',
						addresses: [{ address: '127.0.0.1', family: 4 }],
						settle: (traffic) => void this.traffic.push(traffic),
					}
				: { kind: 'refused', why: `${host} is not on the list` },
		);
	}
}

interface Ended {
	readonly status: number;
	readonly stdout: string;
	readonly stderr: string;
}

function run({ enter: [program, ...words], environment }: CommandNetwork, argv: readonly string[]): Promise<Ended> {
	const env = { PATH: process.env['PATH'], HOME: '/tmp', ...environment };
	return new Promise((resolve) => {
		execFile(program, [...words, bwrap, ...walls, '--', ...argv], { env, timeout: 30_000 }, (error, stdout, stderr) => {
			resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
		});
	});
}

describe('The network of a sandbox', function () {
	this.timeout(60_000);
	let networks: SandboxNetworks;
	let site: HttpSite;
	const failures: unknown[] = [];
	const thread = newId('thr');

	before(function () {
		if (bubblewrap === undefined) this.skip();
	});
	beforeEach(async () => {
		networks = new SandboxNetworks({ listener: networkListener, onUnusable: (error) => failures.push(error) });
		site = await httpSite(({ path, headers }, response) => response.end(`${headers.host}${path}`));
	});
	afterEach(async () => {
		await networks.close();
		await site.close();
		assert.deepEqual(failures.splice(0), []);
	});

	async function open(gate: HostGate, threadId: ThreadId | null = thread): Promise<CommandNetwork> {
		const network = await networks.open(threadId, bwrap, gate);
		assert.ok(network !== undefined);
		return network;
	}

	it('lets a command reach a host that it may, over HTTP and through a tunnel, and asks for it once', async () => {
		const gate = new ListedHosts('site.test');
		const network = await open(gate);
		const url = `http://site.test:${site.port}/a`;
		assert.equal((await run(network, ['curl', '-sS', url, url])).stdout, `site.test:${site.port}/a`.repeat(2));
		assert.equal((await run(network, ['curl', '-sS', '-p', url])).stdout, `site.test:${site.port}/a`);
		assert.deepEqual(gate.asked, [`site.test:${site.port}`]);
		network.dispose();
		await waitFor('the count', () => gate.traffic.length === 1);
		const [{ connections, sent, received } = { connections: 0, sent: 0, received: 0 }] = gate.traffic;
		assert.equal(connections, 3);
		assert.ok(sent > 150 && received > 300, `${sent} ${received}`);
		assert.equal(site.received[0]?.headers['proxy-authorization'], undefined);
	});

	it('refuses another host with its reason, and names it afterwards', async () => {
		const network = await open(new ListedHosts('site.test'));
		const plain = await run(network, ['curl', '-s', `http://other.test:${site.port}/`]);
		assert.match(plain.stdout, /other\.test:\d+ is not on the list/);
		const tunnel = await run(network, ['curl', '-sS', 'https://other.test/']);
		assert.match(tunnel.stderr, /403/);
		assert.deepEqual(network.refused, [`other.test:${site.port}`, 'other.test']);
		assert.equal(site.received.length, 0);
	});

	it('reaches neither the loopback of the host nor any address past the proxy', async () => {
		const network = await open(new ListedHosts());
		for (const address of [`127.0.0.1:${site.port}`, `[::1]:${site.port}`, '1.1.1.1:80', '169.254.169.254:80']) {
			const { status } = await run(network, ['curl', '-sS', '--noproxy', '*', '-m', '5', `http://${address}/`]);
			assert.equal(status, 7, address);
		}
		assert.equal(site.received.length, 0);
	});

	it('is one for the commands of a thread, which find each other on their loopback, and another for each other thread', async () => {
		const [server, client] = [await open(new ListedHosts()), await open(new ListedHosts())];
		const stranger = await open(new ListedHosts(), newId('thr'));
		const twice = 'import http.server as h; s = h.HTTPServer(("127.0.0.1", 8123), h.SimpleHTTPRequestHandler)';
		const serving = run(server, ['timeout', '30', 'python3', '-c', `${twice}; s.handle_request(); s.handle_request()`]);
		const ask = (from: CommandNetwork) => run(from, ['curl', '-s', '-o', '/dev/null', 'http://localhost:8123/']);
		await waitFor('the server of the other command', async () => (await ask(client)).status === 0);
		assert.equal((await ask(stranger)).status, 7);
		const abstract = `use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0); exit(connect(S, pack_sockaddr_un("\\0probe")) ? 0 : 3)`;
		assert.equal((await run(client, ['perl', '-e', abstract])).status, 3);
		assert.equal((await ask(client)).status, 0);
		assert.equal((await serving).status, 0);
	});

	it('knows a command by its credential alone: another or none opens nothing, and an ended command has none', async () => {
		const gate = new ListedHosts('site.test');
		const network = await open(gate);
		const url = `http://site.test:${site.port}/`;
		const proxy = (credential: string) => [
			'curl',
			'-s',
			'-o',
			'/dev/null',
			'-w',
			'%{http_code}',
			'-x',
			`http://${credential}127.0.0.1:3128`,
			url,
		];
		assert.equal((await run(network, proxy(''))).stdout, '407');
		assert.equal((await run(network, proxy('prowess:guessed@'))).stdout, '403');
		const other = await open(new ListedHosts());
		assert.equal((await run(other, proxy(`prowess:${other.credential}@`))).stdout, '403');
		network.dispose();
		assert.equal((await run(other, proxy(`prowess:${network.credential}@`))).stdout, '403');
		assert.deepEqual([gate.asked.length, site.received.length], [0, 0]);
	});

	it('takes SOCKS5 with the name of the host, and refuses by its codes', async () => {
		const network = await open(new ListedHosts('site.test'));
		const proxy = `socks5h://prowess:${network.credential}@127.0.0.1:3128`;
		const reached = await run(network, ['curl', '-sS', '-x', proxy, `http://site.test:${site.port}/s`]);
		assert.equal(reached.stdout, `site.test:${site.port}/s`, reached.stderr);
		assert.equal((await run(network, ['curl', '-sS', '-x', proxy, 'http://other.test/'])).status, 97);
		assert.equal(
			(await run(network, ['curl', '-sS', '-x', 'socks5h://127.0.0.1:3128', 'http://site.test/'])).status,
			97,
		);
	});

	it('sends each plain request where its address says, under that name, whatever else the client writes', async () => {
		const gate = new ListedHosts('site.test');
		const network = await open(gate);
		const url = `http://site.test:${site.port}/x`;
		const { stdout } = await run(network, [
			'curl',
			'-sS',
			'-H',
			'Host: inner.test',
			url,
			'--next',
			'-s',
			`http://other.test:${site.port}/y`,
		]);
		assert.match(stdout, new RegExp(`^site\\.test:${site.port}/x.*not on the list`, 's'));
		assert.deepEqual(
			site.received.map(({ path }) => path),
			['/x'],
		);
	});

	it('ends every connection with its command', async () => {
		const silent = await rawSite((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'));
		const network = await open(new ListedHosts('site.test'));
		const waiting = run(network, ['curl', '-sS', `http://site.test:${silent.port}/`]);
		await waitFor('the connection', () => silent.connections() === 1);
		network.dispose();
		assert.notEqual((await waiting).status, 0);
		await silent.close();
	});

	it('answers what is no request of a proxy, and goes on', async () => {
		const network = await open(new ListedHosts('site.test'));
		const say = (words: string) =>
			run(network, [
				'perl',
				'-MIO::Socket::INET',
				'-e',
				`my $s = IO::Socket::INET->new("127.0.0.1:3128"); print $s "${words}"; shutdown($s, 1); print <$s>`,
			]);
		assert.match((await say('GET / HTTP/1.1\\r\\n\\r\\n')).stdout, /^HTTP\/1\.1 400 .*this is a proxy/s);
		assert.match(
			(await say('CONNECT a.test HTTP/1.1\\r\\n\\r\\n')).stdout,
			/^HTTP\/1\.1 400 .*expected a host and a port/s,
		);
		assert.match((await say('GET http://u:p\\@a.test/ HTTP/1.1\\r\\n\\r\\n')).stdout, /^HTTP\/1\.1 400 /);
		assert.equal((await say(`${'a'.repeat(40_000)}`)).stdout, '');
		assert.equal((await say('half a request')).stdout, '');
		assert.equal((await run(network, ['curl', '-sS', `http://site.test:${site.port}/`])).status, 0);
	});

	it('serves Python and Node as they are, by the environment alone', async () => {
		const network = await open(new ListedHosts('site.test'));
		const url = `http://site.test:${site.port}/p`;
		const python = [
			'python3',
			'-c',
			`import urllib.request; print(urllib.request.urlopen("${url}").read().decode(), end="")`,
		];
		assert.equal((await run(network, python)).stdout, `site.test:${site.port}/p`);
		const node = [process.execPath, '-e', `fetch("${url}").then((r) => r.text()).then((t) => process.stdout.write(t))`];
		assert.equal((await run(network, node)).stdout, `site.test:${site.port}/p`);
	});

	it('gives a command of no thread one of its own, which ends with it', async () => {
		const [one, other] = [await open(new ListedHosts(), null), await open(new ListedHosts(), null)];
		assert.notEqual(one.enter.join(' '), other.enter.join(' '));
		const holder = Number(/\/proc\/(\d+)\//.exec(one.enter.join(' '))?.[1]);
		assert.ok(isRunning(holder));
		one.dispose();
		await waitFor('the end of its holder', () => !isRunning(holder));
	});

	it('begins anew when somebody has killed what holds it', async () => {
		const first = await open(new ListedHosts());
		process.kill(Number(/\/proc\/(\d+)\//.exec(first.enter.join(' '))?.[1]), 'SIGKILL');
		await waitFor(
			'another network',
			async () => (await open(new ListedHosts())).enter.join(' ') !== first.enter.join(' '),
			10_000,
		);
	});

	it('is nowhere on the host: no port of it is reached from outside', async () => {
		await open(new ListedHosts());
		await assert.rejects(
			new Promise((resolve, reject) => {
				connect({ host: '127.0.0.1', port: 3128 }).once('connect', resolve).once('error', reject);
			}),
			{ code: 'ECONNREFUSED' },
		);
	});

	it('leaves no listener behind when the host ends before it has taken the socket', async () => {
		const inside = ['--ro-bind', '/', '/', '--unshare-net', '--unshare-pid', '--die-with-parent', '--'];
		const program = [process.execPath, fileURLToPath(networkListener)];
		const listener = spawn(bwrap, [...inside, ...program], { stdio: ['pipe', 'ignore', 'inherit', 'ipc'], env: {} });
		try {
			listener.stdin?.destroy();
			listener.disconnect();
			await waitFor('the end of the listener', () => listener.exitCode === 0);
		} finally {
			listener.kill('SIGKILL');
		}
	});
});

describe('Without a bubblewrap that works, the network of a sandbox', () => {
	it('is empty, which is said once', async () => {
		const failures: unknown[] = [];
		const networks = new SandboxNetworks({ listener: networkListener, onUnusable: (error) => failures.push(error) });
		for (let times = 0; times < 2; times++) {
			assert.equal(await networks.open(newId('thr'), '/bin/false', new ListedHosts()), undefined);
		}
		assert.equal(failures.length, 1);
		await networks.close();
	});
});
