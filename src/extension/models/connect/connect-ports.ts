/** Ports that connecting a model needs of the editor and the server, and the result once a provider answers. */
import type { LogPort } from '../../../contract/ports/ports.ts';
import type { ProviderConfig } from '../../../protocol/turn/models.ts';
import type { Peer } from '../../../protocol/rpc/peer.ts';
import type { EditorSettings } from '../../ports/settings-port.ts';
import type { ProviderKeys } from '../provider-keys.ts';

export interface ConnectPorts {
	readonly settings: EditorSettings;
	readonly keys: ProviderKeys;
	readonly log: LogPort;
	server(): Promise<Peer>;
}

/** Provider that answered, and the models that it lists. */
export interface Reached {
	readonly provider: ProviderConfig;
	readonly key: string | null;
	readonly models: readonly string[];
}
