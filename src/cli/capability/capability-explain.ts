/** `prowess capability explain`: which capabilities the model would be told of with a prompt, and why not the others. */
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { type OfferedCapability, offerRequests } from '../../protocol/offer/capability-offer.ts';
import { listOfferable } from '../../protocol/offer/offerable.ts';
import { listUntoldCapabilities, whyTold } from '../../protocol/offer/why-told.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import type { CommandAction } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { isTrusted, realFolder } from '../home/trusted-folders.ts';
import { openHome } from '../home/home-folder.ts';
import { cliLimits } from '../terminal/limits.ts';
import { visibleLine } from '../terminal/visible.ts';
import { withHost } from '../ports/cli-host.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';
import { formatJson } from '../invocation/print-result.ts';

/** Most capabilities to list of those that are not told; more of them are only counted. */
const LEFT_SHOWN = 20;

export const explainCapabilities: CommandAction = async (invocation, context) => {
	const [text = ''] = invocation.operands;
	const folder = realFolder(invocation.values['workspace'] ?? '.');
	const isOurs = invocation.switches.has('trust') || isTrusted(openHome(context.environment), folder);
	const workspace = isOurs ? trustedWorkspace(invocation, context, 'capability explain') : undefined;
	return await withHost(invocation, context, { workspace, approvalMode: 'never' }, async (host) => {
		const base = await host.trustedBase();
		const { capabilities } = await base.capabilities.available();
		const offered = listOfferable(capabilities);
		const used = [...(await base.capabilities.usedHere())];
		const server = await host.server(context.signal);
		const limit = deriveSignal(context.signal, { what: 'capability explain', timeoutMs: cliLimits.requestMs });
		try {
			const offer = await server.call(offerRequests.explain, { capabilities: offered, text, used }, limit.signal);
			if (invocation.switches.has('json')) {
				context.terminal.out(formatJson(offer));
				return exitCodes.done;
			}
			const left = listUntoldCapabilities(offer.capabilities);
			const told = offer.capabilities.length - left.length;
			const more = Math.ceil(offer.gap * 1_000) / 10;
			const search = more === 0 ? '' : ` No other choice is worth over ${more} % more; the search was cut off.`;
			context.terminal.out(
				`The model is told of ${told} of ${offer.capabilities.length} capabilities, in ${offer.tokens} of ${offer.room} tokens.${search}\n`,
			);
			const rows = [...offer.capabilities.filter((each) => each.told !== 'left'), ...left.slice(0, LEFT_SHOWN)];
			context.terminal.out(rows.map(formatOfferLine).join(''));
			if (left.length > LEFT_SHOWN) {
				context.terminal.out(`and ${left.length - LEFT_SHOWN} more that are left out; --json lists all\n`);
			}
			if (workspace === undefined) {
				context.terminal.err(`prowess: ${visibleLine(folder)} is not trusted, so it was not read\n`);
			}
			return exitCodes.done;
		} finally {
			limit.dispose();
		}
	});
};

const TOLD = { whole: 'whole', short: 'its beginning', left: 'left out' } as const;

function formatOfferLine(row: OfferedCapability): string {
	const { name, type, told, tokens } = row;
	const size = tokens === undefined ? '' : `${tokens} tokens`;
	return `${TOLD[told].padEnd(13)} ${visibleLine(`${type}/${name}`).padEnd(32)} ${size.padStart(11)}  ${whyTold(row, visibleLine).map(inEnglish).join('; ')}\n`;
}
