/** `prowess capability list` and `show`, `prowess executor list`: what there is, what is in force, and what is wrong. */
import { inspectFolder } from '../capability-host/registry/inspect-folder.ts';
import {
	type CapabilityItem,
	errorsOf,
	type ExecutorItem,
	isInForce,
	type RegistryState,
} from '../capability-host/registry/items.ts';
import { executorItemFor, runningTypes } from '../capability-host/registry/resolve.ts';
import type { TrustedBase } from '../capability-host/trusted-base.ts';
import { ProwessError } from '../protocol/errors.ts';
import type { CapabilityManifest } from '../protocol/manifest.ts';
import { CAPABILITY_MODEL_PREFIX, LLM_SERVICE } from '../protocol/ops/llm.ts';
import type { CommandAction, CommandContext, Invocation } from './command.ts';
import { withHost } from './compose.ts';
import { exitCodes } from './exit-codes.ts';
import { openHome } from './home/home-folder.ts';
import { isTrusted, realFolder } from './home/trusted-folders.ts';
import { visibleLine } from './visible.ts';
import { trustedWorkspace } from './workspace-option.ts';

export const listCapabilities: CommandAction = (invocation, context) =>
	withRegistry(invocation, context, 'capability list', async ({ capabilities, problems }, base) => {
		const { type } = invocation.values;
		const wanted = capabilities.filter((each) => type === undefined || each.type === type);
		const isOff = await base.enabledCapabilities.disabled();
		const rows = wanted.filter(isInForce).map((item) => ({ ...item, isOff: isOff(item.path) }));
		const broken = wanted.filter(({ manifest }) => manifest === undefined);
		if (invocation.switches.has('json')) {
			const others = { shadowed: wanted.filter(({ shadowedBy }) => shadowedBy !== undefined), broken, problems };
			context.terminal.out(`${JSON.stringify({ capabilities: rows, ...others }, null, 2)}\n`);
			return;
		}
		context.terminal.out(rows.map((row) => capabilityLine(row, row.isOff)).join(''));
		sayProblems(context, broken, problems);
	});

export const showCapability: CommandAction = (invocation, context) =>
	withRegistry(invocation, context, 'capability show', async ({ capabilities, executors }, base) => {
		const [name = ''] = invocation.operands;
		const { type } = invocation.values;
		const named = capabilities.filter((each) => each.name === name && (type === undefined || each.type === type));
		const item = named.find(isInForce) ?? named[0];
		if (item === undefined) {
			const what = type === undefined ? name : `${type} ${name}`;
			throw new ProwessError('CAPABILITY_NOT_FOUND', `there is no capability "${what}"`, { name });
		}
		const { hash, files, problems } = await inspectFolder(item.path);
		const areOff = await base.enabledCapabilities.disabled();
		const isOff = areOff(item.path);
		const executor =
			item.manifest === undefined
				? undefined
				: executorItemFor(executors, item.type, item.manifest.executor, areOff)?.name;
		const all = {
			...item,
			isOff,
			executor,
			problems: [...item.problems, ...onlyNew(problems, item.problems)],
			hash,
			files,
		};
		context.terminal.out(
			invocation.switches.has('json') ? `${JSON.stringify(all, null, 2)}\n` : `${lines(all).join('\n')}\n`,
		);
	});

export const listExecutors: CommandAction = (invocation, context) =>
	withRegistry(invocation, context, 'executor list', async ({ executors: all, problems }, base) => {
		const isOff = await base.enabledCapabilities.disabled();
		const executors = runningTypes(all, isOff).map((each) => ({ ...each, isOff: isOff(each.path) }));
		if (invocation.switches.has('json')) {
			context.terminal.out(`${JSON.stringify({ executors, problems }, null, 2)}\n`);
		} else {
			context.terminal.out(executors.filter(isInForce).map(executorLine).join(''));
			sayProblems(
				context,
				executors.filter(({ manifest }) => manifest === undefined),
				problems,
			);
		}
	});

/** With `--trust` the folder must be one that can be; without it, one that is not trusted adds nothing, and that is said. */
export async function withRegistry(
	invocation: Invocation,
	context: CommandContext,
	command: string,
	work: (state: RegistryState, base: TrustedBase) => void | Promise<void>,
): Promise<number> {
	const folder = realFolder(invocation.values['workspace'] ?? '.');
	const isOurs = invocation.switches.has('trust') || isTrusted(openHome(context.environment), folder);
	const workspace = isOurs ? trustedWorkspace(invocation, context, command) : undefined;
	return await withHost(invocation, context, { workspace, approvalMode: 'never' }, async (host) => {
		const base = await host.trustedBase();
		await work(await base.registry.state(), base);
		if (workspace === undefined) {
			context.terminal.err(`prowess: ${visibleLine(folder)} is not trusted; what lies there was not read\n`);
		}
		return exitCodes.done;
	});
}

