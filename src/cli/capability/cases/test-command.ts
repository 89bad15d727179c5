/** `prowess capability test`: what runs cases is a bundle of its own, which gets the host and its readers from here. */
import { readCapabilityFiles } from '../../../catalog/capability-files.ts';
import { inspectFolder } from '../../../catalog/registry/reading/inspect-folder.ts';
import { RISK_LEVEL_RULES } from '../../../trust/gate/policy/levels/levels.ts';
import { isOpName, ops } from '../../../protocol/op-table/ops.ts';
import { openHome } from '../../home/home-folder.ts';
import { readJsonObject } from '../../home/json-file.ts';
import type { CommandAction, CommandContext } from '../../invocation/command.ts';
import { trustedWorkspace } from '../../invocation/workspace-option.ts';
import { withHost } from '../../ports/cli-host.ts';
import type { CaseHost } from './case-host.ts';

const caseHost: CaseHost = {
	withHost,
	openHome,
	trustedWorkspace,
	readJsonObject,
	inspectFolder,
	readCapabilityFiles,
	permissionOf: (op) => (isOpName(op) ? ops[op].permission : undefined),
	levelRules: RISK_LEVEL_RULES,
};

/** Runs the cases of what is to be packed. */
export const testBeforePacking = async (folder: string, context: CommandContext) =>
	await (await import('./test-capabilities.ts')).testPackage(caseHost, folder, context);

export const testCommand: CommandAction = async (...asked) =>
	await (await import('./test-capabilities.ts')).testCapabilities(caseHost, ...asked);
