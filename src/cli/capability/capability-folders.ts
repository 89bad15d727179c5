/**
 * `prowess capability validate` and `new`: folders of capabilities as their authors have them. No capability is run.
 */
import { join, relative, resolve } from 'node:path';
import {
	type Inspection,
	inspectFolder,
	inspectItem,
	type SourceCheck,
} from '../../catalog/registry/reading/inspect-folder.ts';
import { builtInTypes } from '../../catalog/executors.ts';
import type { CapabilityItem, ExecutorItem } from '../../catalog/registry/items.ts';
import { EXECUTOR_TEMPLATE, SKILL_FORMS, writeNewCapability } from '../../catalog/registry/new-capability.ts';
import { ItemName, EXECUTORS_FOLDER } from '../../protocol/capability/manifest.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { withHost } from '../ports/cli-host.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { openHome } from '../home/home-folder.ts';
import { installation } from '../home/installation.ts';
import { realFolder } from '../home/trusted-folders.ts';
import { testLines, toolLine } from '../terminal/item-lines.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';
import { printResult } from '../invocation/print-result.ts';

export const validateCapabilities: CommandAction = async (invocation, context) => {
	const { operands, switches } = invocation;
	const inspections: Inspection[] = [];
	const { checkSources } = await import('../../execution/processes/workers/check-source.ts');
	const ports = { dist: installation.dist, folders: [realFolder(invocation.values['workspace'] ?? '.')] };
	const check: SourceCheck = (manifest, files) => checkSources(manifest, files, ports);
	for (const folder of operands.length > 0 ? operands.map((each) => resolve(each)) : []) {
		context.signal.throwIfAborted();
		inspections.push(await inspectFolder(folder, switches.has('strict'), undefined, check));
	}
	for (const item of operands.length > 0 ? [] : await ownItems(invocation, context)) {
		context.signal.throwIfAborted();
		inspections.push(await inspectItem(item, switches.has('strict'), check));
	}
	const isValid = ({ problems }: Inspection) => problems.every(({ severity }) => severity !== 'error');
	const output = switches.has('json')
		? `${JSON.stringify(
				inspections.map((each) => ({ ...each, valid: isValid(each) })),
				null,
				2,
			)}\n`
		: inspections.flatMap((each) => formatInspection(each, isValid(each))).join('');
	context.terminal.out(output);
	return inspections.every(isValid) ? exitCodes.done : exitCodes.failed;
};

export const newCapabilityCommand: CommandAction = async (
	{ operands, values, switches },
	{ terminal, environment },
) => {
	const [name = ''] = operands;
	const { type = 'skill', description = '' } = values;
	for (const [what, word] of [
		['the name', name],
		['--type', type],
	] as const) {
		if (!ItemName.safeParse(word).success || word === EXECUTORS_FOLDER) {
			const rule = 'lower-case letters, digits and hyphens, at most 64';
			throw new UsageError(`capability new: ${what} takes ${rule}; got "${word}"`);
		}
	}
	if (type === EXECUTOR_TEMPLATE && builtInTypes.includes(name)) {
		throw new UsageError(`capability new: an executor for ${name} is built in; choose another name for your type`);
	}
	const home = openHome(environment);
	const within = switches.has('global') ? home : realFolder(values['workspace'] ?? '.');
	const root = join(within, switches.has('global') ? 'capabilities' : '.prowess/capabilities');
	const form = SKILL_FORMS.find((each) => each === values['as']);
	if (form !== undefined && type !== 'skill') {
		throw new UsageError(`capability new: --as is for skills; a ${type} has one form only`);
	}
	const { capabilityTemplate } = await import('../../catalog/registry/capability-template.ts');
	const made = capabilityTemplate({ type, name, description, ...(form === undefined ? {} : { form }) });
	const written: string[] = [];
	for (const { folder, files } of made) {
		await writeNewCapability(within, join(root, folder), files);
		written.push(...Object.keys(files).map((file) => join(root, folder, file)));
	}
	const folder = join(root, made[0]?.folder ?? '');
	const files = Object.keys(made[0]?.files ?? {});
	const text = written.map((path) => `${visibleLine(path)}\n`).join('');
	printResult({ switches }, { terminal }, { type, name, folder, files }, text);
	if (!builtInTypes.includes(type) && type !== EXECUTOR_TEMPLATE) {
		terminal.err(
			`prowess: no built-in executor runs the type ${type}; "prowess capability new ${type} --type executor" makes one\n`,
		);
	}
	return exitCodes.done;
};

/** All that is the user's or the project's. */
async function ownItems(invocation: Invocation, context: CommandContext): Promise<(CapabilityItem | ExecutorItem)[]> {
	const workspace = trustedWorkspace(invocation, context, 'capability validate');
	return await withHost(invocation, context, { workspace, approvalMode: 'never' }, async (host) => {
		const { capabilities, executors } = await (await host.trustedBase()).registry.state();
		return [...capabilities, ...executors].filter(({ source }) => source !== 'built-in');
	});
}

/** Formats problems as compilers do, so that editors find the place. */
function formatInspection({ path, problems, kind, manifest, tools = [] }: Inspection, isValid: boolean): string[] {
	const shown = relative('.', path).startsWith('..') ? path : relative('.', path) || '.';
	const what = manifest === undefined ? kind : `${kind} ${manifest.name} ${manifest.version}`;
	return [
		...problems.map(({ severity, file, line, column, path: at, message }) => {
			const field = at.length === 0 ? '' : `${at.join('.')}: `;
			return `${visibleLine(join(shown, file))}:${line}:${column}: ${severity}: ${visibleLine(`${field}${message}`)}\n`;
		}),
		`${visibleLine(shown)}: ${isValid ? 'valid' : 'NOT valid'}, ${visibleLine(what)}\n`,
		...tools.map((tool) => `  ${visibleLine(toolLine(tool))}\n`),
		...tools.flatMap((tool) => testLines(tool)).map((line) => `  ${visibleLine(line)}\n`),
	];
}
