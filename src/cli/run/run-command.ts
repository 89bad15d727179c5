/**
 * `prowess run`. Before the folder is trusted nothing in it is read, nothing is started and nothing is sent. Once it is, the
 * server's program starts first, so that it loads while everything else is loaded here.
 */
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { openHome } from '../home/home-folder.ts';
import { installation } from '../home/installation.ts';
import { killServerProgram, type StartedServerProgram, startServerProgram } from '../server/server-program.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';

export const runPromptCommand: CommandAction = async (invocation, context) => {
	const program = context.server ?? startedProgram(invocation, context);
	try {
		const { runPrompt } = await import('./run-prompt.ts');
		return await runPrompt(invocation, { ...context, server: program });
	} finally {
		if (program !== undefined) {
			killServerProgram(program);
		}
	}
};

/** Undefined when it may not be started; the command finds the same fault again and says it. */
function startedProgram(invocation: Invocation, context: CommandContext): StartedServerProgram | undefined {
	try {
		trustedWorkspace(invocation, context, 'run');
		const { environment } = context;
		return startServerProgram({ program: installation.server, home: openHome(environment), environment });
	} catch {
		return undefined;
	}
}
