/** `prowess marketplace …`: finds, installs, updates and removes capabilities. No capability is run here. */
import { resolve } from 'node:path';
import { inEnglish } from '../../protocol/text/text.ts';
import { loopbackPortText } from '../../protocol/approvals/permission-text.ts';
import { parseGitLocation } from '../../protocol/git-location.ts';
import type { InstalledRef } from '../../catalog/marketplace/installed-versions.ts';
import type { Marketplace } from '../../catalog/marketplace/marketplace.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import type { DispatchError } from '../../protocol/execution/execution.ts';
import {
	CapabilityRef,
	type IndexState,
	type InstalledCapability,
	type InstallScope,
	PORT_PERMISSION,
	type UpdateDiff,
} from '../../protocol/capability/marketplace.ts';
import { PLUGINS_FOLDER, typeOfWord, wordOfType } from '../../protocol/capability/plugin.ts';
import { formatSchemaProblems } from '../../protocol/text/schema-problem.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { withHost } from '../ports/cli-host.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { messageFor } from '../terminal/messages.ts';
import { openHome } from '../home/home-folder.ts';
import { isTrusted, realFolder } from '../home/trusted-folders.ts';
import { isExistingFolder } from '../../machine/paths/is-folder.ts';
import { typedName } from '../invocation/typed-values.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { escapeUnseen, visibleLine } from '../terminal/visible.ts';
import { isDataRemoved, notTakenText, partLines, partsToChange, runningText } from './plugins.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';
import { formatJson, printResult } from '../invocation/print-result.ts';

export const search: CommandAction = (invocation, context) =>
	withMarketplace(invocation, context, async (marketplace) => {
		const { type, tag, index: from, asks } = invocation.values;
		const text = invocation.operands.join(' ');
		const found = await marketplace.search(
			{
				text,
				...(type === undefined ? {} : { type: typeOfWord(type) }),
				...(tag === undefined ? {} : { tag }),
				...(from === undefined ? {} : { index: from }),
				...(asks === undefined ? {} : { permission: asks }),
				...(invocation.switches.has('scripts') ? { scripts: true } : {}),
			},
			context.signal,
		);
		const { terminal } = context;
		if (invocation.switches.has('json')) {
			terminal.out(formatJson(found));
		} else {
			for (const { type: kind, name, version, description, index, installed } of found.items) {
				const here = Object.entries(installed).map(([where, which]) => ` [${which} ${where}]`);
				terminal.out(
					`${wordOfType(kind).padEnd(8)} ${name.padEnd(24)} ${visibleLine(version).padEnd(10)} ${visibleLine(description)}${visibleLine(here.join(''))} (${visibleLine(index)})\n`,
				);
			}
			const isWhole = invocation.switches.has('problems');
			for (const line of found.indexes.flatMap((index) => listIndexProblems(index, isWhole))) {
				terminal.err(`prowess: ${visibleLine(line)}\n`);
			}
			if (found.items.length === 0) {
				const read = found.indexes.map(({ name }) => name).join(', ');
				terminal.err(`prowess: no match in ${visibleLine(read)}; --from searches one more index\n`);
			}
		}
		const isRead = found.indexes.some(({ count, problems }) => count > 0 || problems.length === 0);
		return isRead ? exitCodes.done : exitCodes.failed;
	});

/** Hundreds of plugins that are elsewhere would hide what was found. */
const SHOWN_PROBLEMS = 5;

function listIndexProblems({ name, problems }: IndexState, isWhole: boolean): readonly string[] {
	if (isWhole || problems.length <= SHOWN_PROBLEMS) {
		return problems;
	}
	const more = problems.length - SHOWN_PROBLEMS;
	return [...problems.slice(0, SHOWN_PROBLEMS), `and ${more} more of ${name}; --problems shows all`];
}

export const showMarketplaceItem: CommandAction = (invocation, context) =>
	withMarketplace(invocation, context, async (marketplace) => {
		const details = await marketplace.show(readCapabilityRef(invocation), context.signal);
		const { listing, permissions, level, readme, files, parts, notTaken, contentHash, sha256 } = details;
		if (invocation.switches.has('json')) {
			context.terminal.out(formatJson(details));
			return exitCodes.done;
		}
		const lines = [
			`${wordOfType(listing.type)} ${listing.name} ${listing.version}`,
			listing.description,
			`versions:     ${listing.versions.join(', ')}`,
			`from:         ${listing.location}`,
			`signed by:    ${listing.signedBy ?? 'not signed'}`,
			`level:        ${level}`,
			...(listing.type === PLUGINS_FOLDER
				? ['brings:', ...partLines(parts).trimEnd().split('\n')]
				: [`permissions:  ${permissions.join(', ') || 'none'}`]),
			...(notTaken.length === 0 ? [] : [`not taken:    ${notTaken.join(', ')}`]),
			...(permissions.includes(PORT_PERMISSION) ? [`channel:      ${inEnglish(loopbackPortText)}`] : []),
			`sha256:       ${sha256}`,
			`content:      ${contentHash}`,
			`files:        ${files.length}`,
			...files.map(({ path, bytes }) => `  ${String(bytes).padStart(9)}  ${path}`),
		];
		context.terminal.out(
			`${lines.map(visibleLine).join('\n')}\n${readme === null ? '' : `\n${escapeUnseen(readme)}\n`}`,
		);
		return exitCodes.done;
	});

