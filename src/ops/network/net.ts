/**
 * net.connect: a host that a sandboxed command has asked its proxy for. No name is looked up before the gate has
 * decided.
 */
import { orAborted } from '../../base/time/bounded-wait.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import { refuseInnerHost, resolveHost } from '../../machine/http/resolve-host.ts';
import type { CommandDeps } from '../commands/command-deps.ts';
import type { LateNetworkDeps } from './network-deps.ts';

export function netOps({
	connections,
	http,
}: Pick<CommandDeps, 'connections'> & Pick<LateNetworkDeps, 'http'>): Pick<OpImplementations, 'net.connect'> {
	return {
		'net.connect': {
			prepare: ({ host, for: command }, { opId }) =>
				Promise.resolve().then(() => {
					const link = connections.linkOf(opId);
					if (link?.target.host !== host) {
						throw new ProwessError('INVALID_STATE', 'only the proxy of a sandboxed command asks for a connection', {
							host,
						});
					}
					const { target } = link;
					refuseInnerHost(target, http.allowedHosts());
					return {
						targets: [{ kind: 'host', host }],
						detail: { kind: 'text', text: `${target.hostname}:${target.port}\n${command}` },
						async run({ signal }) {
							link.connected(await resolveHost(target, http.allowedHosts(), http.resolve, signal));
							return await orAborted(link.ended, signal);
						},
					};
				}),
		},
	};
}
