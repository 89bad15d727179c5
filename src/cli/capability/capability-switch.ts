/** `prowess capability enable` and `disableCapabilityCommand`: for the user, whoever put it there; nothing of a project is changed. */
import type { CapabilityOrigin } from '../../catalog/registry/sources/capability-source.ts';
import type { ExecutorItem } from '../../catalog/registry/items.ts';
import { itemsWhile } from '../../catalog/registry/sources/while-off.ts';
import { EXECUTORS_FOLDER } from '../../protocol/capability/manifest.ts';
import { withRegistry } from './with-registry.ts';
import type { CommandAction } from '../invocation/command.ts';
import { visibleLine } from '../terminal/visible.ts';
import { typedName } from '../invocation/typed-values.ts';
import { formatJson } from '../invocation/print-result.ts';

export const enableCapabilityCommand = createSwitchAction(true);
export const disableCapabilityCommand = createSwitchAction(false);

function createSwitchAction(isEnabled: boolean): CommandAction {
	const verb = isEnabled ? 'enable' : 'disable';
	return (invocation, context) =>
		withRegistry(invocation, context, `capability ${verb}`, async ({ capabilities, executors }, base) => {
			const { values, switches } = invocation;
			const typed = typedName(invocation, `capability ${verb}`);
			const wish = { ...typed, source: values['source'] as CapabilityOrigin | undefined };
			const all = [...capabilities, ...foreignExecutors(executors)];
			const { type, name, source, path } = await base.capabilitySwitch.find(all, wish, isEnabled);
			const findEffectiveItem = async () => {
				const named = all.filter((each) => each.type === type && each.name === name);
				return itemsWhile(named, await base.enabledCapabilities.disabled()).find(({ isOff }) => !isOff);
			};
			const before = await findEffectiveItem();
			await base.capabilitySwitch.set({ type, name, source, path }, isEnabled, context.signal);
			const after = await findEffectiveItem();
			if (switches.has('json')) {
				context.terminal.out(formatJson({ type, name, source, path, isEnabled }));
				return;
			}
			const place = after === undefined || after.path === path ? undefined : `${after.path} (${after.source})`;
			const how = before?.path === after?.path ? 'still in effect:' : 'now in effect:';
			const more = place === undefined ? '' : `; ${how} ${place}`;
			const text = `${type} ${name} (${source}) is ${isEnabled ? 'enabled' : 'disabled'}${more}`;
			context.terminal.out(`${visibleLine(text)}\n`);
		});
}

/** Under the name of their folder, as the marketplace has them. Ours are always on: without them nothing of ours runs. */
function foreignExecutors(executors: readonly ExecutorItem[]) {
	return executors.filter(({ own }) => own === undefined).map((each) => ({ ...each, type: EXECUTORS_FOLDER }));
}
