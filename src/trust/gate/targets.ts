/** Targets that the gate judges: files, and the commands of a chain, each with the commands piped into it. */
import type { Located } from '../../machine/paths/workspace-paths.ts';
import {
	type CommandChain,
	listChainCommands,
	type Join,
	type SimpleCommand,
} from '../../protocol/ops/commands/command-chain.ts';
import { listRedirectFiles } from '../../protocol/ops/commands/redirect.ts';
import type { OpTarget } from '../../contract/ops/target.ts';

export type FileTarget = Extract<OpTarget, { kind: 'file' }>;

/** Target for the gate from a file that was found on the disk. */
export function createFileTarget(
	{ path, absolutePath, isSecret, isProtected, protectedKind }: Located,
	access: 'read' | 'write',
): FileTarget {
	const target = { kind: 'file', access, path, absolutePath, isSecret, isProtected } as const;
	return protectedKind === undefined ? target : { ...target, protectedKind };
}

/**
 * The op whose rules speak of a target: a file that a command reads or writes through its streams is one of a file op, and a
 * capability is started, whatever the op is called that starts it.
 */
export function opOfTarget(op: string, target: OpTarget): string {
	if (target.kind === 'capability') return 'capability.start';
	return op !== 'shell.run' || target.kind !== 'file' ? op : target.access === 'write' ? 'fs.write' : 'fs.read';
}

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