function capabilityLine({ type, name, source, manifest, shadows, executor }: CapabilityItem, isOff: boolean): string {
	const { version = '', description = '' } = manifest ?? {};
	const over = [...new Set(shadows.map((each) => each.source))].join(', ');
	const notes = [
		...(isOff ? ['off'] : []),
		...(over === '' ? [] : [`over ${over}`]),
		...(executor === undefined ? ['no executor runs it'] : []),
	];
	const note = notes.length === 0 ? '' : `[${notes.join('; ')}] `;
	return `${type.padEnd(8)} ${name.padEnd(24)} ${source.padEnd(8)} ${visibleLine(version)}  ${note}${visibleLine(oneLine(description))}\n`;
}

/** A skill without a description has its whole text for one. */
function oneLine(description: string): string {
	const [line = ''] = description.trim().split('\n');
	return line.trimEnd();
}

function executorLine({ name, source, runs, types, manifest, isOff }: ExecutorItem & { isOff: boolean }): string {
	const idle = types.filter((type) => !runs.includes(type));
	const also = idle.length === 0 ? '' : ` (only where it is named: ${idle.join(', ')})`;
	const description = `${isOff ? '[off] ' : ''}${manifest?.description ?? ''}`;
	return `${name.padEnd(24)} ${source.padEnd(8)} ${visibleLine(`${runs.join(', ')}${also}`)}  ${visibleLine(description)}\n`;
}

function sayProblems(
	{ terminal }: CommandContext,
	broken: readonly (CapabilityItem | ExecutorItem)[],
	problems: readonly string[],
): void {
	for (const item of broken) {
		terminal.err(`prowess: ${visibleLine(item.path)} cannot be used: ${visibleLine(errorsOf(item))}\n`);
	}
	for (const problem of problems) {
		terminal.err(`prowess: ${visibleLine(problem)}\n`);
	}
}

type Whole = CapabilityItem & {
	readonly isOff: boolean;
	readonly hash: string | undefined;
	readonly files: readonly string[];
};

function lines({
	type,
	name,
	source,
	path,
	manifest,
	shadows,
	shadowedBy,
	executor,
	problems,
	...rest
}: Whole): string[] {
	const row = (what: string, text: string) => `${what.padEnd(12)} ${visibleLine(text)}`;
	return [
		row('name', `${type} ${name} ${manifest?.version ?? ''}`),
		...(manifest === undefined || manifest.description === '' ? [] : [row('does', manifest.description)]),
		row('folder', `${path} (${source})`),
		...shadows.map((each) => row('in place of', `${each.path} (${each.source})`)),
		...(shadowedBy === undefined
			? []
			: [row('not in force', `${shadowedBy.path} (${shadowedBy.source}) takes its place`)]),
		...(rest.isOff ? [row('switched', 'off')] : []),
		...(manifest === undefined
			? []
			: [
					row('run by', executor ?? `nothing: no executor runs ${manifest.type}`),
					row('level', manifest.level),
					row('asks for', manifest.permissions.join(', ') || 'nothing'),
					...(manifest.provides.length === 0 ? [] : [row('provides', services(manifest))]),
					...(manifest.modelInvocable ? [] : [row('is started', 'by people only, not by models')]),
					row('is told', { full: 'the conversation', last: 'the last message', none: 'nothing' }[manifest.context]),
				]),
		...(manifest?.inputs ?? []).map(({ name: input, type: of, required, description = '' }) =>
			row('input', `${input}: ${of}${required ? ', required' : ''}  ${description}`),
		),
		...(manifest?.license === undefined ? [] : [row('license', manifest.license)]),
		...(manifest?.compatibility === undefined ? [] : [row('needs', manifest.compatibility)]),
		...Object.entries(manifest?.metadata ?? {}).map(([key, text]) => row('says', `${key}: ${text}`)),
		...(rest.hash === undefined ? [] : [row('content', `sha256 ${rest.hash}, ${rest.files.length} files`)]),
		...problems.map(({ severity, file, line, message }) => row(severity, `${file}:${line}: ${message}`)),
	];
}

/** With what names it where a model is chosen. */
function services({ type, name, provides }: CapabilityManifest): string {
	const asModel = provides.includes(LLM_SERVICE)
		? ` (prowess.capabilities.model: "${CAPABILITY_MODEL_PREFIX}${type}/${name}" lets it answer other capabilities)`
		: '';
	return `${provides.join(', ')}${asModel}`;
}

/** The same file was read twice; what was said once is enough. */
function onlyNew<T extends { readonly message: string; readonly line: number }>(
	found: readonly T[],
	known: readonly T[],
): T[] {
	return found.filter(({ message, line }) => !known.some((each) => each.message === message && each.line === line));
}
