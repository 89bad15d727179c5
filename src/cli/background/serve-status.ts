/** `prowess serve status|stop`: asks the background host of this home. */
import { attachToBackground, type Attachment } from '../../features/background/attach.ts';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import { backgroundRequests, type BackgroundState, type EndedWork } from '../../protocol/background.ts';
import { openHome } from '../home/home-folder.ts';
import type { CommandAction, CommandContext } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { visibleLine } from '../terminal/visible.ts';
import { backgroundWorkLimits } from './limits.ts';
import { formatJson } from '../invocation/print-result.ts';

export function endedLine({ kind, title, folder, state, why, threadId, at }: EndedWork): string {
	const because = why === undefined ? '' : ` (${why})`;
	return visibleLine(`${formatWorkTime(at)}  ${kind} "${title}" in ${folder}: ${state}, thread ${threadId}${because}`);
}

const WHY = {
	gone: 'the folder is gone',
	untrusted: 'is not trusted; trust it with "prowess capability list --trust"',
	failed: 'its process failed',
} as const;

export function waitingLine({ folder, why }: BackgroundState['waiting'][number]): string {
	return visibleLine(`${folder}: ${WHY[why]}`);
}

function stateLines({ pid, version, startedAt, working, waiting, nextDue, ended }: BackgroundState): string {
	const lines = [
		`Running: process ${pid} since ${formatWorkTime(startedAt)}, version ${version}`,
		`Next run: ${nextDue === null ? 'none is scheduled' : formatWorkTime(nextDue)}`,
		...working.map((each) => `${each.folder}: worked on by process ${each.pid} since ${formatWorkTime(each.since)}`),
		...waiting.map(waitingLine),
		...ended.map(endedLine),
	];
	return lines.map((line) => `${visibleLine(line)}\n`).join('');
}

function formatWorkTime(at: number): string {
	return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' }).format(at);
}

export const showBackgroundStatus: CommandAction = async (invocation, context) => {
	const isJson = invocation.switches.has('json');
	const shown = await withAttachment(context, async ({ peer }) => {
		const state = await peer.call(backgroundRequests.state, {}, context.signal);
		context.terminal.out(isJson ? formatJson(state) : stateLines(state));
	});
	if (!shown) {
		context.terminal[isJson ? 'out' : 'err'](isJson ? 'null\n' : NO_BACKGROUND_HOST);
	}
	return shown ? exitCodes.done : exitCodes.failed;
};

export const stopServing: CommandAction = async (_invocation, context) => {
	const stopped = await withAttachment(context, async ({ peer, pid, onDidClose }) => {
		const gone = new Promise<void>((resolve) => onDidClose(() => resolve()));
		await peer.call(backgroundRequests.stop, {}, context.signal);
		await withTimeLimit(
			{ what: 'the end of the background host', timeoutMs: backgroundWorkLimits.goneMs },
			async (signal) => {
				const late = new Promise<never>((_resolve, reject) => {
					signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
				});
				await Promise.race([gone, late]);
			},
		);
		context.terminal.err(`Stopped: process ${pid}.\n`);
	});
	if (!stopped) {
		context.terminal.err(NO_BACKGROUND_HOST);
	}
	return stopped ? exitCodes.done : exitCodes.failed;
};

const NO_BACKGROUND_HOST = 'Nothing works in the background. Start it with "prowess serve".\n';

async function withAttachment(
	{ environment, signal }: CommandContext,
	work: (attachment: Attachment) => Promise<void>,
): Promise<boolean> {
	const attachment = await attachToBackground(openHome(environment), signal);
	if (attachment === undefined) {
		return false;
	}
	try {
		await work(attachment);
		return true;
	} finally {
		attachment.dispose();
	}
}
