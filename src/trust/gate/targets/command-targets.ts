/** Builds the targets of a chain of commands for the gate: each command, with the commands piped into it. */
import {
	type CommandChain,
	listChainCommands,
	type Join,
	type SimpleCommand,
} from '../../../protocol/ops/commands/command-chain.ts';
import { listRedirectFiles } from '../../../protocol/ops/commands/redirect.ts';
import type { OpTarget } from '../../../contract/ops/target.ts';

type ChainCommandTarget = Extract<OpTarget, { kind: 'command' }>;

/** Each command, with what it would read. */
export function commandTargets(commands: CommandChain, cwd: string): ChainCommandTarget[] {
	return splitPipelines(commands).flatMap(({ commands: pipeline }) =>
		pipeline.map(({ argv, redirects = [] }, index) => {
			const files = listRedirectFiles(redirects);
			const reads = files.flatMap(({ mode, path }) => (mode === 'read' ? [path] : []));
			const writes = files.flatMap(({ mode, path }) => (mode === 'read' ? [] : [path]));
			const fedBy = pipeline.slice(0, index).map((writer) => [...writer.argv]);
			return {
				kind: 'command' as const,
				argv: [...argv],
				cwd,
				...(index === 0 && reads.length === 0 ? {} : { fedBy }),
				...(files.length === 0 ? {} : { streams: { reads, writes } }),
			};
		}),
	);
}

interface CommandsInPipe {
	/** Operator that joins these commands to those before; without meaning for the first ones. */
	readonly join: Exclude<Join, '|'>;
	readonly commands: readonly SimpleCommand[];
}

/** Splits a chain into its pipelines, in order, each with its commands. */
export function splitPipelines(chain: CommandChain): readonly CommandsInPipe[] {
	const pipelines: { join: Exclude<Join, '|'>; commands: SimpleCommand[] }[] = [];
	for (const { join, ...command } of listChainCommands(chain)) {
		if (join === '|') {
			pipelines.at(-1)?.commands.push(command);
		} else {
			pipelines.push({ join: join === '' ? ';' : join, commands: [command] });
		}
	}
	return pipelines;
}
