/** `prowess policy …`: the rules in force, and what they make of an op. Starts no server. */
import { explanationText, rulesText } from '../../trust/gate/policy/workspace/policy-text.ts';
import type { PolicyView } from '../../trust/broker/policy-register.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { withHost } from '../ports/cli-host.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';
import { visibleLine } from '../terminal/visible.ts';
import { formatJson } from '../invocation/print-result.ts';

export const testPolicy: CommandAction = (invocation, context) =>
	withPolicy(invocation, context, async (policy) => {
		const [op = '', ...rest] = invocation.operands;
		const explanation = await policy.explain(`${op} ${oneText(rest)}`, context.signal);
		return invocation.switches.has('json') ? formatJson(explanation) : escapeEachLine(explanationText(explanation));
	});

export const showPolicy: CommandAction = (invocation, context) =>
	withPolicy(invocation, context, async (policy) => {
		const rules = await policy.rules(context.signal);
		return invocation.switches.has('json') ? formatJson(rules) : escapeEachLine(rulesText(rules));
	});

async function withPolicy(
	invocation: Invocation,
	context: CommandContext,
	read: (policy: PolicyView) => Promise<string>,
): Promise<number> {
	const workspace = trustedWorkspace(invocation, context, 'policy');
	return await withHost(invocation, context, { workspace, approvalMode: 'ask' }, async (host) => {
		context.terminal.out(await read((await host.trustedBase()).policy));
		return exitCodes.done;
	});
}

/** The words of a command as a rule writes them; one word is taken as it is. */
function oneText(words: readonly string[]): string {
	return words.length === 1 ? (words[0] ?? '') : words.map((word) => JSON.stringify(word)).join(' ');
}

function escapeEachLine(text: string): string {
	return text.split('\n').map(visibleLine).join('\n');
}
