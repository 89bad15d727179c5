/** Parts of a host that ops on databases and secrets are made of. */
import type { NamedDatabases } from '../../contract/ops/caller.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import type { SecretVault } from '../../machine/secrets/secret-vault.ts';
import { SqlRunner } from '../../machine/sql/sql-runner.ts';
import { workerUrl } from '../../machine/worker-url.ts';

export interface DataDeps {
	readonly secrets: SecretVault;
	readonly sql: SqlRunner;
	/** `prowess.databases`, as it is now. */
	databases(): NamedDatabases;
}

interface DataOpParts {
	readonly ports: Pick<HostPorts, 'settings' | 'places'>;
	readonly vault: SecretVault;
}

export function createDataDeps({ ports: { settings, places }, vault }: DataOpParts): DataDeps {
	return {
		secrets: vault,
		sql: new SqlRunner(workerUrl('./sql/sql-process.ts', 'sql-process.mjs', places.dist)),
		databases: () => settings.current['prowess.databases'],
	};
}
