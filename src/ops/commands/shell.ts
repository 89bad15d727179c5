/** shell.run, shell.output, shell.stop. Programs are found and the folder verified before anybody is asked. */
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { shownCommands } from '../../protocol/ops/commands/shell-line.ts';
import { listChainCommands, type SimpleCommand } from '../../protocol/ops/commands/command-chain.ts';
import type { CommandNeeds } from '../../protocol/ops/commands/command-needs.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { CommandState } from '../../protocol/ops/definitions/commands/shell.ts';
import type { OpTarget } from '../../contract/ops/target.ts';
import { commandTargets, splitPipelines } from '../../trust/gate/targets.ts';
import { isReadingCommand } from '../../trust/gate/policy/commands/reading-commands.ts';
import { isPlainRepository } from '../../machine/git/plain-repository.ts';
import type { CommandProgram } from '../../machine/shell/command.ts';
import { findProgram, isInstalledProgram } from '../../machine/shell/find-program.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import type { OpContext, OpImplementation, OpImplementations } from '../../contract/ops/op-implementation.ts';
import { createPathNotFound } from '../files/not-found.ts';
import { findNeeds } from './command-needs.ts';
import { findAskedTerminal } from './asked-terminal.ts';
import type { SeenTexts } from '../seen-texts.ts';
import { TRIAL_MS } from '../limits.ts';
import type { CommandDeps } from './command-deps.ts';
import type { FileDeps } from '../files/file-deps.ts';
import { expandPatterns } from './expand-patterns.ts';
import { isOwnTemporary } from './own-temporary.ts';
import { findRedirects } from './redirected-files.ts';
import { findMadeRepositories } from './made-repository.ts';
import { strayArguments } from './stray-arguments.ts';
import { SweptCommands } from './swept-commands.ts';
import type { CommandLooks } from '../../machine/sweep/workspace-sweeps.ts';
import { commandTrial } from './tried-command.ts';

type ShellDeps = Pick<FileDeps, 'paths' | 'documents' | 'beforeImages' | 'ownFolders'> &
	Pick<CommandDeps, 'commands' | 'connections' | 'places' | 'sweeps'> & {
		readonly seen: SeenTexts;
		readonly swept: SweptCommands;
	};

export function shellOps(
	given: Omit<ShellDeps, 'swept'>,
): Pick<OpImplementations, 'shell.run' | 'shell.output' | 'shell.stop'> {
	const deps = { ...given, swept: new SweptCommands(given) };
	return { 'shell.run': runCommandOp(deps), 'shell.output': outputOp(deps), 'shell.stop': stopCommandOp(deps) };
}