export const installMarketplaceItem: CommandAction = (invocation, context) =>
	withMarketplace(invocation, context, async (marketplace) => {
		const contentHash = invocation.values['content'];
		const capability = readCapabilityRef(invocation);
		const request = { capability, scope: readInstallScope(invocation), contentHash };
		const installed = await marketplace.install(request, context.signal);
		if (installed.type !== PLUGINS_FOLDER) {
			return printResult(invocation, context, installed, `${formatInstalledLine(installed)}${howToEnable(installed)}`);
		}
		const { name, type, scope } = installed;
		const { parts, notTaken } = await marketplace.parts({ name, type, scope });
		const text = `${formatInstalledLine(installed)}${partLines(parts)}${notTakenText(notTaken)}${howToEnable(installed)}`;
		return printResult(invocation, context, { ...installed, parts, notTaken }, text);
	});

export const listInstalledItems: CommandAction = (invocation, context) =>
	withMarketplace(invocation, context, async (marketplace) => {
		const all = await marketplace.installed();
		return printResult(invocation, context, all, all.map(formatInstalledLine).join(''));
	});

export const updateInstalledItems: CommandAction = (invocation, context) =>
	withMarketplace(invocation, context, async (marketplace) => {
		const { signal, terminal } = context;
		const wanted =
			invocation.operands.length > 0
				? [readInstalledRef(invocation)]
				: (await marketplace.installed())
						.filter((each) => each.scope === readInstallScope(invocation))
						.map(({ name, type, scope }) => ({ name, type, scope }));
		const done: { readonly diff: UpdateDiff; readonly installed: InstalledCapability | undefined }[] = [];
		const failed: (InstalledRef & { readonly error: DispatchError })[] = [];
		const isJson = invocation.switches.has('json');
		for (const ref of wanted) {
			const preview = await marketplace.previewUpdate(ref, signal).catch((error: unknown) => {
				// When all are updated, a failure of one keeps no other from being updated.
				if (invocation.operands.length > 0 || !isProwessError(error)) throw error;
				const { code, message, facts } = error;
				failed.push({ ...ref, error: { code, message, facts } });
				if (!isJson) terminal.err(messageFor(error));
				return undefined;
			});
			if (preview === undefined) continue;
			const isDryRun = invocation.switches.has('dry-run');
			const installed = isDryRun ? undefined : await marketplace.update(ref, preview.contentHash, signal);
			done.push({ diff: preview.diff, installed });
			if (!isJson) {
				const changed = preview.isModified ? '  you changed its files; "rollback" restores your changes\n' : '';
				const off = installed === undefined || installed.isEnabled ? '' : howToEnable(installed);
				terminal.out(`${ref.name}: ${diffText(preview.diff)}${changed}${off}`);
			}
		}
		const code = printResult(
			invocation,
			context,
			[...done, ...failed],
			done.length + failed.length === 0 ? 'everything is up to date\n' : '',
		);
		return failed.length === 0 ? code : exitCodes.failed;
	});

export const rollBackInstalled: CommandAction = (invocation, context) =>
	withMarketplace(invocation, context, async (marketplace) => {
		const installed = await marketplace.rollBack(readInstalledRef(invocation), context.signal);
		return printResult(invocation, context, installed, formatInstalledLine(installed));
	});

export const removeInstalled: CommandAction = (invocation, context) =>
	withMarketplace(invocation, context, async (marketplace) => {
		const refs = await partsToChange(marketplace, readInstalledRef(invocation));
		const lines: string[] = [];
		for (const ref of refs) {
			const data = await marketplace.data(ref);
			const withData = data !== undefined && (await isDataRemoved(data, invocation, context));
			await marketplace.remove({ ...ref, withData }, context.signal);
			const kept = withData
				? ', with its data'
				: data === undefined
					? ''
					: `. Its data stays in ${visibleLine(data.path)}`;
			lines.push(`Removed ${ref.name}${kept}.\n`);
		}
		const [{ name: removed }] = refs;
		const text = lines.join('');
		return printResult(
			invocation,
			context,
			refs.length === 1 ? { removed } : { removed: refs.map(({ name }) => name) },
			text,
		);
	});

export const enableInstalled: CommandAction = (invocation, context) => switchTo(true, invocation, context);

export const disableInstalled: CommandAction = (invocation, context) => switchTo(false, invocation, context);

