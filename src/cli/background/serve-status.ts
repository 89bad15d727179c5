/** `prowess serve status|stop`: asks the background host of this home. */
import { attachToBackground, type Attachment } from '../../features/background/attach.ts';
import { withTimeLimit } from '../../base/time/with-time-limit.ts';
import { backgroundRequests } from '../../protocol/background.ts';
import { openHome } from '../home/home-folder.ts';
import type { CommandAction, CommandContext } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { backgroundWorkLimits } from './limits.ts';
import { stateLines } from './serve-lines.ts';
import { formatJson } from '../invocation/print-result.ts';

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
