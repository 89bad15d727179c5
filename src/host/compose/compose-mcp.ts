/** Composition of MCP servers: the consent to each, and what starts and asks them. */
import type { HostPorts } from '../../contract/ports/ports.ts';
import type { ApprovalOrigins } from '../../trust/gate/approvals/approval-origins.ts';
import type { PersonDesk } from '../../trust/gate/approvals/desk.ts';
import type { ProjectRules } from '../../trust/gate/policy/rules/project-rules.ts';
import { systemResolve } from '../../machine/http/resolve-host.ts';
import { McpConsent } from '../../execution/mcp/consent/mcp-consent.ts';
import { McpServers } from '../../execution/mcp/mcp-servers.ts';
import { KeptSignIns } from '../../execution/mcp/sign-in/kept-sign-ins.ts';
import type { SecretVault } from '../../machine/secrets/secret-vault.ts';
import type { LedgerPort } from '../../trust/record/ledger/ledger.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';

type ServerDeps = ConstructorParameters<typeof McpServers>[0];

interface McpParts extends Pick<ServerDeps, 'plugins' | 'sandbox' | 'environment'> {
	readonly ports: HostPorts;
	readonly desk: PersonDesk;
	readonly origins: ApprovalOrigins;
	readonly ledger: LedgerPort;
	readonly redactor: Redactor;
	readonly vault: SecretVault;
	readonly projectRules: ProjectRules;
}

export function hostMcp({ ports, desk, origins, ledger, redactor, vault, projectRules, ...parts }: McpParts) {
	const { places, workspace, settings, approvalMode } = ports;
	const mcpConsent = new McpConsent({ home: places.home, desk, origins, ledger, redactor, approvalMode });
	const mcp = new McpServers({
		...parts,
		places,
		workspace,
		settings,
		resolve: systemResolve,
		secrets: vault,
		signIn: ports.signIn,
		signIns: new KeptSignIns({ kept: ports.signIn.kept, addSecret: (value) => redactor.addSecret(value) }),
		consent: mcpConsent,
		projectRules: () => projectRules.current,
		redact: (text) => redactor.redact(text),
	});
	return { mcp, mcpConsent };
}