function switchTo(isEnabled: boolean, invocation: Invocation, context: CommandContext): Promise<number> {
	return withMarketplace(invocation, context, async (marketplace) => {
		const { part } = invocation.values;
		const state = isEnabled ? 'enabled' : 'disabled';
		if (part !== undefined) {
			const ref = readInstalledRef(invocation);
			await marketplace.setPartEnabled(ref, part, isEnabled, context.signal);
			return printResult(
				invocation,
				context,
				{ name: ref.name, part, isEnabled },
				`${part} of ${ref.name} is ${state}\n`,
			);
		}
		const refs = await partsToChange(marketplace, readInstalledRef(invocation));
		for (const ref of refs) await marketplace.setEnabled(ref, isEnabled, context.signal);
		const changed = refs.map(({ name }) => ({ name, isEnabled }));
		const { parts } = await marketplace.parts(refs[0]);
		const running = isEnabled ? runningText(refs[0].name, parts) : '';
		const text = `${refs.map(({ name }) => `${name} is ${state}\n`).join('')}${running}`;
		return printResult(invocation, context, changed.length === 1 ? changed[0] : changed, text);
	});
}

/** The folder counts when it is the project's turn, or when it is trusted anyway. */
async function withMarketplace(
	invocation: Invocation,
	context: CommandContext,
	work: (marketplace: Marketplace) => Promise<number>,
): Promise<number> {
	const { from } = invocation.values;
	const workspace =
		readInstallScope(invocation) === 'project'
			? trustedWorkspace(invocation, context, 'marketplace')
			: folderIfTrusted(invocation, context);
	return await withHost(invocation, context, { workspace, approvalMode: 'never' }, async (host) => {
		if (from !== undefined) {
			const listed = host.settings.current['prowess.marketplace.indexes'];
			host.settings.override({ 'prowess.marketplace.indexes': [...listed, { location: resolveIndexLocation(from) }] });
		}
		return await work((await host.trustedBase()).marketplace);
	});
}

/** A path on the command line is one from where it was typed; in the settings there is no such place. */
function resolveIndexLocation(from: string): string {
	const isElsewhere = /^[a-z][a-z\d+.-]*:\/\//i.test(from) || parseGitLocation(from) !== undefined;
	return isElsewhere && !isExistingFolder(from) ? from : resolve(from);
}

function folderIfTrusted({ values }: Invocation, { environment }: CommandContext): string | undefined {
	const folder = realFolder(values['workspace'] ?? '.');
	return isTrusted(openHome(environment), folder) ? folder : undefined;
}

function readInstallScope({ values }: Invocation): InstallScope {
	return values['scope'] === 'project' ? 'project' : 'global';
}

/** `name@version`, perhaps with its type before it. */
function readCapabilityRef(invocation: Invocation): CapabilityRef {
	const { name: typed, type: word } = typedName(invocation, 'marketplace');
	const { index } = invocation.values;
	const type = word === undefined ? undefined : typeOfWord(word);
	const [name = '', version] = typed.split(/@(.*)/s);
	const parsed = CapabilityRef.safeParse({ name, type, index, ...(version === undefined ? {} : { version }) });
	if (!parsed.success) {
		throw new UsageError(`marketplace: ${formatSchemaProblems(parsed.error)}`);
	}
	return parsed.data;
}

function readInstalledRef(invocation: Invocation): InstalledRef {
	const { name, type } = readCapabilityRef(invocation);
	return { name, type, scope: readInstallScope(invocation) };
}

function formatInstalledLine({
	type,
	name,
	version,
	scope,
	isEnabled,
	isModified,
	previousVersion,
}: InstalledCapability): string {
	const state = [
		isEnabled ? 'enabled' : 'disabled',
		...(isModified ? ['changed by you'] : []),
		...(previousVersion === null ? [] : [`previous: ${previousVersion}`]),
	];
	return (
		visibleLine(
			`${wordOfType(type).padEnd(8)} ${name.padEnd(24)} ${version.padEnd(10)} ${scope.padEnd(8)} ${state.join(', ')}`,
		) + '\n'
	);
}

function howToEnable({ name, scope, isEnabled }: InstalledCapability): string {
	return isEnabled
		? ''
		: `It is disabled. Enable it with: prowess marketplace enable ${name}${scope === 'project' ? ' --scope project' : ''}\n`;
}

function diffText({ from, to, permissions, level, files }: UpdateDiff): string {
	const prefixLines = (sign: string, all: readonly string[]) => all.map((each) => `  ${sign} ${each}`);
	const lines = [
		`${from} -> ${to}`,
		...permissions.added.map((each) => `  + permission ${each}`),
		...permissions.removed.map((each) => `  - permission ${each}`),
		...(level.from === level.to ? [] : [`  level ${level.from} -> ${level.to}`]),
		...prefixLines('+', files.added),
		...prefixLines('-', files.removed),
		...prefixLines('~', files.changed),
	];
	return `${lines.map(visibleLine).join('\n')}\n`;
}
