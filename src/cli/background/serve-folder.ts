/** `prowess serve folder`: the process of one folder. Prints each piece of work that has ended as a line of JSON. */
import type { Readable } from 'node:stream';
import { BoundedLines } from '../../base/text/bounded-lines.ts';
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { EndedWork } from '../../protocol/background.ts';
import { withHost } from '../ports/cli-host.ts';
import { openHome } from '../home/home-folder.ts';
import { realFolder } from '../home/trusted-folders.ts';
import { isTrusted } from '../home/trusted-folders.ts';
import type { CommandAction } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { captureKeys } from '../server/credentials.ts';
import { Stopped } from '../terminal/interruption.ts';
import { visibleLine } from '../terminal/visible.ts';
import { backgroundWorkLimits } from './limits.ts';
import { takeJobsOfFolder } from '../jobs/work-command.ts';
import { workOnFolder } from './work-on-folder.ts';

export const serveFolder: CommandAction = async (invocation, context) => {
	const { terminal, environment } = context;
	const folder = realFolder(invocation.operands[0] ?? '');
	if (!isTrusted(openHome(environment), folder)) {
		terminal.err(`${visibleLine(folder)} is not trusted. Trust it with "prowess capability list --trust".\n`);
		return exitCodes.failed;
	}
	const life = new AbortController();
	const stop = () => life.abort(new Stopped('the background host wants no more of it'));
	context.signal.addEventListener('abort', stop, { once: true });
	captureKeys(await keysFrom(terminal.stdin, stop));
	const ours = { ...context, signal: life.signal };
	const printEnded = (work: EndedWork) => terminal.out(`${JSON.stringify(work)}\n`);
	const printFailure = (error: unknown) => terminal.err(`${visibleLine(toErrorMessage(error))}\n`);
	if (invocation.switches.has('jobs')) {
		const jobs = {
			folder,
			labels: invocation.lists['label'] ?? [],
			onEnded: printEnded,
			onProblem: printFailure,
		};
		await takeJobsOfFolder(invocation, ours, jobs);
		return exitCodes.done;
	}
	await withHost(invocation, ours, { workspace: folder, approvalMode: 'never' }, async (host) => {
		await workOnFolder(
			await host.trustedBase(),
			folder,
			{
				onEnded: printEnded,
				onFailure: (what, error) => terminal.err(`${visibleLine(`${what}: ${toErrorMessage(error)}`)}\n`),
			},
			life.signal,
		);
	});
	return exitCodes.done;
};

/** The first line; `onEnd` when the input ends, at once or later. */
async function keysFrom(input: Readable, onEnd: () => void): Promise<Record<string, string>> {
	return await new Promise((resolve) => {
		const lines = new BoundedLines({
			maxBytes: backgroundWorkLimits.keysBytes,
			onLine(line) {
				resolve(JSON.parse(Buffer.from(line).toString('utf8')) as Record<string, string>);
				return false;
			},
			onTooLong: onEnd,
		});
		input.on('data', (bytes: Buffer) => lines.push(bytes));
		input.once('close', () => {
			onEnd();
			resolve({});
		});
		input.once('end', () => {
			onEnd();
			resolve({});
		});
	});
}
