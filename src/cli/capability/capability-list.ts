/** `prowess capability list` and `show`: what there is, what is in force, and what is wrong. */
import type { WorkerTool } from '../../protocol/manifest/worker-tools.ts';
import { pluralizeCount } from '../terminal/messages.ts';
import { inspectItem } from '../../catalog/registry/reading/inspect-folder.ts';
import { allowedToolsInWords } from '../../trust/gate/policy/rules/allowed-tools-in-words.ts';
import type { CapabilityLocation } from '../../catalog/registry/sources/capability-source.ts';
import type { CapabilityItem } from '../../catalog/registry/items.ts';
import { executorItemFor } from '../../catalog/registry/resolve.ts';
import { itemsWhile, type ShownItem } from '../../catalog/registry/sources/while-off.ts';
import { codeboltProgramText } from '../../protocol/approvals/permission-text.ts';
import { CODEBOLT_EXECUTOR } from '../../protocol/execution/execution.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { CapabilityManifest } from '../../protocol/capability/manifest.ts';
import { CAPABILITY_MODEL_PREFIX, LLM_SERVICE } from '../../protocol/ops/definitions/agent/llm.ts';
import type { CommandAction } from '../invocation/command.ts';
import { factLine, formatProblemFacts, onlyNew, placeLines, reachedBy, toolLine } from '../terminal/item-lines.ts';
import { visibleLine } from '../terminal/visible.ts';
import { sayProblems, withRegistry } from './with-registry.ts';
import { typedName } from '../invocation/typed-values.ts';
import { formatJson, printResult } from '../invocation/print-result.ts';

export const listCapabilities: CommandAction = (invocation, context) =>
	withRegistry(invocation, context, 'capability list', async ({ capabilities, problems }, base) => {
		const { type } = invocation.values;
		const wanted = capabilities.filter((each) => type === undefined || each.type === type);
		const isOff = await base.enabledCapabilities.disabled();
		const rows = itemsWhile(wanted, isOff);
		const broken = wanted.filter(({ manifest }) => manifest === undefined);
		if (invocation.switches.has('json')) {
			const shown = new Set([...rows, ...broken].map(({ path }) => path));
			const others = { overridden: wanted.filter(({ path }) => !shown.has(path)), broken, problems };
			context.terminal.out(formatJson({ capabilities: rows, ...others }));
			return;
		}
		context.terminal.out(rows.map(capabilityLine).join(''));
		sayProblems(context, broken, problems);
	});

export const showCapabilityCommand: CommandAction = (invocation, context) =>
	withRegistry(invocation, context, 'capability show', async ({ capabilities, executors }, base) => {
		const { name, type } = typedName(invocation, 'capability show');
		const named = capabilities.filter((each) => each.name === name && (type === undefined || each.type === type));
		const areOff = await base.enabledCapabilities.disabled();
		const shown = itemsWhile(named, areOff);
		const item = shown[0] ?? named[0];
		if (item === undefined) {
			const what = type === undefined ? name : `${type} ${name}`;
			throw new ProwessError('CAPABILITY_NOT_FOUND', `there is no capability "${what}"`, { name });
		}
		const { hash, files, problems, tools } = await inspectItem(item);
		const isOff = areOff(item.path);
		const others = shown.slice(1).filter((each) => each.type === item.type && each.isOff);
		const runsIt =
			item.manifest === undefined ? undefined : executorItemFor(executors, item.type, item.manifest.executor, areOff);
		const isOfCodebolt =
			runsIt !== undefined && runsIt.own === undefined && (await inspectItem(runsIt)).isOfCodebolt === true;
		// Rights as the consent names them.
		const rights = await base.capabilities.askedRights({ capability: { folder: item.path } }).catch(() => ({}));
		const all = {
			...item,
			manifest: item.manifest && { ...item.manifest, ...rights },
			isOff,
			off: others.map(({ path, source }) => ({ path, source })),
			executor: runsIt?.name,
			reachedBy:
				isOfCodebolt || item.manifest?.executor === CODEBOLT_EXECUTOR
					? inEnglish(codeboltProgramText)
					: reachedBy(runsIt),
			problems: [...item.problems, ...onlyNew(problems, item.problems)],
			hash,
			files,
			...(tools === undefined ? {} : { tools }),
		};
		printResult(invocation, context, all, `${formatCapabilityDetails(all).join('\n')}\n`);
	});

