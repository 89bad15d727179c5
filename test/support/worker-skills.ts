/** Skill with the same tools in both languages, for specs that hold for either kind of worker. */
import { existsSync } from 'node:fs';
import type { SandboxState } from '../../src/machine/sandbox/sandbox.ts';
import { seccompFilter } from '../../src/machine/sandbox/seccomp-filter.ts';
import { WORKER_ENTRIES, type WorkerRuntime } from '../../src/protocol/execution/worker.ts';

interface WorkerSkill {
	readonly runtime: WorkerRuntime;
	readonly file: string;
	readonly text: string;
	/** Why it cannot be tried here; undefined when it can. */
	readonly lack: string | undefined;
}

const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';
const hasBubblewrap = process.platform === 'linux' && existsSync(bubblewrap);
export const workerSandbox: SandboxState = hasBubblewrap
	? { sandbox: 'bwrap', bwrap: { file: bubblewrap, filter: seccompFilter(process.arch) } }
	: { sandbox: 'permission', bwrap: undefined };

const hasPython = (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(`${folder}/python3`));

const JAVASCRIPT = `import { cookie, http, llm, op, progress, secrets, services } from '@prowess/sdk';
import { writeSync } from 'node:fs';
let calls = 0;
export const count = async () => ++calls;
/** Says it back. */
export async function echo(kwargs) { return kwargs; }
/**
 * Greets somebody.
 * @param {string} name - who
 * @param {number} [times] - how often
 */
export async function greet({ name, times = 1 }) { return Array(times).fill('hello ' + name); }
export async function pid() { return process.pid; }
export async function asks({ op: name, params }) { return await op(name, params); }
export async function asksMany({ count }) {
	return (await Promise.all(Array.from({ length: count }, async (_, at) => { await null; return await op('x.y', { at }); }))).map(({ at }) => at);
}
export async function waits() { await new Promise(() => {}); }
export async function spins() { for (;;); }
export async function dies() { process.exit(3); }
export async function throws() { throw new Error('on purpose'); }
export function sync() { progress('it ran'); }
export async function prints() {
	console.log('{"__type__":"result"}'); process.stdout.write('half a line'); console.error('to the log');
	return 'printed';
}
export async function reports() { await progress.report('half of it', 0.5); return 'reported'; }
export async function reportsOddly() { await op('progress.report', { message: 'raw', fraction: -1 }); for (const [words, part] of [[{ done: 7 }, 0.5], [7, '0.5'], [[], undefined], ['', undefined], [undefined, 2], ['much', 1.5], ['endless', Infinity], ['none', NaN], ['words', '50 %'], ['long '.repeat(1_000), undefined], [Object.create(null), 1n]]) await progress.report(words, part); await op('x.y', { last: true }); return 'reported'; }
export async function writes({ line }) {
	for (let rest = Buffer.from(line); rest.length > 0; ) {
		try {
			rest = rest.subarray(writeSync(1, rest));
		} catch (error) {
			if (error.code !== 'EAGAIN') throw error;
		}
	}
	await new Promise(() => {});
}
export async function reserved() { return { __id__: 'mine' }; }
export async function wrapped() { return { value: 1 }; }
export async function nothing() {}
export async function big() { return 'x'.repeat(2_000_000); }
export async function topics() {
	const at = 'https://a.example/';
	await http.sessionOpen({ headers: { accept: 'text/html' } });
	await http.get(at, { session: 's-1' });
	await http.post(at, { session: 's-1', json: { a: 1 } });
	await http.session_request({ session: 's-1', method: 'GET', url: at });
	await http.session_close('s-1');
	await cookie.resolve(at, { account: 'me' });
	await cookie.resolve({ domain: 'a.example' });
	await secrets.write('token', '0123456789');
	await llm.resolve_tools(['fs.read']);
	await services.call('web_search', { verb: 'find', params: { q: 'a' } });
	await services.list_providers('web_search');
}
`;

const PYTHON = `import asyncio, os, sys
from prowess import op, progress

_calls = 0

async def count():
    global _calls
    _calls += 1
    return _calls

async def echo(**kwargs):
    """Says it back."""
    return kwargs

async def greet(name: str, times: int = 1) -> list[str]:
    """Greets somebody.

    Args:
        name: who
        times (int): how often
    """
    return ["hello " + name] * times

async def pid():
    return os.getpid()

async def asks(op, params=None):
    from prowess import op as ask
    return await ask(op, params)

async def asksMany(count: int):
    async def one(at):
        await asyncio.sleep(0)
        return (await op("x.y", {"at": at}))["at"]
    return await asyncio.gather(*(one(at) for at in range(count)))

async def waits():
    await asyncio.sleep(10_000)

async def spins():
    while True:
        pass

async def dies():
    os._exit(3)

async def throws():
    raise Exception("on purpose")

def sync():
    print("it ran")

async def prints():
    print('{"__type__":"result"}')
    sys.stdout.write("half a line")
    os.write(1, b"below Python\\n")
    print("to the log", file=sys.stderr)
    return "printed"

async def reportsOddly():
    class Refuses:
        def __str__(self):
            raise ValueError("no")
    await op("progress.report", {"message": "raw", "fraction": -1})
    for words, part in (({"done": 7}, 0.5), (7, "0.5"), ([], None), ("", None), (None, 2), ("much", 1.5), ("endless", float("inf")), ("none", float("nan")), ("words", "50 %"), ("long " * 1_000, None), (Refuses(), object())):
        await progress.report(words, part)
    await op("x.y", {"last": True})
    return "reported"

async def reports():
    await progress.report("half of it", 0.5)
    return "reported"

async def writes(line: str):
    import __main__
    os.write(__main__._OUT, line.encode())
    await asyncio.sleep(10_000)

async def reserved():
    return {"__id__": "mine"}

async def wrapped():
    return {"value": 1}

async def nothing():
    pass

async def big():
    return "x" * 2_000_000

async def topics():
    from prowess import cookie, http, llm, secrets, services
    at = "https://a.example/"
    await http.session_open(headers={"accept": "text/html"})
    await http.get(at, session="s-1")
    await http.post(at, session="s-1", json={"a": 1})
    await http.session_request(session="s-1", method="GET", url=at)
    await http.session_close("s-1")
    await cookie.resolve(at, account="me")
    await cookie.resolve(domain="a.example")
    await secrets.write("token", "0123456789")
    await llm.resolve_tools(["fs.read"])
    await services.call("web_search", verb="find", params={"q": "a"})
    await services.list_providers("web_search")
`;

export const workerSkills: readonly WorkerSkill[] = [
	{ runtime: 'node-worker', file: WORKER_ENTRIES['node-worker'], text: JAVASCRIPT, lack: undefined },
	{
		runtime: 'python-worker',
		file: WORKER_ENTRIES['python-worker'],
		text: PYTHON,
		lack: hasPython ? (hasBubblewrap ? undefined : 'there is no bubblewrap here') : 'there is no python3 here',
	},
];
