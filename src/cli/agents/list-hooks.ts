/** `prowess hooks list`, `allow` and `revoke`: hooks that other agents keep in the project and in your home. Runs none. */
import { resolve } from 'node:path';
import type { HookFileInfo } from '../../trust/gate/hooks/hook-register.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { withHost } from '../ports/cli-host.ts';
import { openHome } from '../home/home-folder.ts';
import { isTrusted, realFolder } from '../home/trusted-folders.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';
import { visibleLine } from '../terminal/visible.ts';
import { formatJson } from '../invocation/print-result.ts';

const HOOK_STATE_WORDS: { readonly [S in HookFileInfo['state']]: string } = {
	allowed: 'allowed',
	changed: 'changed since you allowed it; does not run',
	'not allowed': 'not allowed; does not run',
	unusable: 'cannot be used',
};

export const listHooks: CommandAction = (invocation, context) =>
	withHooks(invocation, context, async (hooks) => {
		const listing = await hooks.list();
		const { terminal } = context;
		if (invocation.switches.has('json')) {
			terminal.out(formatJson(listing));
			return exitCodes.done;
		}
		const { files, problems, isSandboxed } = listing;
		terminal.err(problems.map((problem) => `${visibleLine(problem)}\n`).join(''));
		if (files.length === 0) {
			terminal.err('No hooks of other agents.\n');
			return exitCodes.done;
		}
		terminal.err(
			isSandboxed
				? 'They run in the sandbox of commands, where they may change the workspace.\n'
				: 'No sandbox works here: what you allow runs as you.\n',
		);
		terminal.err('Files that they read, or name only as they run, may change without another consent.\n');
		terminal.out(files.map(formatHookFile).join(''));
		return exitCodes.done;
	});

export const allowHooks: CommandAction = (invocation, context) =>
	withHooks(invocation, context, async (hooks) => {
		for (const path of resolveHookPaths(invocation)) {
			await hooks.allow(path, context.signal);
			const { files } = await hooks.list();
			context.terminal.err(
				`Allowed to run:\n${files
					.filter((each) => each.path === path)
					.map(formatHookFile)
					.join('')}`,
			);
		}
		return exitCodes.done;
	});

export const revokeHooks: CommandAction = (invocation, context) =>
	withHooks(invocation, context, async (hooks) => {
		for (const path of resolveHookPaths(invocation)) {
			const wasAllowed = await hooks.revoke(path, context.signal);
			const shown = visibleLine(path);
			context.terminal.err(wasAllowed ? `No longer runs: ${shown}\n` : `Was not allowed: ${shown}\n`);
		}
		return exitCodes.done;
	});

function resolveHookPaths({ operands }: Invocation): string[] {
	return [...new Set(operands.map((path) => resolve(realFolder('.'), path)))];
}

function withHooks(
	invocation: Invocation,
	context: CommandContext,
	work: (hooks: TrustedBase['hooks']) => Promise<number>,
): Promise<number> {
	const folder = realFolder(invocation.values['workspace'] ?? '.');
	const isOurs = invocation.switches.has('trust') || isTrusted(openHome(context.environment), folder);
	const workspace = isOurs ? trustedWorkspace(invocation, context, 'hooks') : undefined;
	return withHost(invocation, context, { workspace, approvalMode: 'never' }, async (host) => {
		if (workspace === undefined) {
			context.terminal.err(`prowess: ${visibleLine(folder)} is not trusted, so it was not read\n`);
		}
		return await work((await host.trustedBase()).hooks);
	});
}

function formatHookFile({ path, state, hooks, programs, problems }: HookFileInfo): string {
	return [
		`${path}  ${HOOK_STATE_WORDS[state]}`,
		...hooks.map((hook) => `  ${hook}`),
		...programs.map((program) => `  with ${program}`),
		...problems.map((problem) => `  ${problem}`),
	]
		.map((line) => `${visibleLine(line)}\n`)
		.join('');
}

/** Says which hooks of the project do not run because the user has not agreed to them. */
export async function hooksNotAllowedText({ hooks }: Pick<TrustedBase, 'hooks'>): Promise<string> {
	const { files } = await hooks.list();
	return files
		.filter(({ state, isOfProject }) => isOfProject && (state === 'changed' || state === 'not allowed'))
		.map(({ path, state }) => {
			const why = state === 'changed' ? 'have changed since you allowed them' : 'are not allowed';
			return `prowess: hooks in ${visibleLine(path)} ${why} and do not run. See "prowess hooks list".\n`;
		})
		.join('');
}
