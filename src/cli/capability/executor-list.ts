/** `prowess executor list` and `show`: the programs that run capabilities, which types each runs, and how it is reached. */
import { inspectItem } from '../../catalog/registry/reading/inspect-folder.ts';
import { type ExecutorItem, isInForce } from '../../catalog/registry/items.ts';
import { runningTypes } from '../../catalog/registry/resolve.ts';
import { codeboltProgramText } from '../../protocol/approvals/permission-text.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { CommandAction } from '../invocation/command.ts';
import { factLine, onlyNew, placeLines, formatProblemFacts, reachedBy } from '../terminal/item-lines.ts';
import { pluralizeCount } from '../terminal/messages.ts';
import { visibleLine } from '../terminal/visible.ts';
import { sayProblems, withRegistry } from './with-registry.ts';
import { formatJson, printResult } from '../invocation/print-result.ts';

type ExecutorRow = ExecutorItem & { readonly isOff: boolean };

export const listExecutors: CommandAction = (invocation, context) =>
	withRegistry(invocation, context, 'executor list', async ({ executors: all, problems }, base) => {
		const isOff = await base.enabledCapabilities.disabled();
		const executors = runningTypes(all, isOff).map((each) => ({ ...each, isOff: isOff(each.path) }));
		if (invocation.switches.has('json')) {
			context.terminal.out(formatJson({ executors, problems }));
		} else {
			context.terminal.out(executors.filter(isInForce).map(executorLine).join(''));
			sayProblems(
				context,
				executors.filter(({ manifest }) => manifest === undefined),
				problems,
			);
		}
	});

export const showExecutor: CommandAction = (invocation, context) =>
	withRegistry(invocation, context, 'executor show', async ({ executors }, base) => {
		const [name = ''] = invocation.operands;
		const areOff = await base.enabledCapabilities.disabled();
		const named = runningTypes(executors, areOff).filter((each) => each.name === name);
		const item = named.find(isInForce) ?? named[0];
		if (item === undefined) {
			throw new ProwessError('EXECUTOR_NOT_FOUND', `there is no executor "${name}"`, { name });
		}
		// Inspect folders only: an executor of ours is a program among others, not a folder.
		const found = item.own === undefined ? await inspectItem(item) : undefined;
		const all = {
			...item,
			isOff: areOff(item.path),
			reachedBy: reachedBy(item),
			problems: [...item.problems, ...onlyNew(found?.problems ?? [], item.problems)],
			hash: found?.hash,
			files: found?.files ?? [],
			...(found?.isOfCodebolt === true ? { isOfCodebolt: true } : {}),
		};
		printResult(invocation, context, all, `${formatExecutorDetails(all).join('\n')}\n`);
	});

function executorLine(item: ExecutorRow): string {
	const { name, source, runs, manifest, isOff } = item;
	const by = reachedBy(item);
	const notes = [...(isOff ? ['disabled'] : []), ...(by === undefined ? [] : [by])];
	const note = notes.length === 0 ? '' : `[${notes.join('; ')}] `;
	const description = `${note}${manifest?.description ?? ''}`;
	const also = listIdleTypes(item);
	const types = `${runs.join(', ')}${also === '' ? '' : ` (only if named: ${also})`}`;
	return `${name.padEnd(24)} ${source.padEnd(8)} ${visibleLine(types)}  ${visibleLine(description)}\n`;
}

function formatExecutorDetails(
	item: ExecutorRow & {
		readonly hash: string | undefined;
		readonly files: readonly string[];
		readonly isOfCodebolt?: boolean;
	},
): string[] {
	const { name, runs, manifest, hash, files } = item;
	const by = reachedBy(item);
	return [
		factLine('name', `executor ${name} ${manifest?.version ?? ''}`),
		...(manifest === undefined || manifest.description === '' ? [] : [factLine('description', manifest.description)]),
		...placeLines(item),
		factLine('runs', runs.join(', ') || 'nothing'),
		...(listIdleTypes(item) === '' ? [] : [factLine('if named', listIdleTypes(item))]),
		...(manifest === undefined || item.own !== undefined ? [] : [factLine('program', manifest.entryPoint)]),
		...(by === undefined ? [] : [factLine('channel', by)]),
		...(item.isOfCodebolt === true ? [factLine('channel', inEnglish(codeboltProgramText))] : []),
		...(hash === undefined ? [] : [factLine('content', `sha256 ${hash}, ${pluralizeCount(files.length, 'file')}`)]),
		...formatProblemFacts(item),
	];
}

/** Types that another executor was registered for later; empty when there are none. */
function listIdleTypes({ types, runs }: ExecutorItem): string {
	return types.filter((type) => !runs.includes(type)).join(', ');
}
