/** shell.run, shell.output, shell.stop. The program is found and the folder verified before anybody is asked. */
import { ProwessError } from '../../../protocol/errors.ts';
import { findProgram } from '../../shell/find-program.ts';
import type { OpImplementation, OpImplementations } from '../op-implementation.ts';
import { notFound } from './not-found.ts';
import { type OpDeps, threadOf } from './op-deps.ts';

export function shellOps(deps: OpDeps): Pick<OpImplementations, 'shell.run' | 'shell.output' | 'shell.stop'> {
	return { 'shell.run': runOp(deps), 'shell.output': outputOp(deps), 'shell.stop': stopOp(deps) };
}

function runOp({ paths, commands }: OpDeps): OpImplementation<'shell.run'> {
	return {
		async prepare({ argv, cwd, background }, { signal }) {
			const [first] = paths.resolveScope(cwd);
			const place = await paths.locate(first ?? paths.resolve(cwd));
			if (place.kind === 'missing') {
				throw await notFound(paths, place, signal);
			}
			if (place.kind !== 'folder') {
				throw new ProwessError('NOT_A_FOLDER', `cannot run in ${place.path}: it is not a folder`, { path: place.path });
			}
			if (argv.some((argument) => argument.includes('\0'))) {
				throw new ProwessError('INVALID_PARAMS', 'an argument holds a NUL character', {});
			}
			const frozen = [...argv];
			const program = await findProgram(frozen[0] ?? '', place.realPath, commands.environment);
			return {
				targets: [{ kind: 'command', argv: frozen, cwd: place.path }],
				detail: { kind: 'command', argv: frozen, cwd: place.path },
				async run(context) {
					const now = await paths.locate(place);
					if (now.realPath !== place.realPath || now.kind !== 'folder') {
						throw new ProwessError('FILE_CHANGED', `${place.path} was replaced since it was looked at`, {
							path: place.path,
						});
					}
					const threadId = threadOf(context.caller);
					const timeoutMs = context.limitMs === 0 ? undefined : context.limitMs;
					const request = { program, argv: frozen, cwd: place.realPath, timeoutMs, threadId };
					return background
						? commands.runInBackground(request, context.signal)
						: commands.run(request, (chunk) => context.emit(chunk), context.signal);
				},
			};
		},
	};
}

function outputOp({ commands }: OpDeps): OpImplementation<'shell.output'> {
	return {
		prepare: ({ commandId, waitMs }) =>
			Promise.resolve({
				targets: [],
				detail: { kind: 'text', text: `Read output of ${commandId}` },
				run: (context) => commands.output(commandId, threadOf(context.caller), waitMs, context.signal),
			}),
	};
}

function stopOp({ commands }: OpDeps): OpImplementation<'shell.stop'> {
	return {
		prepare: ({ commandId }) =>
			Promise.resolve({
				targets: [],
				detail: { kind: 'text', text: `Stop ${commandId}` },
				run: (context) => commands.stop(commandId, threadOf(context.caller)),
			}),
	};
}
