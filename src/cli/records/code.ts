/** `prowess code …`: the code index of a folder, searched, brought up to date, deleted. */
import { readNumberOption } from '../invocation/typed-values.ts';
import { withHost } from '../ports/cli-host.ts';
import type { CommandAction } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';
import { escapeUnseen, visibleLine } from '../terminal/visible.ts';
import { formatJson } from '../invocation/print-result.ts';

export const searchCodeCommand: CommandAction = async (invocation, context) => {
	const { operands, values, switches } = invocation;
	const { terminal, signal } = context;
	const limit = readNumberOption(invocation, 'limit', 8, 30);
	const workspace = trustedWorkspace(invocation, context, 'code search');
	return await withHost(invocation, context, { workspace, approvalMode: 'never' }, async (host) => {
		const { code } = await host.trustedBase();
		const found = await code.find({ query: operands[0] ?? '', path: values['in'] ?? '.', limit }, signal);
		if (switches.has('json')) {
			terminal.out(formatJson(found));
			return exitCodes.done;
		}
		const { places, files, indexed, isFull, isLocal } = found;
		for (const { path, startLine, endLine, symbol, text } of places) {
			const first = text.split('\n').slice(0, SHOWN_LINES).join('\n');
			terminal.out(
				`${visibleLine(`${path}:${startLine}-${endLine}  ${symbol}`.trimEnd())}\n${indentLines(escapeUnseen(first))}\n`,
			);
		}
		if (places.length === 0) terminal.err('Nothing was found.\n');
		if (isLocal === true) {
			terminal.err('The embedding model did not answer, so places were compared on this machine.\n');
		}
		if (indexed < files) {
			const why = isFull ? 'prowess.search.codeIndexMegabytes allows no more' : '`prowess code update` reads the rest';
			terminal.err(`The index holds ${indexed} of ${files} files: ${why}.\n`);
		}
		return exitCodes.done;
	});
};

const SHOWN_LINES = 4;

function indentLines(text: string): string {
	return text.replaceAll(/^/gm, '    ');
}

export const updateCode: CommandAction = async (invocation, context) => {
	const workspace = trustedWorkspace(invocation, context, 'code update');
	return await withHost(invocation, context, { workspace, approvalMode: 'never' }, async (host) => {
		const { files, indexed } = await (await host.trustedBase()).code.update(context.signal);
		context.terminal.err(`The index holds ${indexed} of ${files} files.\n`);
		return exitCodes.done;
	});
};

export const removeCode: CommandAction = async (invocation, context) =>
	await withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) => {
		await (await host.trustedBase()).code.remove();
		context.terminal.err('Deleted: the code index of all folders\n');
		return exitCodes.done;
	});
