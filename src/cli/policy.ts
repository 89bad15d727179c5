/** `prowess policy …`: the rules in force, what they make of an op, and the end of one. Starts no server. */
import { explanationText, rulesText } from '../capability-host/gate/policy/policy-text.ts';
import type { PolicyView } from '../capability-host/trusted-base.ts';
import { ProwessError } from '../protocol/errors.ts';
import type { CommandAction, CommandContext, Invocation } from './command.ts';
import { withHost } from './compose.ts';
import { exitCodes } from './exit-codes.ts';
import { trustedWorkspace } from './workspace-option.ts';
import { visibleLine } from './visible.ts';

export const testPolicy: CommandAction = (invocation, context) =>
	withPolicy(invocation, context, async (policy) => {
		const [op = '', ...rest] = invocation.operands;
		const explanation = await policy.explain(`${op} ${oneText(rest)}`, context.signal);
		return invocation.switches.has('json')
			? `${JSON.stringify(explanation, null, 2)}\n`
			: visible(explanationText(explanation));
	});

export const showPolicy: CommandAction = (invocation, context) =>
	withPolicy(invocation, context, async (policy) => {
		const rules = await policy.rules(context.signal);
		return invocation.switches.has('json') ? `${JSON.stringify(rules, null, 2)}\n` : visible(rulesText(rules));
	});

export const removeRule: CommandAction = (invocation, context) =>
	withPolicy(invocation, context, async (policy) => {
		const rule = invocation.operands.join(' ').trim();
		const isEverywhere = invocation.switches.has('everywhere');
		if (!(await policy.removeRule(rule, isEverywhere ? 'everywhere' : 'project', context.signal))) {
			const other = isEverywhere
				? 'without --everywhere it is looked for in this project'
				: 'one for all projects is removed with --everywhere';
			const where = isEverywhere ? 'all projects' : 'this project';
			throw new ProwessError(
				'INVALID_PARAMS',
				`no rule "${rule}" is saved for ${where}; \`prowess policy show\` lists them, ${other}`,
				{ rule },
			);
		}
		return visible(`Prowess asks again about "${rule}".\n`);
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

function visible(text: string): string {
	return text.split('\n').map(visibleLine).join('\n');
}