function runCommandOp(deps: ShellDeps): OpImplementation<'shell.run'> {
	const { paths, commands, connections, places } = deps;
	return {
		async prepare({ cwd, background, tty = false, needs: asked = {}, ...written }, { caller, signal }) {
			const [first] = paths.resolveScope(cwd);
			const place = await paths.locate(first ?? paths.resolve(cwd));
			if (place.kind === 'missing') {
				throw await createPathNotFound(paths, place, signal);
			}
			if (place.kind !== 'folder') {
				throw new ProwessError('NOT_A_FOLDER', `cannot run in ${place.path}: it is not a folder`, { path: place.path });
			}
			const line = await expandPatterns(written, place, paths, commands.environment['HOME'] ?? places.userHome);
			const { argv, redirects, chain = [] } = line;
			const pipelines = splitPipelines(line);
			const all = pipelines.flatMap((pipeline) => pipeline.commands);
			const findInFolder = (program: string) => findProgram(program, place.realPath, commands.environment);
			const { works } = await commands.sandboxState();
			const isSandboxed = works && asked.noSandbox !== true;
			const { home, userHome } = places;
			const elsewhere = { userHome, home, hasOwnTemporary: isSandboxed && process.platform === 'linux' };
			const terminal = tty ? findAskedTerminal({ pipelines, hasOwnProcesses: elsewhere.hasOwnTemporary }) : undefined;
			const goesOn = pipelines.slice(1).some(({ join }) => join !== '&&');
			const found = await Promise.all(
				pipelines.map(async ({ join, commands: words }, index) => {
					const programs = await Promise.all(
						words.map((each) => findCommandProgram(each, { isFirst: index === 0, goesOn, find: findInFolder })),
					);
					const at = { cwd: place, isFirst: index === 0 && !goesOn, ...elsewhere };
					const streams = words.map((each) => findRedirects(deps, each.redirects ?? [], at, { caller, signal }));
					return { join, programs, redirects: await Promise.all(streams) };
				}),
			);
			const streamed = found.flatMap((step) => step.redirects);
			const files = streamed.flatMap((each) => each.targets);
			const ownWrites = streamed.flatMap((each) => each.ownWrites);
			// Files of a capability, which somebody agreed to, are no secret to its commands, though they lie in PROWESS_HOME.
			const own = await deps.ownFolders(caller, signal);
			const workspace = paths.folders.map((folder) => folder.path);
			const isOwn = (path: string) => elsewhere.hasOwnTemporary && isOwnTemporary(path, { paths, userHome, home });
			const made = isSandboxed ? findMadeRepositories(all, place.realPath, isOwn) : [];
			const wanted = made.length === 0 ? asked : { ...asked, write: [...(asked.write ?? []), ...made] };
			const beyond = await findNeeds(wanted, { cwd: place.realPath, userHome, home, workspace });
			// Where nothing keeps commands in, there is nothing that they need beyond it.
			const { needs } = works ? beyond : { needs: undefined };
			const usesGit = all.some(({ argv: [program] }) => program === 'git');
			const isInPlainRepository = usesGit && (await isPlainRepository(place.realPath, place.realRoot));
			const hidesSecrets = isSandboxed && commands.hidesSecrets();
			// Links in it lead no further than the sandbox, which then hides every secret.
			const sharesTemporary = elsewhere.hasOwnTemporary && hidesSecrets && needs === undefined;
			const temporaries = all.map((each) =>
				sharesTemporary && threadWithTemporary(caller) !== undefined
					? each.argv.slice(1).filter((argument) => isOwnTemporary(argument, { paths, userHome, home }))
					: [],
			);
			const strays = await Promise.all(
				all.map((each, index) => strayArguments(each.argv, place, paths, temporaries[index] ?? [])),
			);
			const isInstalled = await Promise.all(
				found.flatMap(({ programs }) =>
					programs.map(({ file }) => isInstalledProgram(file, { workspace, isSandboxed })),
				),
			);
			const asWritten = listChainCommands(written).map(({ argv: words, patterns = [] }) =>
				patterns.length > 0 ? words : [],
			);
			const targets = commandTargets(line, place.path).map((target, index) => ({
				...target,
				...(asWritten[index]?.length === 0 ? {} : { written: [...(asWritten[index] ?? [])] }),
				folders: workspace,
				...(isSandboxed ? { isSandboxed: true as const } : {}),
				...(works && !isSandboxed ? { leavesSandbox: true as const } : {}),
				...(hidesSecrets ? { hidesSecrets: true as const } : {}),
				...(isSandboxed && !hidesSecrets ? { isGuardedInPart: true as const } : {}),
				...(isInstalled[index] === true ? { isInstalled: true as const } : {}),
				...(isInPlainRepository ? { isInPlainRepository: true as const } : {}),
				...(temporaries[index]?.length === 0 ? {} : { temporaries: temporaries[index] ?? [] }),
				...(strays[index]?.length === 0 ? {} : { strays: strays[index] ?? [] }),
			}));
			const onlyReads = needs === undefined && targets.every(isReadingCommand);
			const stepsFor = (context: Pick<OpContext, 'caller' | 'signal'>) =>
				found.map(({ join, programs, redirects: streams }) => ({
					join,
					programs: programs.map((program, index) => ({ ...program, streams: streams[index]?.streams(context) })),
				}));
			const request = {
				cwd: place.realPath,
				threadId: caller.threadId,
				isSandboxed,
				terminal,
				onlyReads,
				reach: {
					read: [...own.folders, ...paths.linked, ...(needs?.read ?? [])],
					write: [...own.data, ...(needs?.write ?? [])],
				},
				mayWrite: mayWrite(caller),
				temporaryOf: threadWithTemporary(caller),
			};
			const as = {
				targets: [...targets, ...files, ...(works ? beyond.targets : [])],
				detail: {
					kind: 'command' as const,
					...copyCommand({ argv, redirects }),
					cwd: place.path,
					...(process.platform === 'win32' ? { notation: 'powershell' as const } : {}),
					sandboxed: isSandboxed,
					...(chain.length === 0 ? {} : { chain: chain.map(({ join, ...next }) => ({ join, ...copyCommand(next) })) }),
					...combineNeeds(needs, files),
				},
			};
			// A trial may have no effect beyond its copy. Effects on paths that the command needs beyond the copy, or
			// in files that the host opens, would be real. Moreover, a copy has another `/tmp`.
			const usesTemporary = listChainCommands(line).some((each) => namesTemporary(each, workspace));
			const canTry = commands.canTry && isSandboxed && needs === undefined && files.length === 0 && !usesTemporary;
			const changesFiles = !onlyReads && request.mayWrite;
			const isTried = canTry && !background && changesFiles;
			const trial = commandTrial(deps, caller, as, (copy, within) =>
				commands.run(
					{ ...request, copy, steps: stepsFor({ caller, signal: within }), timeoutMs: TRIAL_MS },
					() => {},
					within,
				),
			);
			return {
				...as,
				trial: isTried ? trial : undefined,
				onAsked: () => {
					if (changesFiles) deps.sweeps?.prepare();
				},
				async run(context) {
					const now = await paths.locate(place);
					if (now.realPath !== place.realPath || now.kind !== 'folder') {
						throw new ProwessError('FILE_CHANGED', `${place.path} was replaced since it was looked at`, {
							path: place.path,
						});
					}
					// Before the first command runs: what the commands themselves change is no change by others.
					for (const each of streamed) await each.verify(context);
					const whole = {
						...request,
						opId: context.opId,
						steps: stepsFor(context),
						timeoutMs: context.limitMs === 0 ? undefined : context.limitMs,
						hosts: connections.gateFor(context, {
							title: shownCommands(line),
							approved: needs?.network ?? [],
							isInBackground: () => background || commands.isInBackground(context.opId),
						}),
					};
					const runPrepared = (onRested?: CommandLooks['rested']) =>
						background
							? commands.runInBackground({ ...whole, onRested }, context.signal)
							: commands.run({ ...whole, onRested }, (chunk) => context.emit(chunk), context.signal);
					const state = changesFiles
						? trial.compared(await deps.swept.around(context.caller, runPrepared))
						: await runPrepared();
					return caller.kind === 'execution' ? withLost(state, ownWrites, all) : state;
				},
			};
		},
	};
}

