/** Host and readers of the command line, which what runs cases gets because it is a bundle of its own. */
import type { readCapabilityFiles } from '../../../catalog/capability-files.ts';
import type { inspectFolder } from '../../../catalog/registry/reading/inspect-folder.ts';
import type { Permission, RiskLevel } from '../../../protocol/ops/risk.ts';
import type { openHome } from '../../home/home-folder.ts';
import type { readJsonObject } from '../../home/json-file.ts';
import type { trustedWorkspace } from '../../invocation/workspace-option.ts';
import type { withHost } from '../../ports/cli-host.ts';

export interface CaseHost {
	readonly withHost: typeof withHost;
	readonly openHome: typeof openHome;
	readonly trustedWorkspace: typeof trustedWorkspace;
	readonly readJsonObject: typeof readJsonObject;
	readonly inspectFolder: typeof inspectFolder;
	readonly readCapabilityFiles: typeof readCapabilityFiles;
	/** Levels at which code of others must run in a sandbox. */
	readonly levelRules: { readonly [L in RiskLevel]: { readonly sandbox: string } };
	/** Permission of an op; undefined: there is no such op. */
	permissionOf(op: string): Permission | undefined;
}
