// The same conversation as `dispatching-executor.ts`, as bare lines of JSON on standard input and output.
const [count, atOnce] = process.argv.slice(2).map(Number);
const pending = new Map();
let rest = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
	const lines = (rest + text).split('\n');
	rest = lines.pop();
	for (const line of lines) {
		const { id, ok } = JSON.parse(line);
		pending.get(id)?.(ok);
		pending.delete(id);
	}
});
let asked = 0;
const one = async () => {
	while (asked < count) {
		const id = `d-${++asked}`;
		const answer = new Promise((resolve) => pending.set(id, resolve));
		process.stdout.write(`${JSON.stringify({ id, op: 'fs.read', params: { path: 'src/a.ts' } })}\n`);
		await answer;
	}
};
const before = process.cpuUsage();
await Promise.all(Array.from({ length: atOnce }, one));
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${JSON.stringify({ cpu: user + system })}\n`, () => process.exit());