function copyCommand({ argv, redirects }: SimpleCommand) {
	return { argv: [...argv], ...(redirects === undefined ? {} : { redirects: redirects.map((each) => ({ ...each })) }) };
}

/** Combines the needs of a command with the paths outside of the workspace that the host reads and writes for it. */
function combineNeeds(needs: CommandNeeds | undefined, targets: readonly OpTarget[]): { needs?: CommandNeeds } {
	const outside = targets.filter((each) => each.kind === 'beyond');
	const listNeededPaths = (access: 'read' | 'write') => [
		...new Set([
			...(needs?.[access] ?? []),
			...outside.filter((each) => each.access === access).map(({ path }) => path),
		]),
	];
	const [read, write] = [listNeededPaths('read'), listNeededPaths('write')];
	const all = {
		...needs,
		...(read.length === 0 ? {} : { read }),
		...(write.length === 0 ? {} : { write }),
	};
	return Object.keys(all).length === 0 ? {} : { needs: all };
}

/**
 * Returns the thread whose `/tmp` the command shares; undefined for capabilities, because a command of the agent might
 * run, with more rights, what a capability leaves there.
 */
function threadWithTemporary(caller: Caller): ThreadId | undefined {
	return caller.kind === 'execution' ? undefined : (caller.threadId ?? undefined);
}

