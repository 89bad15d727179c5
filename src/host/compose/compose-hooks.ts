/** Composition of hooks: the user's own, and those that other agents' files name. */
import { hooksOfPlugins } from './compose-catalog.ts';
import type { EnabledCapabilities } from '../../catalog/registry/sources/enabled-capabilities.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import { UserHooks } from '../../trust/gate/hooks/user-hooks.ts';
import { ForeignHooks } from '../../trust/gate/hooks/foreign/foreign-hooks.ts';
import { hookRegister } from '../../trust/gate/hooks/hook-register.ts';
import type { CommandWall } from '../../machine/sandbox/command-wall.ts';
import type { LedgerPort } from '../../trust/record/ledger/ledger.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';

interface HookParts extends Pick<ConstructorParameters<typeof ForeignHooks>[0], 'environment'> {
	readonly ports: HostPorts;
	readonly redactor: Redactor;
	readonly ledger: LedgerPort;
	readonly enabled: EnabledCapabilities;
	readonly sandbox: CommandWall;
}

export function hostHooks({ ports, redactor, ledger, enabled, environment, sandbox }: HookParts) {
	const hooks = new UserHooks({ ports, redactor, environment, sandbox });
	const listPluginHooks = () => hooksOfPlugins(ports, enabled);
	const foreignHooks = new ForeignHooks({ ports, plugins: listPluginHooks, redactor, ledger, environment, sandbox });
	const hooksOfOthers = hookRegister(foreignHooks, ledger, async () => (await sandbox.state()).works);
	return { hooks, foreignHooks, hooksOfOthers };
}
