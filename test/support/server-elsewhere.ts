/** A web server in a process of its own, as a developer starts one: none of the ports of this process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

interface ServerElsewhere {
	readonly port: number;
	close(): Promise<void>;
}

/** Answers each request with `hello`, its path and its cookies; `/away?to=…` leads there, `/sign-in` sets a cookie. Pages are given by path. */
const PROGRAM = `
const pages = JSON.parse(process.argv[1]);
require('node:http').createServer((request, response) => {
	const { pathname, searchParams } = new URL(request.url, 'http://here');
	if (pathname === '/away') {
		response.writeHead(302, { location: searchParams.get('to') }).end();
	} else if (pages[pathname] !== undefined) {
		response.setHeader('content-type', 'text/html').end(pages[pathname]);
	} else {
		if (pathname === '/sign-in') response.setHeader('set-cookie', 'seen=there');
		response.end(['hello', pathname, request.headers.cookie].filter(Boolean).join(' '));
	}
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
process.stdin.resume().on('end', () => process.exit());
`;

export async function serverElsewhere(pages: Readonly<Record<string, string>> = {}): Promise<ServerElsewhere> {
	const child = spawn(process.execPath, ['-e', PROGRAM, JSON.stringify(pages)], { stdio: ['pipe', 'pipe', 'inherit'] });
	const ended = once(child, 'close');
	const [line] = (await once(child.stdout, 'data')) as [Buffer];
	return {
		port: Number(line.toString()),
		async close() {
			child.kill('SIGKILL');
			await ended;
		},
	};
}