/**
 * True when the command names something in `/tmp`, outside of the workspace, where other commands of its thread read
 * and write too.
 */
function namesTemporary({ argv, redirects = [] }: SimpleCommand, workspace: readonly string[]): boolean {
	const words = [...argv, ...redirects.flatMap((each) => ('path' in each ? [each.path] : []))];
	return words.some((word) => workspace.reduce((rest, folder) => rest.replaceAll(folder, ''), word).includes('/tmp/'));
}

/** Models look into such files with their next command, which has another `/tmp`. */
function withLost(state: CommandState, ownWrites: readonly string[], all: readonly SimpleCommand[]): CommandState {
	const isUsed = (path: string) =>
		all.some(
			({ argv, redirects = [] }) =>
				argv.some((word) => word.includes(path)) ||
				redirects.some((each) => 'path' in each && each.mode === 'read' && each.path === path),
		);
	const lost = [...new Set(ownWrites)].filter((path) => !isUsed(path));
	const sentences = lost.map(
		(path) =>
			`${path} was in the command's own /tmp, which is removed when it ends. To read it later, write it into the workspace.`,
	);
	return sentences.length === 0 ? state : { ...state, kept: [...(state.kept ?? []), ...sentences] };
}

/** Commands of a capability without that permission change nothing of the workspace, either. */
function mayWrite(caller: Caller): boolean {
	return caller.kind !== 'execution' || caller.permissions.has('workspace.write');
}

/**
 * Finds the program of a command; `file` is undefined when the search has to wait for the command's turn. Commands that
 * run before may build the program, and where another command runs in spite of this one's failure, the program need not
 * be there. The words of the command stay as they are.
 */
async function findCommandProgram(
	{ argv }: SimpleCommand,
	{
		isFirst,
		goesOn,
		find,
	}: { readonly isFirst: boolean; readonly goesOn: boolean; find(program: string): Promise<string> },
): Promise<CommandProgram> {
	const [name = ''] = argv;
	if (argv.some((argument) => argument.includes('\0'))) {
		throw new ProwessError('INVALID_PARAMS', 'an argument holds a NUL character', {});
	}
	try {
		return { argv, file: await find(name) };
	} catch (error) {
		const mayComeLater = goesOn || (!isFirst && /[/\\]/.test(name));
		if (mayComeLater && isProwessError(error) && error.code === 'COMMAND_NOT_FOUND') {
			return { argv, file: undefined };
		}
		throw error;
	}
}

function outputOp({ commands, swept }: ShellDeps): OpImplementation<'shell.output'> {
	return {
		prepare: ({ commandId, waitMs }) =>
			Promise.resolve({
				targets: [],
				detail: { kind: 'text', text: `Read output of ${commandId}` },
				run: async ({ caller, signal }) =>
					await swept.told(await commands.output(commandId, caller.threadId, waitMs, signal)),
			}),
	};
}

function stopCommandOp({ commands, swept }: ShellDeps): OpImplementation<'shell.stop'> {
	return {
		prepare: ({ commandId }) =>
			Promise.resolve({
				targets: [],
				detail: { kind: 'text', text: `Stop ${commandId}` },
				run: async ({ caller }) => await swept.told(await commands.stop(commandId, caller.threadId)),
			}),
	};
}
