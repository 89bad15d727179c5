/** Composition of what a connected server is served: ops, usage, sub-turns and sub-agents. */
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { CapabilityRegistry } from '../../catalog/registry/capability-registry.ts';
import type { AgentWatch } from '../../features/agents/agent-watch.ts';
import type { ModelAccess } from '../../features/models/model-access.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { serveBroker, type ServedDeps } from '../serve-server.ts';

interface ServingParts extends Omit<ServedDeps, 'capabilityOf'> {
	readonly registry: Pick<CapabilityRegistry, 'prepare'>;
	readonly models: ModelAccess;
	readonly agentWatch: AgentWatch;
}

/** Returns what serves one server, until the result is disposed. */
export function hostServing({ registry, models, agentWatch, ...deps }: ServingParts): (server: Peer) => Disposable {
	return (server) => {
		const served = new DisposableStore();
		// Looks for capabilities early: the first request of the server names them, and most are found while it starts.
		registry.prepare();
		served.add(serveBroker({ ...deps, capabilityOf: (subTurnId) => models.capabilityOf(subTurnId) }, server));
		served.add(models.serve(server));
		served.add(agentWatch.serve(server));
		return served;
	};
}
