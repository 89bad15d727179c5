/** Reports on installed capabilities, and on changes of an update. */
import type { InstalledCapability, UpdateDiff } from '../../protocol/marketplace.ts';
import { wordOfType } from '../../protocol/plugin.ts';
import { visibleLine } from '../terminal/visible.ts';

export function formatInstalledLine({
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

export function howToEnable({ name, scope, isEnabled }: InstalledCapability): string {
	return isEnabled
		? ''
		: `It is disabled. Enable it with: prowess marketplace enable ${name}${scope === 'project' ? ' --scope project' : ''}\n`;
}

export function diffText({ from, to, permissions, level, files }: UpdateDiff): string {
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