function capabilityLine(row: ShownItem<CapabilityItem>): string {
	const { type, name, source, manifest, overrides, executor, isOff, problems } = row;
	const { version = '', description = '' } = manifest ?? {};
	const over = [...new Set(overrides.map((each) => each.source))].join(', ');
	const notes = [
		...(isOff ? ['disabled'] : []),
		...(over === '' ? [] : [`overrides ${over}`]),
		...(executor === undefined ? ['no executor for its type'] : []),
		...summarizeWarnings(problems),
	];
	const note = notes.length === 0 ? '' : `[${notes.join('; ')}] `;
	return `${type.padEnd(8)} ${name.padEnd(24)} ${source.padEnd(8)} ${visibleLine(version)}  ${note}${visibleLine(pickFirstLine(description))}\n`;
}

/** The first one, and how many more: `show` has them all. */
function summarizeWarnings([first, ...more]: CapabilityItem['problems']): string[] {
	if (first === undefined) return [];
	const at = first.path.length === 0 ? '' : `${first.path.join('.')}: `;
	return [
		visibleLine(`${at}${first.message}`),
		...(more.length === 0 ? [] : [pluralizeCount(more.length, 'more warning')]),
	];
}

/** A skill without a description has its whole text for one. */
function pickFirstLine(description: string): string {
	const [line = ''] = description.trim().split('\n');
	return line.trimEnd();
}

type Whole = CapabilityItem & {
	readonly isOff: boolean;
	/** Places of disabled capabilities that would take effect instead if they were on. */
	readonly off: readonly CapabilityLocation[];
	readonly hash: string | undefined;
	readonly files: readonly string[];
	readonly tools?: readonly WorkerTool[];
	readonly reachedBy: string | undefined;
};

/** Share of the thread, in the words of the consent. */
const RECEIVED_IN_WORDS = {
	full: 'the newest messages of the thread, its mode and level, the branch and the active file, without secrets',
	last: 'the last message of the thread, its mode and level, the branch and the active file, without secrets',
	none: 'nothing of the thread',
} as const;

function formatCapabilityDetails(item: Whole): string[] {
	const { type, name, manifest, executor, hash, files } = item;
	return [
		factLine('name', `${type} ${name} ${manifest?.version ?? ''}`),
		...(manifest === undefined || manifest.description === '' ? [] : [factLine('description', manifest.description)]),
		...placeLines(item),
		...item.off.map(({ path, source }) => factLine('disabled', `${path} (${source})`)),
		...(manifest === undefined
			? []
			: [
					factLine('run by', manifest.runtime ?? executor ?? `nothing: no executor for ${manifest.type}`),
					...(item.reachedBy === undefined ? [] : [factLine('channel', item.reachedBy)]),
					factLine('level', manifest.level),
					factLine('permissions', manifest.permissions.join(', ') || 'none'),
					...allowedToolsInWords(manifest.allowedTools ?? []).map((words) => factLine('after consent', words)),
					...(manifest.provides.length === 0 ? [] : [factLine('provides', describeServices(manifest))]),
					...(manifest.modelInvocable ? [] : [factLine('started by', 'people only, not models')]),
					factLine(
						'receives',
						// A tool of a worker is given its params alone.
						RECEIVED_IN_WORDS[
							manifest.runtime === undefined || manifest.executor !== undefined ? manifest.context : 'none'
						],
					),
				]),
		...(manifest?.inputs ?? []).map(({ name: input, type: of, required, description = '' }) =>
			factLine('input', `${input}: ${of}${required ? ', required' : ''}  ${description}`),
		),
		...(item.tools ?? []).map((tool) => factLine('tool', toolLine(tool))),
		...(manifest?.requiredCapabilities ?? []).map((name) => factLine('needs', name)),
		...(manifest?.license === undefined ? [] : [factLine('license', manifest.license)]),
		...(manifest?.compatibility === undefined ? [] : [factLine('requires', manifest.compatibility)]),
		...Object.entries(manifest?.metadata ?? {}).map(([key, text]) => factLine('metadata', `${key}: ${text}`)),
		...(hash === undefined ? [] : [factLine('content', `sha256 ${hash}, ${pluralizeCount(files.length, 'file')}`)]),
		...formatProblemFacts(item),
	];
}

/** With what names it where a model is chosen. */
function describeServices({ type, name, provides }: CapabilityManifest): string {
	const asModel = provides.includes(LLM_SERVICE)
		? ` (prowess.capabilities.model: "${CAPABILITY_MODEL_PREFIX}${type}/${name}" lets it answer other capabilities)`
		: '';
	return `${provides.join(', ')}${asModel}`;
}
