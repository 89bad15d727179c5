/** Composes what runs scripts: ops through the broker, in a thread of its own for each script. */
import type { CapabilityManager } from '../../../execution/runs/capability-manager.ts';
import type { HostPorts } from '../../../contract/ports/ports.ts';
import type { Redactor } from '../../../trust/record/redaction/redactor.ts';
import { Scripts } from '../../../features/script/scripts.ts';

type HostScriptsDeps = ConstructorParameters<typeof Scripts>[0];

interface ScriptsOfHost extends Pick<HostScriptsDeps, 'holder' | 'perform' | 'knowledge' | 'beginThread'> {
	readonly ports: HostPorts;
	readonly redactor: Redactor;
	readonly capabilities: Pick<CapabilityManager, 'find'>;
}

export function composeScripts({ ports, redactor, capabilities, ...asked }: ScriptsOfHost): Scripts {
	return new Scripts({
		...asked,
		home: ports.places.home,
		workspace: ports.workspace,
		hasCapability: (type, name) =>
			capabilities.find({ type, name }).then(
				() => true,
				() => false,
			),
		redact: (text) => redactor.redact(text),
	});
}
